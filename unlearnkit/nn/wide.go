package nn

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// Wide converts 16-bit numbers to float32, because 16 bits are too few to sum many numbers or squares. It leaves other
// types unchanged.
func Wide(x *graph.Node) *graph.Node {
	if x.DType().IsHalfPrecision() {
		return graph.ConvertDType(x, dtypes.Float32)
	}
	return x
}

// inFloat32 computes f of x in [Wide] numbers and converts the result back to the type of x.
func inFloat32(x *graph.Node, f func(*graph.Node) *graph.Node) *graph.Node {
	return graph.ConvertDType(f(Wide(x)), x.DType())
}
