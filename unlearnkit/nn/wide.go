package nn

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// Wide is x in float32 where its numbers have sixteen bits: those are too few to sum many of them, or their squares.
func Wide(x *graph.Node) *graph.Node {
	if x.DType().IsHalfPrecision() {
		return graph.ConvertDType(x, dtypes.Float32)
	}
	return x
}

// widely computes f of x in [Wide] numbers.
func widely(x *graph.Node, f func(*graph.Node) *graph.Node) *graph.Node {
	return graph.ConvertDType(f(Wide(x)), x.DType())
}
