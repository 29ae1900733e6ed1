//go:build !goexperiment.simd || !amd64

package fused

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
