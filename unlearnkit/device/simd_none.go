//go:build !(goexperiment.simd && amd64)

package device

// SIMD returns the instructions of the pure Go device's matrix products: "avx512", "avx2" or "none". Results are
// bit-identical only under the same instructions. This build has none: GOEXPERIMENT=simd makes products about ten times
// as fast on amd64.
func SIMD() string { return "none" }
