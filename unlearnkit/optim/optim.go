// Package optim moves a model's variables along the gradients of a loss, by PyTorch's rules: SGD, Adam and AdamW with
// its order of operations, its epsilon and its bias correction.
//
//	optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}, ClipNorm: 1, NoDecay: optim.NoDecayForVectors}
//	step, err := d.Compile("train", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
//		loss := ...
//		return []*graph.Node{loss, optimizer.Minimize(scope.At("policy"), loss, rate)}
//	})
//
// The learning rate is an input of the step, so a [Schedule], which runs on the host, never makes a graph be built
// again. What an optimizer remembers from step to step stands in the store beside the model, see [Optimizer.Variables].
//
// A method that needs more than the descent of one loss takes its [Gradients] apart: it projects, masks or negates
// them, or adds those of several losses, and hands them to [Optimizer.Apply].
package optim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Optimizer adds a step of training to a graph. Only Rule is required.
//
// Paths that its functions are given are relative to the model's scope: "visual/conv1/weight". Variables that are not
// trainable, such as running statistics, are left alone, and so is, as in PyTorch, what the loss does not depend on.
type Optimizer struct {
	Rule Rule

	// Scope holds what the optimizer remembers; "optimizer" if empty. Two optimizers of one store need two scopes.
	Scope string

	// Select gives the factor on the learning rate of the variable at path. Zero freezes it: its value keeps its bits
	// and its gradient is not computed. Nil is one for every variable.
	Select func(path string) float64

	// NoDecay excludes variables from weight decay. Nil excludes none, as in PyTorch; see [NoDecayForVectors].
	NoDecay func(path string, shape shapes.Shape) bool

	// Mask returns which elements of a variable may move, as booleans in the variable's shape, or nil for all of them.
	// The others keep their bits whatever the rule does.
	Mask func(path string, value *graph.Node) *graph.Node

	// ClipNorm bounds the norm of all gradients together, as torch.nn.utils.clip_grad_norm_ does. Zero is no bound.
	ClipNorm float64

	// Accumulate gathers the gradients of so many calls and moves the variables at the last of them, by the mean: the
	// same as one call with all the examples, if the loss is a mean over examples and the calls have equally many. Zero
	// and one move at every call.
	Accumulate int

	// Average is the decay of the exponential moving average that is kept of each variable: average ← Average·average +
	// (1 − Average)·value after each move, from the values before the first. Zero keeps none. See
	// [Optimizer.SwapAverage].
	Average float64
}

// NoDecayForVectors excludes what has fewer than two axes: biases, and the gains and offsets of normalisations.
func NoDecayForVectors(_ string, shape shapes.Shape) bool { return shape.Rank() < 2 }

// Minimize moves the variables below scope against the gradient of loss by the learning rate, a scalar. It returns the
// norm of all gradients together, before clipping, as a float64 scalar.
func (o Optimizer) Minimize(scope *model.Scope, loss, rate *graph.Node) (norm *graph.Node) {
	return o.Apply(scope, Differentiate(scope, loss, o.Select), rate)
}

// Apply is the second half of [Optimizer.Minimize]: it moves the variables below scope against gradients and returns
// their norm. While gradients are accumulated that is the norm of what has been gathered since the last move.
func (o Optimizer) Apply(scope *model.Scope, gradients Gradients, rate *graph.Node) (norm *graph.Node) {
	if len(gradients.Variables) == 0 {
		panic(fmt.Errorf("optim: nothing to move below %s: the loss depends on no trainable variable there that is "+
			"selected", scope.Scope()))
	}
	s := &step{o: o, store: scope.Store(), rate: graph.ConvertDType(rate, dtypes.Float64)}
	gradients = s.accumulate(gradients)
	norm = gradients.Norm()
	if o.ClipNorm != 0 {
		gradients = clip(gradients, norm, o.ClipNorm)
	}
	for i, variable := range gradients.Variables {
		s.move(variable, relative(scope.Scope(), variable), gradients.Nodes[i])
	}
	return norm
}

// Variables lists what the optimizer remembers in store, sorted by path: below its scope, first by kind under PyTorch's
// name ("exp_avg", "momentum_buffer", "step", ...), then by the path of the variable that it belongs to. A step goes on
// bit for bit from a store that has been given the same values at the same paths, before or after the step's graph was
// built.
func (o Optimizer) Variables(store *model.Store) []*model.Variable {
	return sorted(store.Scope(o.scope()))
}

func (o Optimizer) scope() string {
	if name := strings.Trim(o.Scope, "/"); name != "" {
		return "/" + name
	}
	return "/optimizer"
}

func sorted(scope *model.Scope) []*model.Variable {
	variables := slices.Collect(scope.IterVariables())
	slices.SortFunc(variables, func(a, b *model.Variable) int { return strings.Compare(a.Path(), b.Path()) })
	return variables
}

func relative(scope string, variable *model.Variable) string {
	return strings.TrimPrefix(strings.TrimPrefix(variable.Path(), scope), "/")
}

// clip scales gradients so that their norm is at most bound; 1e-6 is PyTorch's guard against a norm of zero.
func clip(gradients Gradients, norm *graph.Node, bound float64) Gradients {
	scale := graph.Min(graph.OnesLike(norm), graph.Div(graph.ConstAs(norm, bound), graph.AddScalar(norm, 1e-6)))
	return gradients.Map(func(_ string, gradient *graph.Node) *graph.Node {
		return graph.Mul(gradient, graph.ConvertDType(scale, gradient.DType()))
	})
}
