//go:build linux && amd64 && (!cgo || noxla)

package device

// noXLA is the reason why this build has no XLA.
const noXLA = "this build has no XLA: it was made without cgo or with the tag noxla"
