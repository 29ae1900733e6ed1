// Package nn holds the layers that the model families are built from: layers that GoMLX lacks or computes wrongly, and
// thin ones whose tensors need PyTorch's names and layouts.
//
// A layer is a function of a scope and its input. Its tensors are stored in the scope under PyTorch's names and in
// PyTorch's layouts: a linear layer's weight is [out, in], a convolution's [out, in/groups, kernel...]. So the tensor
// "visual.conv1.weight" of a published model is the variable "visual/conv1/weight" below the model's scope, and its
// bytes are loaded unchanged. Activations have their channels last.
//
// The same function under two scopes builds two models. Calling a layer twice under one scope shares its tensors.
package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

const (
	seedParam = "unlearnkit_seed"
	typeParam = "unlearnkit_type"
)

// Init fills the first values of a tensor.
type Init func(values []float64, random *rand.Rand)

// Normal returns an initialiser that draws from a normal distribution around zero.
func Normal(deviation float64) Init {
	return func(values []float64, random *rand.Rand) {
		for i := range values {
			values[i] = deviation * random.NormFloat64()
		}
	}
}

// Uniform returns an initialiser that draws between -bound and bound.
func Uniform(bound float64) Init {
	return func(values []float64, random *rand.Rand) {
		for i := range values {
			values[i] = bound * (2*random.Float64() - 1)
		}
	}
}

// Constant returns an initialiser that sets every value.
func Constant(value float64) Init {
	return func(values []float64, _ *rand.Rand) {
		for i := range values {
			values[i] = value
		}
	}
}

// Fan returns the initialiser with the bound 1/sqrt(inputs), from which PyTorch draws the weights and biases of linear
// layers and convolutions.
func Fan(inputs int) Init { return Uniform(1 / math.Sqrt(float64(inputs))) }

type seeding struct {
	scope string
	seed  uint64
}

// Seed sets the seed from which tensors below scope are drawn if they have no value when a graph first uses them. Each
// tensor has a random stream named by its path relative to scope. So values depend neither on order nor on the device,
// and two models with one seed start equal under different scopes.
func Seed(scope *model.Scope, root uint64) {
	scope.SetParam(seedParam, seeding{scope.Scope(), root})
}

// SetType sets the floating-point type of the tensors below scope. The default is float32.
func SetType(scope *model.Scope, t dtypes.DType) { scope.SetParam(typeParam, t) }

// Type returns the floating-point type of the tensors below scope.
func Type(scope *model.Scope) dtypes.DType { return model.GetParamOr(scope, typeParam, dtypes.Float32) }

// Parameter returns the tensor called name in scope. It creates a missing tensor: with the values of init if scope is
// seeded (see [Seed]), otherwise with only a shape, which is enough for [device.Device.Trace]. It panics if the tensor
// has another shape.
func Parameter(scope *model.Scope, g graph.GraphProvider, name string, init Init, dimensions ...int) *graph.Node {
	return variable(scope, name, init, dimensions...).NodeValue(g)
}

func variable(scope *model.Scope, name string, init Init, dimensions ...int) *model.Variable {
	path := model.JoinPath(scope.Scope(), name)
	shape := shapes.Make(Type(scope), dimensions...)
	variable := scope.Store().VariableWithShape(path, shape, missingValue(path))
	if s, seeded := scope.GetParam(seedParam); seeded && !variable.HasValue() {
		if err := variable.SetValue(draw(path, s.(seeding), shape, init)); err != nil {
			panic(fmt.Errorf("seed the model's tensor %s: %w", path, err))
		}
	}
	return variable
}

// missingValue returns an initialiser that panics, for tensors that must have been loaded or seeded.
func missingValue(path string) model.VariableInitializer {
	return func(*graph.Graph, shapes.Shape) *graph.Node {
		panic(fmt.Errorf("the model's tensor %s has no values: load them, or seed the model", path))
	}
}

func draw(path string, s seeding, shape shapes.Shape, init Init) *tensors.Tensor {
	values := make([]float64, shape.Size())
	init(values, seed.Stream(s.seed, "parameter", strings.TrimPrefix(strings.TrimPrefix(path, s.scope), "/")))
	if shape.DType == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(values, shape.Dimensions...)
	}
	single := make([]float32, len(values))
	for i, value := range values {
		single[i] = float32(value)
	}
	return tensors.FromFlatDataAndDimensions(single, shape.Dimensions...)
}
