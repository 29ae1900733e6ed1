package nn

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// AttentionConfig sets the number of heads, their scale and which keys each query may attend to.
type AttentionConfig struct {
	Heads         int
	KeyValueHeads int // heads of keys and values, each for Heads/KeyValueHeads consecutive heads; 0 means Heads
	// Causal hides later keys from each query. The queries are the last T of the S positions.
	Causal bool
	// Mask is true where a query may attend: [B, S] for keys, [B, T, S], or [B or 1, Heads or 1, T, S]. A fully masked
	// query yields zeros.
	Mask *graph.Node
	// Bias is added to the scaled scores. It may have any shape that broadcasts to [B, Heads, T, S] from the right.
	Bias *graph.Node
	// Scale multiplies the scores; 0 means 1/sqrt(D).
	Scale float64
}

// Attention applies scaled dot-product attention of q [B, T, Heads·D] to k and v [B, S, KeyValueHeads·D]. It returns
// [B, T, Heads·D].
func Attention(q, k, v *graph.Node, c AttentionConfig) *graph.Node {
	if c.KeyValueHeads == 0 {
		c.KeyValueHeads = c.Heads
	}
	batch, queries, keys := q.Shape().Dimensions[0], q.Shape().Dimensions[1], k.Shape().Dimensions[1]
	width := q.Shape().Dimensions[2] / max(c.Heads, 1)
	if c.Heads < 1 || c.KeyValueHeads < 1 || c.Heads%c.KeyValueHeads != 0 || q.Shape().Dimensions[2] != width*c.Heads ||
		k.Shape().Dimensions[2] != width*c.KeyValueHeads || !v.Shape().Equal(k.Shape()) {
		panic(fmt.Errorf("attention of %d heads to %d does not fit queries %s, keys %s and values %s", c.Heads,
			c.KeyValueHeads, q.Shape(), k.Shape(), v.Shape()))
	}
	if c.Scale == 0 {
		c.Scale = 1 / math.Sqrt(float64(width))
	}
	shared := c.Heads / c.KeyValueHeads
	q = graph.Reshape(split(graph.MulScalar(q, c.Scale), c.Heads), batch*c.KeyValueHeads, shared*queries, width)
	k, v = split(k, c.KeyValueHeads), split(v, c.KeyValueHeads)

	scores := graph.Reshape(matMulTransposed(q, k), batch, c.Heads, queries, keys)
	bias, anything := c.bias(scores)
	if bias != nil {
		scores = graph.Add(scores, bias)
	}
	weights := graph.Reshape(softmax(scores), batch*c.KeyValueHeads, shared*queries, keys)
	out := graph.Reshape(matMul(weights, v), batch, c.Heads, queries, width)
	if anything != nil {
		out = graph.Mul(out, anything)
	}
	return graph.Reshape(graph.TransposeAllAxes(out, 0, 2, 1, 3), batch, queries, c.Heads*width)
}

// split reshapes x from [B, S, heads·D] to [B·heads, S, D].
func split(x *graph.Node, heads int) *graph.Node {
	d := x.Shape().Dimensions
	x = graph.TransposeAllAxes(graph.Reshape(x, d[0], d[1], heads, d[2]/heads), 0, 2, 1, 3)
	return graph.Reshape(x, d[0]*heads, d[1], d[2]/heads)
}

// softmax normalises over the last axis. On the Go backend its gradient reuses the result, where GoMLX's own would
// compute the exponentials again.
func softmax(x *graph.Node) *graph.Node {
	if x.DType().IsHalfPrecision() {
		return inFloat32(x, softmax)
	}
	if Compiled(x.Graph()) {
		return graph.Softmax(x, -1)
	}
	var y *graph.Node
	gradient := func(_, v *graph.Node) *graph.Node {
		v = graph.Mul(v, y)
		return graph.Sub(v, graph.Mul(y, graph.ReduceAndKeep(v, graph.ReduceSum, -1)))
	}
	y, fused := graph.InternalFusedOpCaller(
		func() *graph.Node { return graph.BackendFusedSoftmax(x, x.Rank()-1) },
		func() *graph.Node { return graph.IdentityWithCustomGradient(x, gradient) }, true)
	if !fused { // $GOMLX_FUSION is off
		return graph.Softmax(x, -1)
	}
	return y
}

// maskedScore replaces the score of a masked key. It absorbs any score and bias, so that even a fully masked query has
// finite weights.
const maskedScore = -1e30

// bias returns the term to add to the scores [B, H, T, S], and a factor that is 0 for fully masked queries and 1 for
// the others. Either may be nil if it is not needed.
func (c AttentionConfig) bias(scores *graph.Node) (bias, attends *graph.Node) {
	allowed := c.allowed(scores)
	if c.Bias != nil {
		bias = graph.ExpandLeftToRank(c.Bias, 4)
	}
	if allowed == nil {
		return bias, nil
	}
	zero := graph.ScalarZero(scores.Graph(), scores.DType())
	mask := graph.Where(allowed, zero, graph.ConstAs(zero, maskedScore))
	if bias != nil {
		mask = graph.Add(mask, bias)
	}
	if c.Mask == nil && scores.Shape().Dimensions[2] <= scores.Shape().Dimensions[3] {
		return mask, nil
	}
	return mask, graph.ReduceAndKeep(graph.ConvertDType(allowed, scores.DType()), graph.ReduceMax, -1)
}

// allowed combines the mask with causality into one mask that broadcasts to [B, H, T, S]. It returns nil if every query
// may attend to every key.
func (c AttentionConfig) allowed(scores *graph.Node) *graph.Node {
	queries, keys := scores.Shape().Dimensions[2], scores.Shape().Dimensions[3]
	var allowed *graph.Node
	if c.Causal {
		square := shapes.Make(dtypes.Int32, 1, 1, queries, keys)
		query := graph.AddScalar(graph.Iota(scores.Graph(), square, 2), keys-queries)
		allowed = graph.LessOrEqual(graph.Iota(scores.Graph(), square, 3), query)
	}
	if c.Mask == nil {
		return allowed
	}
	mask := c.Mask
	switch mask.Rank() {
	case 2:
		mask = graph.InsertAxes(mask, 1, 1)
	case 3:
		mask = graph.InsertAxes(mask, 1)
	}
	if allowed == nil {
		return mask
	}
	return graph.LogicalAnd(allowed, mask)
}
