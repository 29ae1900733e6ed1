package devicetest

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Gradients compares the gradients of a graph with central differences in float64, for its inputs and for each tensor
// that it creates. It sums the outputs with fixed random weights, so that all of them count. Inputs have the given
// dimensions and normally distributed values.
func Gradients(t testing.TB, build device.Build, inputs ...[]int) {
	t.Helper()
	c := checker{t: t, d: Open(t), store: model.NewStore(), build: build}
	nn.SetType(c.store.RootScope(), dtypes.Float64)
	nn.Seed(c.store.RootScope(), 1)
	random := seed.Stream(2, "inputs")
	for _, dimensions := range inputs {
		shape := shapes.Make(dtypes.Float64, dimensions...)
		values := make([]float64, shape.Size())
		nn.Normal(1)(values, random)
		c.shapes, c.inputs = append(c.shapes, shape),
			append(c.inputs, tensors.FromFlatDataAndDimensions(values, dimensions...))
	}
	c.check()
}

// A checker compares the gradients of one graph.
type checker struct {
	t      testing.TB
	d      *device.Device
	store  *model.Store
	build  device.Build
	shapes []shapes.Shape
	inputs []any
}

func (c *checker) check() {
	c.t.Helper()
	if _, err := c.d.Trace("trace", c.store, c.build, c.shapes...); err != nil {
		c.t.Fatal(err)
	}
	parameters := slices.SortedFunc(c.store.IterVariables(), func(a, b *model.Variable) int {
		return cmp.Compare(a.Path(), b.Path())
	})
	value := c.compile("value", func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{c.loss(scope, inputs)}
	})
	defer value.Close()
	slopes := c.compile("gradient", func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		loss := c.loss(scope, inputs)
		by := slices.Clone(inputs)
		for _, variable := range parameters {
			by = append(by, variable.NodeValue(loss))
		}
		return graph.Gradient(loss, by...)
	})
	defer slopes.Close()
	analytic := c.run(slopes)
	for i, shape := range c.shapes {
		original := c.inputs[i].(*tensors.Tensor)
		c.compare(value, shape.String(), analytic[i], tensors.MustCopyFlatData[float64](original),
			func(changed []float64) {
				c.inputs[i] = tensors.FromFlatDataAndDimensions(changed, shape.Dimensions...)
			})
	}
	for i, variable := range parameters {
		c.compare(value, variable.Path(), analytic[len(c.shapes)+i],
			tensors.MustCopyFlatData[float64](variable.MustValue()), func(changed []float64) {
				if err := variable.SetValue(tensors.FromFlatDataAndDimensions(changed,
					variable.Shape().Dimensions...)); err != nil {
					c.t.Fatal(err)
				}
			})
	}
}

// loss returns the sum of all outputs with fixed random weights.
func (c *checker) loss(scope *model.Scope, inputs []*graph.Node) *graph.Node {
	var sum *graph.Node
	for i, output := range c.build(scope, inputs) {
		weights := make([]float64, output.Shape().Size())
		nn.Normal(1)(weights, seed.Stream(3, "weights", i))
		term := graph.ReduceAllSum(graph.Mul(output,
			graph.Reshape(graph.Const(output.Graph(), weights), output.Shape().Dimensions...)))
		if sum == nil {
			sum = term
		} else {
			sum = graph.Add(sum, term)
		}
	}
	return sum
}

func (c *checker) compile(stage string, build device.Build) *device.Program {
	c.t.Helper()
	program, err := c.d.Compile(stage, c.store, build)
	if err != nil {
		c.t.Fatal(err)
	}
	return program
}

func (c *checker) run(program *device.Program) []*tensors.Tensor {
	c.t.Helper()
	outputs, err := program.Run(c.t.Context(), c.inputs...)
	if err != nil {
		c.t.Fatal(err)
	}
	return outputs
}

// compare checks the gradient at up to eight elements of a tensor. set changes the tensor's values.
func (c *checker) compare(value *device.Program, name string, analytic *tensors.Tensor, original []float64,
	set func([]float64)) {
	c.t.Helper()
	const step = 1e-5
	got := tensors.MustCopyFlatData[float64](analytic)
	scale := 1e-3
	for _, slope := range got {
		scale = max(scale, math.Abs(slope))
	}
	at := func(place int, change float64) float64 {
		changed := slices.Clone(original)
		changed[place] += change
		set(changed)
		return c.run(value)[0].Value().(float64)
	}
	for _, place := range seed.Stream(4, name).Perm(len(original))[:min(8, len(original))] {
		want := (at(place, step) - at(place, -step)) / (2 * step)
		if !(math.Abs(got[place]-want) <= 1e-6*scale+1e-7) { // > would accept NaN
			c.t.Errorf("the gradient by %s[%d] is %g, want %g from differences", name, place, got[place], want)
		}
	}
	set(slices.Clone(original))
}
