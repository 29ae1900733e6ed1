package nn

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// The products of this file take matrices, or as many of them as the first of three axes counts.

// times is a b for a [m, k] and b [k, n].
func times(a, b *graph.Node) *graph.Node { return contract(a, 1, b, 0) }

// timesTransposed is a bᵀ for a [m, k] and b [n, k].
func timesTransposed(a, b *graph.Node) *graph.Node { return contract(a, 1, b, 1) }

// contract sums over an axis of the matrices of a and one of those of b.
func contract(a *graph.Node, axisA int, b *graph.Node, axisB int) *graph.Node {
	batch := []int{0}[:a.Rank()-2]
	return graph.DotGeneral(a, []int{len(batch) + axisA}, batch, b, []int{len(batch) + axisB}, slices.Clone(batch))
}
