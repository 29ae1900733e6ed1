//go:build !goexperiment.simd || !amd64

package vectorstate

// Clear does nothing in this build.
func Clear() {}
