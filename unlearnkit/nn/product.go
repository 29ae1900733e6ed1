package nn

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// The products of this file take matrices, or as many of them as the first of three axes counts. On XLA each is the operation it says. On the Go backend they keep to the one
// form that it multiplies fast, [m, k] by [k, n], also in their gradients: its kernel for [m, k] by [n, k] takes up to 40 times as long where there are fewer than [smallProduct]
// multiplications, and any other form makes it copy both sides, at a cost of an element that is that of a hundred multiplications.

// smallProduct is the number of multiplications from which the Go backend packs its operands, and their form no longer matters.
const smallProduct = 4 << 20

// times is a b for a [m, k] and b [k, n].
func times(a, b *graph.Node) *graph.Node {
	if compiled(a.Graph()) {
		return contract(a, 1, b, 0)
	}
	return differentiable(a, b,
		func(a, b *graph.Node) *graph.Node { return contract(a, 1, b, 0) },
		func(v *graph.Node) *graph.Node { return timesTransposed(v, b) },
		func(v *graph.Node) *graph.Node { return transposedTimes(a, v) })
}

// timesTransposed is a bᵀ for a [m, k] and b [n, k].
func timesTransposed(a, b *graph.Node) *graph.Node {
	if compiled(a.Graph()) {
		return contract(a, 1, b, 1)
	}
	product := func(a, b *graph.Node) *graph.Node {
		rows, columns, inner := size(a, 0), size(b, 0), size(a, 1)
		if rows*columns*inner >= smallProduct || 100*rows < inner { // with few rows, transposing b would be all the work
			return contract(a, 1, b, 1)
		}
		return contract(a, 1, transposed(b), 0)
	}
	return differentiable(a, b, product,
		func(v *graph.Node) *graph.Node { return times(v, b) },
		func(v *graph.Node) *graph.Node { return transposedTimes(v, a) })
}

// transposedTimes is aᵀ b for a [k, m] and b [k, n].
func transposedTimes(a, b *graph.Node) *graph.Node {
	if compiled(a.Graph()) {
		return contract(a, 0, b, 0)
	}
	product := func(a, b *graph.Node) *graph.Node {
		inner, rows, columns := size(a, 0), size(a, 1), size(b, 1)
		if inner*rows <= inner*columns+rows*columns { // what has to be transposed either way
			return contract(transposed(a), 1, b, 0)
		}
		return transposed(contract(transposed(b), 1, a, 0))
	}
	return differentiable(a, b, product,
		func(v *graph.Node) *graph.Node { return timesTransposed(b, v) },
		func(v *graph.Node) *graph.Node { return times(a, v) })
}

// size is a dimension of the matrices of x: 0 counts their rows, 1 their columns.
func size(x *graph.Node, axis int) int { return x.Shape().Dimensions[x.Rank()-2+axis] }

func transposed(x *graph.Node) *graph.Node {
	if x.Rank() == 2 {
		return permute(x, 1, 0)
	}
	return permute(x, 0, 2, 1)
}

// permute puts the axes of x in the given order. Where only axes of size one move it is a reshape, which costs nothing.
func permute(x *graph.Node, order ...int) *graph.Node {
	dimensions := make([]int, len(order))
	last, moved := -1, false
	for i, axis := range order {
		dimensions[i] = x.Shape().Dimensions[axis]
		if dimensions[i] != 1 {
			moved = moved || axis < last
			last = axis
		}
	}
	if moved {
		return graph.TransposeAllAxes(x, order...)
	}
	return graph.Reshape(x, dimensions...)
}

// contract sums over an axis of the matrices of a and one of those of b.
func contract(a *graph.Node, axisA int, b *graph.Node, axisB int) *graph.Node {
	batch := []int{0}[:a.Rank()-2]
	return graph.DotGeneral(a, []int{len(batch) + axisA}, batch, b, []int{len(batch) + axisB}, slices.Clone(batch))
}

// differentiable is product(a, b) with the given gradients by a and b, functions of the gradient v by the product. GoMLX lets only an identity have a gradient of one's own; so one behind the
// product notes v, which those before it then use in place of what reaches them.
func differentiable(a, b *graph.Node, product func(a, b *graph.Node) *graph.Node, byA, byB func(v *graph.Node) *graph.Node) *graph.Node {
	var noted *graph.Node
	before := func(x *graph.Node, gradient func(v *graph.Node) *graph.Node) *graph.Node {
		return graph.IdentityWithCustomGradient(x, func(_, _ *graph.Node) *graph.Node { return gradient(noted) })
	}
	y := product(before(a, byA), before(b, byB))
	return graph.IdentityWithCustomGradient(y, func(_, v *graph.Node) *graph.Node {
		noted = v
		return v
	})
}
