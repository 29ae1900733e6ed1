package diffusion_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// family is implemented by UNetConfig and VAEConfig.
type family interface {
	Trace(*device.Device, *model.Store) error
	Names() hf.Names
	Run(*device.Device, *model.Store, map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error)
}

// fixture is a model made by diffusers, with its results, as written by testdata/gen_models.py.
type fixture struct {
	*testing.T
	device    *device.Device
	store     *model.Store
	reference paritytest.Reference
	dtype     dtypes.DType
}

// inBothPrecisions runs a test in float32 with the test's own tolerances, and in float64 with a tolerance for the
// rounding of the fixture.
func inBothPrecisions(t *testing.T, name string, test func(f fixture, tolerance func(single float64) float64)) {
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		t.Run(fmt.Sprintf("%s in %s", name, dtype), func(t *testing.T) {
			test(newFixture(t, filepath.Join("testdata", name, "reference.safetensors"), dtype),
				func(single float64) float64 {
					if dtype == dtypes.Float64 {
						return 2e-6
					}
					return single
				})
		})
	}
}

// skipSlow skips training in float64 unless the slow tests run.
func (f fixture) skipSlow() {
	if f.dtype == dtypes.Float64 && os.Getenv("UNLEARNLAB_SLOW") == "" {
		f.Skip("set UNLEARNLAB_SLOW=1 to train in float64 too")
	}
}

func newFixture(t *testing.T, reference string, dtype dtypes.DType) fixture {
	f := fixture{t, devicetest.Open(t), model.NewStore(), paritytest.Open(t, reference), dtype}
	nn.SetType(f.store.RootScope(), dtype)
	return f
}

// load reads a model from a folder in testdata into the fixture's store. parse parses its configuration.
func load[C family](f fixture, name string, parse func([]byte) (C, error)) C {
	f.Helper()
	folder, err := hf.Open(filepath.Join("testdata", name))
	if err != nil {
		f.Fatal(err)
	}
	defer folder.Tensors.Close()
	config, err := parse(folder.Config)
	if err != nil {
		f.Fatal(err)
	}
	nn.SetType(f.store.RootScope(), f.dtype)
	if err := config.Trace(f.device, f.store); err != nil {
		f.Fatal(err)
	}
	if _, err := hf.Load(f.store.RootScope(), folder.Tensors, config.Names()); err != nil {
		f.Fatal(err)
	}
	return config
}

func (f fixture) run(build device.Build, inputs ...any) []*tensors.Tensor {
	f.Helper()
	return paritytest.Compute(f, f.device, f.store, build, inputs...)
}

// floats returns arrays of the reference as model inputs.
func (f fixture) floats(names ...string) []any {
	f.Helper()
	var inputs []any
	for _, name := range names {
		inputs = append(inputs, f.reference.Tensor(name, f.dtype))
	}
	return inputs
}

// compareLearning compares with the reference: the loss, its gradients with respect to all tensors, the losses in ten
// steps of AdamW and, if trained is set, the tensors after these steps.
func (f fixture) compareLearning(loss func(*model.Scope, []*graph.Node) *graph.Node, tolerance float64, trained bool,
	inputs ...any) {
	f.Helper()
	optimizer := optim.Optimizer{Rule: optim.AdamW{Beta2: .99, Epsilon: 1e-3, WeightDecay: .05}}
	var names []string
	step, err := f.device.Compile(f.Name(), f.store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
		value := loss(scope, in)
		gradients := optim.Differentiate(scope, value, nil)
		names = nil
		for _, variable := range gradients.Variables {
			names = append(names, dotted(variable))
		}
		optimizer.Apply(scope, gradients, graph.Const(value.Graph(), 2e-3))
		return append([]*graph.Node{value}, gradients.Nodes...)
	})
	if err != nil {
		f.Fatal(err)
	}
	defer step.Close()
	var losses []float64
	for k := range 10 {
		outputs, err := step.Run(f.Context(), inputs...)
		if err != nil {
			f.Fatal(err)
		}
		losses = append(losses, paritytest.Values(outputs[0])...)
		if k == 0 {
			f.compareGradients(names, outputs[1:], tolerance)
		}
	}
	f.reference.Compare("loss", tensors.FromFlatDataAndDimensions(losses[:1], 1), tolerance, 0)
	f.reference.Compare("losses", tensors.FromFlatDataAndDimensions(losses, len(losses)), tolerance, 0)
	if !trained {
		return
	}
	after := map[string]*tensors.Tensor{}
	for variable := range f.store.IterVariables() {
		after[dotted(variable)] = variable.MustValue()
	}
	for _, name := range f.reference.Below("trained.") {
		f.reference.Compare("trained."+name, after[name], 1e-3, 0) // the fixture has these tensors in half precision
	}
}

func (f fixture) compareGradients(names []string, gradients []*tensors.Tensor, tolerance float64) {
	f.Helper()
	if want := f.reference.Below("gradient."); len(names) != len(want) {
		f.Errorf("the loss has gradients by %d tensors, the original's by %d", len(names), len(want))
	}
	// In a VAE's attention, the keys have a bias. It has no effect on the softmax, so its gradient consists of rounding
	// errors. Therefore, small differences are ignored.
	floor := 1e-4 * f.reference.Largest("gradient.")
	for i, name := range names {
		f.reference.Compare("gradient."+name, gradients[i], tolerance, floor)
	}
}

// dotted returns a variable's name as in diffusers.
func dotted(variable *model.Variable) string {
	return strings.ReplaceAll(strings.TrimPrefix(variable.Path(), "/"), "/", ".")
}

// relative returns the maximum difference between two lists, relative to the maximum absolute value in the second.
func relative(a, b []float64) float64 {
	var largest, scale float64
	for i := range a {
		largest, scale = max(largest, math.Abs(a[i]-b[i])), max(scale, math.Abs(b[i]))
	}
	return largest / scale
}
