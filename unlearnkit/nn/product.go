package nn

import (
	"slices"

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
	return graph.DotGeneral(a, []int{len(batch) + axisA}, batch, b, []int{len(batch) + axisB}, slices.Clone(batch))
}
