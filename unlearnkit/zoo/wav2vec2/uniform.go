package wav2vec2

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// uniform returns numbers with 24 bits in [0, 1), each computed from its index and two keys. It uses only integers, so
// the numbers are the same on all devices. They need not be transferred to the device, and a step of a full-size model
// uses a billion of them.
func uniform(keys *graph.Node, dimensions ...int) *graph.Node {
	key := func(i int) *graph.Node { return graph.Reshape(graph.Slice(keys, graph.AxisElem(i))) }
	shape := shapes.Make(dtypes.Uint32, dimensions...)
	place := graph.Iota(keys.Graph(), shapes.Make(dtypes.Uint32, shape.Size()), 0)
	bits := mix(graph.BitwiseXor(mix(graph.Add(place, key(0))), key(1)))
	upper := graph.ConvertDType(graph.BitwiseShiftRightLogicalScalar(bits, uint32(8)), dtypes.Float32)
	return graph.Reshape(graph.MulScalar(upper, 1./(1<<24)), dimensions...)
}

// mix scatters the bits of integers with lowbias32, which Wellons found by a search (nullprogram.com/blog/2018/07/31).
func mix(x *graph.Node) *graph.Node {
	folded := func(x *graph.Node, by uint32) *graph.Node {
		return graph.BitwiseXor(x, graph.BitwiseShiftRightLogicalScalar(x, by))
	}
	times := func(x *graph.Node, factor uint32) *graph.Node { return graph.Mul(x, graph.Const(x.Graph(), factor)) }
	return folded(times(folded(times(folded(x, 16), 0x7feb352d), 15), 0x846ca68b), 16)
}
