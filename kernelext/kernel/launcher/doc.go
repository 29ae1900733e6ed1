// Package launcher implements the kernel process that Jupyter starts: a proxy in front of gonb, a Go kernel.
//
// Jupyter connects to the launcher's five channels at once. The launcher answers some requests itself: the kernel's
// description, whether a cell is complete, the history, and the %unlearn verbs that only show something. It passes
// cells to gonb one at a time, so that an error can abort the waiting cells, as front ends expect. Messages that need
// no change, or that the launcher cannot read, pass byte for byte.
//
// A cell that consists of one verb is not built. A shell of gonb starts the command, which displays through the
// launcher's pipes: see [direct].
//
// gonb runs under a [Guard] with a temporary folder of its own. No process and no folder is left, however the launcher,
// the guard, gonb or the Jupyter server ends.
//
// Cells see the kernel's folder as TMPDIR, which is removed with the kernel. They also see UNLEARNLAB_ROOT, the folder
// of this module, and UNLEARNLAB_COMMAND, the program that runs the verbs.
//
// If something is missing, for instance Go, the launcher still serves the notebook. It answers every cell with what is
// missing and the command that repairs it.
package launcher
