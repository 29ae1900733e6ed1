//go:build !goexperiment.simd || !amd64

package fused

// tileKernels are none: products of matrices belong to the Go backend in this build.
var tileKernels []tileKernel

func canMultiply() bool { return false }
