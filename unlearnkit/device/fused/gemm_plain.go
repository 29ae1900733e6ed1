//go:build !goexperiment.simd || !amd64

package fused

import "unsafe"

const tileColumns = 1

func canMultiply() bool { return false }

func tileKernel(int, *tileRows, int, unsafe.Pointer, *tileRows) {
	panic("fused: products of matrices belong to the Go backend in this build")
}
