//go:build !goexperiment.simd || !amd64

package fused

// tileKernels is empty: in this build the Go backend computes matrix products.
var tileKernels []tileKernel

func canMultiply() bool { return false }
