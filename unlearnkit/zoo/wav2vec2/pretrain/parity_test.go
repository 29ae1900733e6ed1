package pretrain_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// fixture is a model made by PyTorch, with the values computed by PyTorch.
type fixture struct {
	config    wav2vec2.Config
	text      []byte // config.json
	device    *device.Device
	store     *model.Store
	reference paritytest.Reference
	dtype     dtypes.DType
}

// loss is an objective for the inputs in a fixture.
type loss func(scope *model.Scope, inputs []*graph.Node) []*graph.Node

// each runs a test with the model in a folder, in float32 and in float64. build returns the loss and its inputs.
func each(t *testing.T, folder string, build func(f fixture) (loss, []any),
	test func(*testing.T, fixture, loss, []any)) {
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		t.Run(fmt.Sprintf("%s in %s", folder, dtype), func(t *testing.T) {
			f := open(t, folder, dtype)
			of, inputs := build(f)
			f.load(t, folder, of, inputs)
			test(t, f, of, inputs)
		})
	}
}

func open(t *testing.T, folder string, dtype dtypes.DType) fixture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", folder, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	config, err := wav2vec2.ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{config, text, devicetest.Open(t), model.NewStore(),
		paritytest.Open(t, filepath.Join("testdata", folder, "expected.safetensors")), dtype}
	nn.SetType(f.store.RootScope(), dtype)
	return f
}

// load reads all tensors in the file. It fails the test if the loss does not use one of them.
func (f fixture) load(t *testing.T, folder string, of loss, inputs []any) {
	t.Helper()
	var given []shapes.Shape
	for _, input := range inputs {
		given = append(given, input.(*tensors.Tensor).Shape())
	}
	if _, err := f.device.Trace("trace", f.store, device.Build(of), given...); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.Open(filepath.Join("testdata", folder, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	names := f.config.Names()
	names.Ignore = nil
	if _, err := hf.Load(f.store.RootScope(), file, names); err != nil {
		t.Fatal(err)
	}
}

// tolerance returns single for float32, and 1e-6 for float64, because the fixture has the expected values in float32.
func (f fixture) tolerance(single float64) float64 {
	if f.dtype == dtypes.Float32 {
		return single
	}
	return 1e-6
}

// compare computes a loss and its gradients. It compares the loss's outputs with the named arrays, and the gradients
// with the arrays named "gradient.…".
func (f fixture) compare(t *testing.T, of loss, inputs []any, names ...string) {
	t.Helper()
	var by []string
	outputs := paritytest.Compute(t, f.device, f.store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		values := of(scope, x)
		gradients := optim.Differentiate(scope, values[0], nil)
		by = nil
		for _, variable := range gradients.Variables {
			by = append(by, strings.ReplaceAll(variable.Path()[1:], "/", "."))
		}
		return append(values, gradients.Nodes...)
	}, inputs...)
	for i, name := range names {
		f.reference.Compare(name, outputs[i], f.tolerance(1e-4), 0)
	}
	if want := f.reference.Below("gradient."); len(by) != len(want) {
		t.Errorf("the loss has gradients by %d tensors, the original's by %d: %v and %v", len(by), len(want), by, want)
	}
	// The bias of the keys has no effect on the softmax, so its gradient consists of rounding errors. Therefore, it is
	// compared relative to the largest gradient.
	floor := 1e-4 * f.reference.Largest("gradient.")
	for i, name := range by {
		f.reference.Compare("gradient."+name, outputs[len(names)+i], f.tolerance(1e-3), floor)
	}
}

// sound returns the fixture's samples and, if padded is set, the mask of their padding.
func (f fixture) sound(padded bool) []any {
	inputs := []any{f.reference.Tensor("input_values", f.dtype)}
	if padded {
		inputs = append(inputs, f.reference.Tensor("attention_mask", dtypes.Int32))
	}
	return inputs
}

func input(x []*graph.Node, padded bool) (in wav2vec2.Input, rest []*graph.Node) {
	in.Values, rest = x[0], x[1:]
	if padded {
		in.Mask, rest = rest[0], rest[1:]
	}
	return in, rest
}
