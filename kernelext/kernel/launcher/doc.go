// Package launcher is the kernel process that Jupyter starts: a proxy with gonb, a Go kernel, behind it.
//
// Jupyter connects to the launcher's five channels at once. What the launcher can say itself it says itself: what the
// kernel is, whether a cell is complete, the history, the %unlearn verbs that only show something. Cells go to gonb one
// at a time, so that an error can abort those that wait, as front ends expect. Messages that need no change pass byte
// for byte; what the launcher cannot read passes too.
//
// A cell that is one verb of the command is not built. A shell of gonb's starts the command, which displays by pipes of
// the launcher's: see [direct].
//
// gonb runs behind a [Guard] with a temporary folder of its own. However launcher, guard, gonb or the Jupyter server
// end, no process and no folder is left.
//
// Cells see the kernel's folder as TMPDIR: what they put there is gone with the kernel. They also see UNLEARNLAB_ROOT,
// the folder of this module, and UNLEARNLAB_COMMAND, the program that the verbs run.
//
// Where something is missing, Go for instance, the launcher still serves the notebook and answers every cell with what
// is missing and the command that mends it.
package launcher
