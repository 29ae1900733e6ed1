//go:build !goexperiment.simd

package unlearntest

// built distinguishes builds without vector instructions, which round differently from those that only do not use them.
const built = ", built without GOEXPERIMENT=simd"
