package nn_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// array is a tensor as testdata/gen_layers.py writes it.
type array struct {
	Shape  []int
	Values []float64
}

func (a array) tensor(t dtypes.DType) *tensors.Tensor {
	if t == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(a.Values, a.Shape...)
	}
	return tensors.FromFlatDataAndDimensions(single(a.Values), a.Shape...)
}

func single(values []float64) []float32 {
	rounded := make([]float32, len(values))
	for i, value := range values {
		rounded[i] = float32(value)
	}
	return rounded
}

// equals compares a tensor, relative to the largest value.
func (a array) equals(t *testing.T, name string, got *tensors.Tensor, tolerance float64) {
	t.Helper()
	if fmt.Sprint(got.Shape().Dimensions) != fmt.Sprint(a.Shape) {
		t.Errorf("%s has the shape %v, PyTorch's %v", name, got.Shape().Dimensions, a.Shape)
		return
	}
	scale := 0.0
	for _, value := range a.Values {
		scale = max(scale, math.Abs(value))
	}
	for i, value := range float64s(got) {
		if !(math.Abs(value-a.Values[i]) <= tolerance*scale) {
			t.Errorf("%s[%d] is %.12g, PyTorch's is %.12g", name, i, value, a.Values[i])
			return
		}
	}
}

func float64s(t *tensors.Tensor) []float64 {
	if t.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](t)
	}
	values := make([]float64, 0, t.Shape().Size())
	for _, value := range tensors.MustCopyFlatData[float32](t) {
		values = append(values, float64(value))
	}
	return values
}

// example is one layer's computation by PyTorch, with the gradients of the sum of the output times the weights.
type example struct {
	Name               string
	Inputs             []array
	Parameters         map[string]array
	Weights, Output    array
	InputGradients     []array
	ParameterGradients map[string]array
}

type fixture struct {
	BatchNorm struct {
		Before, After   map[string]array
		Inputs, Outputs []array
		Evaluated       array
	}
	Cases []example
}

func pytorch(t *testing.T) fixture {
	t.Helper()
	content, err := os.ReadFile("testdata/layers.json")
	if err != nil {
		t.Fatal(err)
	}
	var f fixture
	if err := json.Unmarshal(content, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// types maps each number type to the tolerance of its comparisons.
var types = map[dtypes.DType]float64{dtypes.Float64: 1e-10, dtypes.Float32: 1e-5}

func fill(t *testing.T, store *model.Store, scope string, values map[string]array, kind dtypes.DType) {
	t.Helper()
	nn.SetType(store.RootScope(), kind)
	for name, value := range values {
		if _, err := store.CreateVariable(scope+"/"+strings.ReplaceAll(name, ".", "/"),
			value.tensor(kind)); err != nil {
			t.Fatal(err)
		}
	}
}

// Layers and their gradients equal PyTorch's.
func TestLayers_EqualPyTorch(t *testing.T) {
	examples := map[string]example{}
	for _, e := range pytorch(t).Cases {
		examples[e.Name] = e
	}
	if len(examples) != len(layers) {
		t.Errorf("PyTorch computed %d layers, there are %d", len(examples), len(layers))
	}
	for _, l := range layers {
		for kind, tolerance := range types {
			t.Run(l.name+" in "+kind.String(), func(t *testing.T) {
				e, ok := examples[l.name]
				if !ok {
					t.Fatal("PyTorch has not computed this layer")
				}
				e.check(t, l, kind, tolerance)
			})
		}
	}
}

func (e example) check(t *testing.T, l layer, kind dtypes.DType, tolerance float64) {
	d := devicetest.Open(t)
	store := model.NewStore()
	fill(t, store, "/layer", e.Parameters, kind)
	var names []string
	for name := range e.ParameterGradients {
		names = append(names, name)
	}
	program, err := d.Compile("layer", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		y := l.build(scope.At("layer"), x[1:])
		by := append([]*graph.Node{}, x[1:]...)
		for _, name := range names {
			by = append(by, store.GetVariable("/layer/"+strings.ReplaceAll(name, ".", "/")).NodeValue(y))
		}
		return append(graph.Gradient(graph.ReduceAllSum(graph.Mul(y, x[0])), by...), y)
	})
	if err != nil {
		t.Fatal(err)
	}
	inputs := []any{e.Weights.tensor(kind)}
	for _, input := range e.Inputs {
		inputs = append(inputs, input.tensor(kind))
	}
	got, err := program.Run(t.Context(), inputs...)
	if err != nil {
		t.Fatal(err)
	}
	e.Output.equals(t, "the output", got[len(got)-1], tolerance)
	for i, gradient := range e.InputGradients {
		gradient.equals(t, fmt.Sprintf("the gradient by input %d", i), got[i], tolerance)
	}
	for i, name := range names {
		e.ParameterGradients[name].equals(t, "the gradient by "+name, got[len(e.Inputs)+i], tolerance)
	}
	if store.NumVariables() != len(e.Parameters) {
		t.Errorf("the layer has %d tensors, PyTorch's %d", store.NumVariables(), len(e.Parameters))
	}
}

func TestBatchNorm_Statistics(t *testing.T) {
	steps := pytorch(t).BatchNorm
	d := devicetest.Open(t)
	for kind, tolerance := range types {
		store := model.NewStore()
		fill(t, store, "/norm", steps.Before, kind)
		run := func(x array, c nn.BatchNormConfig) *tensors.Tensor {
			c.Epsilon, c.Momentum = 1e-3, 0.3
			program, err := d.Compile("norm", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
				return []*graph.Node{nn.BatchNorm(scope.At("norm"), x[0], c)}
			})
			if err != nil {
				t.Fatal(err)
			}
			out, err := program.Run(t.Context(), x.tensor(kind))
			if err != nil {
				t.Fatal(err)
			}
			return out[0]
		}
		for i, x := range steps.Inputs {
			steps.Outputs[i].equals(t, fmt.Sprintf("the output of frozen step %d", i),
				run(x, nn.BatchNormConfig{Training: true, FreezeStatistics: true}), tolerance)
			steps.Outputs[i].equals(t, fmt.Sprintf("the output of step %d", i),
				run(x, nn.BatchNormConfig{Training: true}), tolerance)
		}
		for name, want := range steps.After {
			want.equals(t, name, store.GetVariable("/norm/"+name).MustValue(), tolerance)
		}
		steps.Evaluated.equals(t, "the output in evaluation", run(steps.Inputs[2], nn.BatchNormConfig{}), tolerance)
	}
}
