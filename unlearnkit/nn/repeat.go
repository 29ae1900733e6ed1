package nn

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// Repeat applies change to the state with the numbers 1, 2 … last, and returns the final state. It is a loop for XLA,
// so the graph does not grow with last. The pure Go backend runs a graph with a loop without fusing anything. Repeat
// has no gradient.
//
// change must read nothing but the state passed to it, and must make its constants with graph.Const: GoMLX caches the
// scalars of graph.AddScalar and similar functions by graph, and scalars from outside cannot be used inside the loop.
func Repeat(last int, state []*graph.Node,
	change func(number *graph.Node, state []*graph.Node) []*graph.Node) []*graph.Node {
	g := state[0].Graph()
	enter := func(g *graph.Graph) (number *graph.Node, inner []*graph.Node) {
		number = graph.Parameter(g, "number", shapes.Make(dtypes.Int32))
		for i, x := range state {
			inner = append(inner, graph.Parameter(g, fmt.Sprintf("state%d", i), x.Shape()))
		}
		return number, inner
	}
	more := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
		number, _ := enter(g)
		return []*graph.Node{graph.LessOrEqual(number, graph.Const(g, int32(last)))}
	})
	body := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
		number, inner := enter(g)
		return append([]*graph.Node{graph.Add(number, graph.Const(g, int32(1)))}, change(number, inner)...)
	})
	ends := graph.While(more, body, append([]*graph.Node{graph.Const(g, int32(1))}, state...)...)[1:]
	for i := range ends {
		ends[i] = graph.StopGradient(ends[i])
	}
	return ends
}
