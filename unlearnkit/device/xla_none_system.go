//go:build !(linux && amd64)

package device

// noXLA is the reason why this build has no XLA.
const noXLA = "XLA needs Linux on an amd64 processor"
