package nn

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// Repeat changes a state again and again, with number 1, 2 … last, and returns what it is in the end. It is a loop
// whose graph does not grow with the number, for XLA: pure Go hands a graph with a loop to an executor that fuses
// nothing. There is no gradient through it.
//
// change reads nothing but the state it is given, and makes its constants by graph.Const: GoMLX remembers the scalars
// of graph.AddScalar and its like by graph, and those of outside cannot be used inside.
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
