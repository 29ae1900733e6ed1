// Package launcher implements the kernel process that Jupyter starts. It is a proxy for gonb, a Go kernel.
//
// Jupyter connects to the launcher's five channels at once. The launcher answers some requests itself: kernel
// information, whether a cell is complete, the history, and the %unlearn verbs that only show something. It passes
// cells to gonb one at a time, so that an error can abort the waiting cells, as front ends expect. Messages that need
// no change, or that the launcher cannot parse, pass through byte for byte.
//
// A cell that consists of one verb is not built. A gonb shell line starts the command, which displays through the
// launcher's pipes; see [separateVerb].
//
// gonb runs under a [Guard] with its own temporary folder. No process or folder is left behind, however the launcher,
// the guard, gonb or the Jupyter server ends.
//
// In cells, TMPDIR is the kernel's folder, which is removed with the kernel. UNLEARNLAB_ROOT is the folder of this
// module, and UNLEARNLAB_COMMAND the program that runs verbs.
//
// If something is missing, such as Go, the launcher still serves the notebook. It answers every cell with what is
// missing and a command that repairs it.
package launcher
