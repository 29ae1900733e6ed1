// Package devicetest holds what tests of graphs share: the device under test, a numeric check of gradients, and a watchdog.
package devicetest

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Open opens the device that $UNLEARNLAB_DEVICE names, pure Go where it names none, so that one suite serves every backend.
func Open(t testing.TB) *device.Device {
	t.Helper()
	d, err := device.Open(deviceUnderTest())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Watch fails the test with the stacks of all goroutines when it runs longer than limit.
func Watch(t testing.TB, limit time.Duration) {
	timer := time.AfterFunc(limit, func() {
		stacks := make([]byte, 1<<20)
		panic("the test hangs:\n" + string(stacks[:runtime.Stack(stacks, true)]))
	})
	t.Cleanup(func() { timer.Stop() })
}

// Gradients compares the gradients that the graph of build has by its inputs and by each tensor it makes with central differences, in float64. What build returns is summed
// with fixed random weights, so every output counts. Inputs are drawn from a normal distribution with the given dimensions.
func Gradients(t *testing.T, build device.Build, inputs ...[]int) {
	t.Helper()
	d := Open(t)
	store := model.NewStore()
	nn.SetType(store.RootScope(), dtypes.Float64)
	nn.Seed(store.RootScope(), 1)
	random := seed.Stream(2, "inputs")
	values := make([]*tensors.Tensor, len(inputs))
	symbols := make([]shapes.Shape, len(inputs))
	for i, dimensions := range inputs {
		symbols[i] = shapes.Make(dtypes.Float64, dimensions...)
		flat := make([]float64, symbols[i].Size())
		nn.Normal(1)(flat, random)
		values[i] = tensors.FromFlatDataAndDimensions(flat, dimensions...)
	}
	check(t, d, store, build, symbols, values)
}

func check(t *testing.T, d *device.Device, store *model.Store, build device.Build, symbols []shapes.Shape, values []*tensors.Tensor) {
	t.Helper()
	scalar := func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
		var sum *graph.Node
		for i, output := range build(scope, inputs) {
			weights := make([]float64, output.Shape().Size())
			nn.Normal(1)(weights, seed.Stream(3, "weights", i))
			term := graph.ReduceAllSum(graph.Mul(output, graph.Reshape(graph.Const(output.Graph(), weights), output.Shape().Dimensions...)))
			if sum == nil {
				sum = term
			} else {
				sum = graph.Add(sum, term)
			}
		}
		return sum
	}
	if _, err := d.Trace("trace", store, build, symbols...); err != nil {
		t.Fatal(err)
	}
	var parameters []*model.Variable
	for variable := range store.IterVariables() {
		parameters = append(parameters, variable)
	}
	slices.SortFunc(parameters, func(a, b *model.Variable) int {
		if a.Path() < b.Path() {
			return -1
		}
		return 1
	})
	value, err := d.Compile("value", store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{scalar(scope, inputs)}
	})
	if err != nil {
		t.Fatal(err)
	}
	slopes, err := d.Compile("gradient", store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		loss := scalar(scope, inputs)
		by := slices.Clone(inputs)
		for _, variable := range parameters {
			by = append(by, variable.NodeValue(loss))
		}
		return graph.Gradient(loss, by...)
	})
	if err != nil {
		t.Fatal(err)
	}
	run := func() float64 {
		out, err := value.Run(t.Context(), arguments(values)...)
		if err != nil {
			t.Fatal(err)
		}
		return out[0].Value().(float64)
	}
	analytic, err := slopes.Run(t.Context(), arguments(values)...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range values {
		flat := tensors.MustCopyFlatData[float64](values[i])
		compare(t, symbols[i].String(), analytic[i], flat, func(changed []float64) float64 {
			before := values[i]
			values[i] = tensors.FromFlatDataAndDimensions(slices.Clone(changed), symbols[i].Dimensions...)
			defer func() { values[i] = before }()
			return run()
		})
	}
	for i, variable := range parameters {
		flat := tensors.MustCopyFlatData[float64](variable.MustValue())
		set := func(values []float64) {
			variable.MustSetValue(tensors.FromFlatDataAndDimensions(slices.Clone(values), variable.Shape().Dimensions...))
		}
		compare(t, variable.Path(), analytic[len(values)+i], flat, func(changed []float64) float64 { set(changed); return run() })
		set(flat)
	}
}

// compare checks the slopes at up to eight places of a tensor.
func compare(t *testing.T, name string, analytic *tensors.Tensor, flat []float64, at func([]float64) float64) {
	t.Helper()
	const step = 1e-5
	got := tensors.MustCopyFlatData[float64](analytic)
	scale := 1e-3
	for _, slope := range got {
		scale = max(scale, math.Abs(slope))
	}
	for _, place := range seed.Stream(4, name).Perm(len(flat))[:min(8, len(flat))] {
		changed := slices.Clone(flat)
		changed[place] += step
		up := at(changed)
		changed[place] = flat[place] - step
		want := (up - at(changed)) / (2 * step)
		if math.Abs(got[place]-want) > 1e-6*scale+1e-7 {
			t.Errorf("the gradient by %s[%d] is %g, differences say %g", name, place, got[place], want)
		}
	}
}

func arguments(values []*tensors.Tensor) []any {
	arguments := make([]any, len(values))
	for i, value := range values {
		arguments[i] = value
	}
	return arguments
}
