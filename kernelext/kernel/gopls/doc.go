// Package gopls asks Go's language server for completions and documentation of a notebook's cells.
//
// One server serves all kernels of a user: the first starts it, and it ends some minutes after the last has gone. A
// kernel's cells are a small module that requires the laboratory's, so that the server reads what the cells import and
// not all that there is.
package gopls
