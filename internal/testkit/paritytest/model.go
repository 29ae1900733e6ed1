package paritytest

import (
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Config is the interface shared by the configurations of all families.
type Config interface {
	Names() hf.Names
	Trace(d *device.Device, store *model.Store) error
}

// Load returns a store with the model in a folder. The test fails if loading warns.
func Load(t testing.TB, d *device.Device, dir string, config Config) *model.Store {
	t.Helper()
	folder, err := hf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Tensors.Close()
	store := model.NewStore()
	if err := config.Trace(d, store); err != nil {
		t.Fatal(err)
	}
	report, err := hf.Load(store.RootScope(), folder.Tensors, config.Names())
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Warnings) > 0 {
		t.Error(report.Warnings)
	}
	return store
}

// Loss computes the loss of a model whose variables are below scope.
type Loss func(scope *model.Scope, inputs []*graph.Node) *graph.Node

// Compute runs a graph once.
func Compute(t testing.TB, d *device.Device, store *model.Store, build device.Build, inputs ...any) []*tensors.Tensor {
	t.Helper()
	program, err := d.Compile(t.Name(), store, build)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	outputs, err := program.Run(t.Context(), inputs...)
	if err != nil {
		t.Fatal(err)
	}
	return outputs
}

// Gradients compares the gradient of loss by every tensor of the model with the fixture's arrays, which are named
// "gradient." plus the tensor's name in the model's file. Gradients that are only rounding errors, such as those of key
// biases, are compared relative to a thousandth of the largest.
func (r Reference) Gradients(d *device.Device, store *model.Store, config Config, loss Loss, tolerance float64,
	inputs ...any) {
	r.t.Helper()
	var variables []*model.Variable
	for variable := range store.IterVariables() {
		variables = append(variables, variable)
	}
	gradients := Compute(r.t, d, store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		value := loss(scope, inputs)
		by := make([]*graph.Node, len(variables))
		for i, variable := range variables {
			by[i] = variable.NodeValue(value)
		}
		return graph.Gradient(value, by...)
	}, inputs...)
	wanted := r.like(d, config, "gradient.")
	largest := r.Largest("gradient.")
	for i, variable := range variables {
		compare(r.t, "the gradient by "+variable.Path(), Values(gradients[i]), wanted[variable.Path()], tolerance,
			1e-3*largest)
	}
}

// Training trains one step for each loss in the fixture's array "losses" and compares the losses. Then it compares each
// weight with the array named "after." plus the tensor's name in the model's file.
func (r Reference) Training(d *device.Device, store *model.Store, config Config, loss Loss, optimizer optim.Optimizer,
	rate, tolerance float64, inputs ...any) {
	r.t.Helper()
	program, err := d.Compile("train", store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		value := loss(scope, inputs)
		optimizer.Minimize(scope, value, graph.Const(value.Graph(), rate))
		return []*graph.Node{value}
	})
	if err != nil {
		r.t.Fatal(err)
	}
	defer program.Close()
	want := r.Floats("losses")
	losses := make([]float64, len(want))
	for step := range losses {
		outputs, err := program.Run(r.t.Context(), inputs...)
		if err != nil {
			r.t.Fatal(err)
		}
		losses[step] = Values(outputs[0])[0]
	}
	compare(r.t, "the losses", losses, want, tolerance, 0)
	for path, values := range r.like(d, config, "after.") {
		compare(r.t, path+" after the steps", Values(store.GetVariable(path).MustValue()), values, tolerance, 0)
	}
}

// like returns the arrays whose names are prefix plus a tensor's name in the model's file. The result is keyed by
// variable path, and the values are in the model's layout.
func (r Reference) like(d *device.Device, config Config, prefix string) map[string][]float64 {
	r.t.Helper()
	store := model.NewStore()
	if err := config.Trace(d, store); err != nil {
		r.t.Fatal(err)
	}
	names := config.Names()
	names.Prefixes, names.Ignore = []string{prefix}, []string{"*"}
	report, err := hf.Load(store.RootScope(), r.file, names)
	if err != nil {
		r.t.Fatal(err)
	}
	if !strings.HasPrefix(report.Prefix, prefix) {
		r.t.Fatalf("the fixture has no arrays called %s…", prefix)
	}
	arranged := map[string][]float64{}
	for variable := range store.IterVariables() {
		arranged[variable.Path()] = Values(variable.MustValue())
	}
	return arranged
}
