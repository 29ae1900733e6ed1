//go:build !(goexperiment.simd && amd64)

package device

// SIMD names the instructions of the pure Go device's matrix products: "avx512", "avx2" or "none". Results are the same
// bits under the same flavour, not under another. This build has none: GOEXPERIMENT=simd makes products about ten times
// as fast on amd64.
func SIMD() string { return "none" }
