package optim

import (
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Gradients holds the gradients of a loss with respect to some variables, sorted by path.
type Gradients struct {
	Variables []*model.Variable
	Nodes     []*graph.Node

	scope string
}

// Differentiate returns the gradients of loss, a scalar, with respect to the trainable variables below scope on which
// it depends. Variables for which selected returns zero are left out and cost nothing; nil selects all.
func Differentiate(scope *model.Scope, loss *graph.Node, selected func(path string) float64) Gradients {
	gradients := Gradients{scope: scope.Scope()}
	reached := dependencies(loss)
	var values []*graph.Node
	for _, variable := range sortedVariables(scope) {
		if !variable.Trainable || !variable.InUseByGraph(loss.Graph()) || selected != nil &&
			selected(relativePath(scope.Scope(), variable)) == 0 {
			continue
		}
		if value := variable.NodeValue(loss); reached[value] {
			gradients.Variables = append(gradients.Variables, variable)
			values = append(values, value)
		}
	}
	if len(values) > 0 {
		gradients.Nodes = graph.Gradient(loss, values...)
	}
	return gradients
}

// dependencies returns the nodes on which root depends, not looking past stopped gradients.
func dependencies(root *graph.Node) map[*graph.Node]bool {
	reached := map[*graph.Node]bool{}
	for pending := []*graph.Node{root}; len(pending) > 0; {
		node := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if reached[node] || node.StopGradient() {
			continue
		}
		reached[node] = true
		pending = append(pending, node.Inputs()...)
	}
	return reached
}

// Map returns the gradients after applying change to each. The path is relative to the scope of [Differentiate].
func (g Gradients) Map(change func(path string, gradient *graph.Node) *graph.Node) Gradients {
	changed := make([]*graph.Node, len(g.Nodes))
	for i, gradient := range g.Nodes {
		changed[i] = change(relativePath(g.scope, g.Variables[i]), gradient)
	}
	return Gradients{g.Variables, changed, g.scope}
}

// Plus returns the sums with the gradients of another loss with respect to variables below the same scope. If only one
// of the losses depends on a variable, its gradient is kept.
func (g Gradients) Plus(other Gradients) Gradients {
	sum := Gradients{scope: g.scope}
	for i, j := 0, 0; i < len(g.Variables) || j < len(other.Variables); {
		order := compare(g.Variables[i:], other.Variables[j:])
		switch {
		case order < 0:
			sum.Variables, sum.Nodes = append(sum.Variables, g.Variables[i]), append(sum.Nodes, g.Nodes[i])
		case order > 0:
			sum.Variables, sum.Nodes = append(sum.Variables, other.Variables[j]), append(sum.Nodes, other.Nodes[j])
		default:
			sum.Variables, sum.Nodes = append(sum.Variables, g.Variables[i]),
				append(sum.Nodes, graph.Add(g.Nodes[i], other.Nodes[j]))
		}
		if order <= 0 {
			i++
		}
		if order >= 0 {
			j++
		}
	}
	return sum
}

// compare orders the first elements of two sorted lists that are not both empty; an empty list sorts last.
func compare(a, b []*model.Variable) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return strings.Compare(a[0].Path(), b[0].Path())
}

// Dot returns the inner product with the gradients of another loss as a float64 scalar. A variable missing from either
// counts as zero.
func (g Gradients) Dot(other Gradients) *graph.Node {
	by := make(map[*model.Variable]*graph.Node, len(other.Variables))
	for i, variable := range other.Variables {
		by[variable] = other.Nodes[i]
	}
	var sum *graph.Node
	for i, variable := range g.Variables {
		if partner, common := by[variable]; common {
			sum = add(sum, graph.ReduceAllSum(graph.Mul(toFloat64(g.Nodes[i]), toFloat64(partner))))
		}
	}
	if sum == nil && len(g.Nodes) > 0 {
		return graph.ScalarZero(g.Nodes[0].Graph(), dtypes.Float64)
	}
	return sum
}

// Norm returns the Euclidean norm of all gradients together as a float64 scalar. It sums in float64, as PyTorch does on
// the CPU: in float32 the squares of a million numbers lose digits, and squares of large numbers overflow.
func (g Gradients) Norm() *graph.Node {
	var sum *graph.Node
	for _, gradient := range g.Nodes {
		sum = add(sum, graph.ReduceAllSum(graph.Square(toFloat64(gradient))))
	}
	return graph.Sqrt(sum)
}

func toFloat64(x *graph.Node) *graph.Node { return graph.ConvertDType(x, dtypes.Float64) }

// add adds term to sum, which may be nil.
func add(sum, term *graph.Node) *graph.Node {
	if sum == nil {
		return term
	}
	return graph.Add(sum, term)
}
