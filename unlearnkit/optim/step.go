package optim

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// step is one application of an optimizer in one graph.
type step struct {
	o     Optimizer
	store *model.Store
	rate  *graph.Node
	moves *graph.Node // a boolean: whether this call moves the variables; nil if every call does
}

// accumulate adds gradients, divided by the number of calls, to the gradients accumulated so far.
func (s *step) accumulate(gradients Gradients) Gradients {
	if s.o.Accumulate <= 1 {
		return gradients
	}
	calls := s.state("accumulated", "", shapes.Make(dtypes.Int64))
	call := graph.OnePlus(calls.NodeValue(gradients.Nodes[0]))
	s.moves = graph.GreaterOrEqual(call, graph.ConstAs(call, s.o.Accumulate))
	calls.SetNodeValue(graph.Where(s.moves, graph.ZerosLike(call), call))
	sums := make([]*graph.Node, len(gradients.Nodes))
	for i, gradient := range gradients.Nodes {
		gathered := s.state("gradient", gradients.Variables[i].Path(), gradient.Shape())
		sums[i] = graph.Add(gathered.NodeValue(gradient), graph.DivScalar(gradient, float64(s.o.Accumulate)))
		gathered.SetNodeValue(graph.Where(s.moves, graph.ZerosLike(gradient), sums[i]))
	}
	return Gradients{gradients.Variables, sums, gradients.scope}
}

// move updates a variable, its rule's state and its average.
func (s *step) move(variable *model.Variable, path string, gradient *graph.Node) {
	rate := s.rate
	if s.o.Select != nil {
		rate = graph.MulScalar(rate, s.o.Select(path))
	}
	p := &Parameter{
		Value: variable.NodeValue(gradient), Gradient: gradient, Rate: rate,
		Decays: s.o.NoDecay == nil || !s.o.NoDecay(path, variable.Shape()),
		step:   s, path: variable.Path(),
	}
	value := s.o.Rule.Update(p)
	if s.o.Mask != nil {
		if mask := s.o.Mask(path, p.Value); mask != nil {
			value = graph.Where(mask, value, p.Value)
		}
	}
	s.set(variable, value)
	if s.o.Average != 0 {
		average := s.state(averages, variable.Path(), variable.Shape(), copyOf(variable))
		old := average.NodeValue(value)
		s.set(average, graph.Add(old, graph.MulScalar(graph.Sub(value, old), 1-s.o.Average)))
	}
}

// set gives a variable its new value, if this call moves variables.
func (s *step) set(variable *model.Variable, value *graph.Node) {
	if s.moves != nil {
		value = graph.Where(s.moves, value, variable.NodeValue(value))
	}
	variable.SetNodeValue(value)
}

// state returns the state variable of a kind that belongs to the variable at path. It starts at zero unless an
// initializer is given.
func (s *step) state(kind, path string, shape shapes.Shape, initial ...model.VariableInitializer) *model.Variable {
	initializer := model.VariableInitializer(graph.Zeros)
	if len(initial) > 0 {
		initializer = initial[0]
	}
	return s.store.VariableWithShape(s.o.scope()+"/"+kind+path, shape, initializer).SetTrainable(false)
}

// Parameter is one variable in one step, as a [Rule] receives it.
type Parameter struct {
	Value, Gradient *graph.Node
	Rate            *graph.Node // the learning rate times the variable's factor, a float64 scalar
	Decays          bool        // weight decay applies to the variable

	step *step
	path string
}

// Remember returns the value that the last step stored for this variable under name, and a function that stores a new
// value. The value has the variable's shape and starts at zero.
func (p *Parameter) Remember(name string) (last *graph.Node, keep func(*graph.Node)) {
	variable := p.step.state(name, p.path, p.Value.Shape())
	return variable.NodeValue(p.Value), func(value *graph.Node) { p.step.set(variable, value) }
}

// Step increments and returns the variable's step number, one at first, as a float64 scalar. Each variable has its own
// count as in PyTorch, so a variable that joins later has the right bias correction. A rule must call Step at most
// once.
func (p *Parameter) Step() *graph.Node {
	variable := p.step.state("step", p.path, shapes.Make(dtypes.Int64))
	next := graph.OnePlus(variable.NodeValue(p.Value))
	p.step.set(variable, next)
	return toFloat64(next)
}

// Times returns x times a float64 scalar, in the type of x.
func Times(x, scalar *graph.Node) *graph.Node {
	return graph.Mul(x, graph.ConvertDType(scalar, x.DType()))
}
