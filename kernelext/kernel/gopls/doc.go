// Package gopls gets completions and documentation for a notebook's cells from Go's language server.
//
// One server serves all kernels of a user. The first kernel starts it, and it ends some minutes after the last kernel
// has ended. A kernel's cells form a small module that requires the laboratory's module, so the server loads only what
// the cells import.
package gopls
