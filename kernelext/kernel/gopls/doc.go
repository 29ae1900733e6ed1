// Package gopls asks Go's language server for completions and documentation of a notebook's cells.
//
// One server serves all kernels of a user. The first kernel starts it, and it ends some minutes after the last kernel.
// A kernel's cells form a small module that requires the laboratory's module, so that the server loads only what the
// cells import.
package gopls
