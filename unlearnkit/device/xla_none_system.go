//go:build !(linux && amd64)

package device

// noXLA is the reason why this build has no XLA.
const noXLA = "there is XLA on Linux with an amd64 processor alone"
