package nn

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// The products in this file take matrices, or batches of matrices if there are three axes.

// matMul returns a b for a [m, k] and b [k, n].
func matMul(a, b *graph.Node) *graph.Node { return contract(a, 1, b, 0) }

// matMulTransposed returns a bᵀ for a [m, k] and b [n, k].
func matMulTransposed(a, b *graph.Node) *graph.Node { return contract(a, 1, b, 1) }

// contract sums over axisA of the matrices of a and axisB of the matrices of b.
func contract(a *graph.Node, axisA int, b *graph.Node, axisB int) *graph.Node {
	batch := []int{0}[:a.Rank()-2]
	product := graph.Dot(a, b)
	if Compiled(a.Graph()) {
		// XLA sums 16-bit products in float32 anyway. To ask for it would make gradients convert their operands.
		product = product.WithAccumulatorDType(dtypes.InvalidDType)
	}
	return product.General([]int{len(batch) + axisA}, batch, []int{len(batch) + axisB}, slices.Clone(batch))
}
