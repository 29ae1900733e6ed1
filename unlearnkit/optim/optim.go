// Package optim trains a model's variables along the gradients of a loss, by PyTorch's rules: SGD, Adam and AdamW with
// its order of operations, its epsilon and its bias correction.
//
//	optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}, ClipNorm: 1, NoDecay: optim.NoDecayForVectors}
//	step, err := d.Compile("train", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
//		loss := ...
//		return []*graph.Node{loss, optimizer.Minimize(scope.At("policy"), loss, rate)}
//	})
//
// The learning rate is an input of the step, so a [Schedule], which runs on the host, never causes a graph to be
// rebuilt. An optimizer's state is stored in the model's store, see [Optimizer.Variables].
//
// A method that needs more than the descent of one loss works on its [Gradients]: it projects, masks or negates them,
// or adds the gradients of several losses, and passes them to [Optimizer.Apply].
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

// Optimizer adds a training step to a graph. Only Rule is required.
//
// Its functions receive paths relative to the model's scope, such as "visual/conv1/weight". Variables that are not
// trainable, such as running statistics, do not change. As in PyTorch, neither do variables on which the loss does not
// depend.
type Optimizer struct {
	Rule Rule

	// Scope is the scope of the optimizer's state in the store; the default is "optimizer". Two optimizers of one store
	// need two scopes.
	Scope string

	// Select returns the factor on the learning rate of the variable at path. Zero freezes the variable: its bits do
	// not change and its gradient is not computed. A nil Select means one for every variable.
	Select func(path string) float64

	// NoDecay excludes variables from weight decay. Nil excludes none, as in PyTorch; see [NoDecayForVectors].
	NoDecay func(path string, shape shapes.Shape) bool

	// Mask returns which elements of a variable may change, as booleans in the variable's shape, or nil for all
	// elements. The other elements keep their bits under every rule.
	Mask func(path string, value *graph.Node) *graph.Node

	// ClipNorm bounds the norm of all gradients together, like torch.nn.utils.clip_grad_norm_. Zero means no bound.
	ClipNorm float64

	// Accumulate is the number of calls whose gradients are averaged before the variables change, at the last of the
	// calls. This equals one call with all the examples if the loss is a mean and all calls have equally many examples.
	// With zero or one, variables change at every call.
	Accumulate int

	// Average is the decay of the exponential moving average of each variable: average ← Average·average + (1 −
	// Average)·value after each step, starting from the initial values. Zero disables averaging. See
	// [Optimizer.SwapAverage].
	Average float64
}

// NoDecayForVectors excludes variables with fewer than two axes: biases, and the gains and offsets of normalisations.
func NoDecayForVectors(_ string, shape shapes.Shape) bool { return shape.Rank() < 2 }

// Minimize moves the variables below scope against the gradient of loss by the learning rate, a scalar. It returns the
// norm of all gradients together, before clipping, as a float64 scalar.
func (o Optimizer) Minimize(scope *model.Scope, loss, rate *graph.Node) (norm *graph.Node) {
	return o.Apply(scope, Differentiate(scope, loss, o.Select), rate)
}

// Apply, the second half of [Optimizer.Minimize], moves the variables below scope against gradients and returns their
// norm. With Accumulate, it returns the norm of the gradients accumulated since the last update.
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
		s.move(variable, relativePath(scope.Scope(), variable), gradients.Nodes[i])
	}
	return norm
}

// Variables returns the optimizer's state in store, sorted by path. A path begins with the optimizer's scope and
// PyTorch's name of the state ("exp_avg", "momentum_buffer", "step", ...), followed by the path of the variable.
// Training continues bit for bit if a store is given the same values at the same paths, before or after the step's
// graph was built.
func (o Optimizer) Variables(store *model.Store) []*model.Variable {
	return sortedVariables(store.Scope(o.scope()))
}

func (o Optimizer) scope() string {
	if name := strings.Trim(o.Scope, "/"); name != "" {
		return "/" + name
	}
	return "/optimizer"
}

func sortedVariables(scope *model.Scope) []*model.Variable {
	variables := slices.Collect(scope.IterVariables())
	slices.SortFunc(variables, func(a, b *model.Variable) int { return strings.Compare(a.Path(), b.Path()) })
	return variables
}

func relativePath(scope string, variable *model.Variable) string {
	return strings.TrimPrefix(strings.TrimPrefix(variable.Path(), scope), "/")
}

// clip scales gradients so that their norm is at most bound; 1e-6 is PyTorch's guard against a norm of zero.
func clip(gradients Gradients, norm *graph.Node, bound float64) Gradients {
	scale := graph.Min(graph.OnesLike(norm), graph.Div(graph.ConstAs(norm, bound), graph.AddScalar(norm, 1e-6)))
	return gradients.Map(func(_ string, gradient *graph.Node) *graph.Node {
		return graph.Mul(gradient, graph.ConvertDType(scale, gradient.DType()))
	})
}
