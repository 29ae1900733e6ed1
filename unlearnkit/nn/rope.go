package nn

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// RoPE rotates the heads x [B, T, H, D] by angles proportional to their positions, int32 [T] or [B, T] (Su et al.,
// 2021). It pairs channels as LLaMA's published weights expect: channels i and i+D/2 are rotated by
// position·theta^(-2i/D).
func RoPE(x, positions *graph.Node, theta float64) *graph.Node {
	dimensions := x.Shape().Dimensions
	if len(dimensions) != 4 || dimensions[3]%2 != 0 {
		panic(fmt.Errorf("rotary positions need [batch, time, heads, an even width], got %s", x.Shape()))
	}
	half := dimensions[3] / 2
	if positions.Rank() == 1 {
		positions = graph.InsertAxes(positions, 0)
	}
	angles := graph.ConvertDType(graph.InsertAxes(positions, -1, -1), x.DType())
	angles = graph.Mul(angles, graph.Reshape(graph.ConstAsDType(x.Graph(), x.DType(), frequencies(half, theta)), 1, 1,
		1, half))
	cos, sin := graph.Cos(angles), graph.Sin(angles)
	first := graph.Slice(x, graph.AxisRange().Spacer(), graph.AxisRangeFromStart(half))
	second := graph.Slice(x, graph.AxisRange().Spacer(), graph.AxisRangeToEnd(half))
	return graph.Concatenate([]*graph.Node{
		graph.Sub(graph.Mul(first, cos), graph.Mul(second, sin)),
		graph.Add(graph.Mul(second, cos), graph.Mul(first, sin)),
	}, -1)
}

// frequencies rounds to float32 at the same steps as the original implementation, because one rounding error changes
// the angle at position 2000 by 1e-4.
func frequencies(half int, theta float64) []float64 {
	frequencies := make([]float64, half)
	for i := range frequencies {
		exponent := float32(i) / float32(half)
		power := float32(vectorstate.Pow(theta, float64(exponent)))
		frequencies[i] = float64(float32(1 / power))
	}
	return frequencies
}
