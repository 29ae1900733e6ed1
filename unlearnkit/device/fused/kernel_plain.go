//go:build !goexperiment.simd || !amd64

package fused

import "unsafe"

// vectorKernels does nothing: this build has no vector instructions.
func vectorKernels() {}

func addTo(to, x []float32) {
	for i, value := range x {
		to[i] += value
	}
}

func sum(x []float32) float64 {
	var total float64
	for _, value := range x {
		total += float64(value)
	}
	return total
}

func repeatFour(to, from unsafe.Pointer, n int) { repeatWords[uint32](to, from, n) }

func extreme(x []float32, best float32, largest bool) float32 {
	return extremeInOrder(x, best, largest)
}
