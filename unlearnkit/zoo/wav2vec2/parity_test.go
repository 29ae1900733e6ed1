package wav2vec2_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
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

// fixture is a model made by transformers, with the values computed by transformers.
type fixture struct {
	config    wav2vec2.Config
	device    *device.Device
	store     *model.Store
	reference paritytest.Reference
	dtype     dtypes.DType
}

// each runs a test with all fixtures, in float32 and in float64.
func each(t *testing.T, test func(t *testing.T, f fixture)) {
	for _, name := range []string{"base", "stable", "hubert"} {
		for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
			t.Run(fmt.Sprintf("%s in %s", name, dtype), func(t *testing.T) { test(t, open(t, name, dtype)) })
		}
	}
}

func open(t *testing.T, name string, dtype dtypes.DType) fixture {
	t.Helper()
	dir := filepath.Join("testdata", name)
	content, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	config, err := wav2vec2.ParseConfig(content)
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{config, devicetest.Open(t), model.NewStore(),
		paritytest.Open(t, filepath.Join(dir, "expected.safetensors")), dtype}
	nn.SetType(f.store.RootScope(), dtype)
	if err := config.Trace(f.device, f.store); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.Open(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := hf.Load(f.store.RootScope(), file, config.Names()); err != nil {
		t.Fatal(err)
	}
	return f
}

// tolerance returns single for float32, and 1e-6 for float64, because the fixture has the expected values in float32.
func (f fixture) tolerance(single float64) float64 {
	if f.dtype == dtypes.Float32 {
		return single
	}
	return 1e-6
}

func (f fixture) run(t *testing.T, build device.Build, inputs ...any) []*tensors.Tensor {
	t.Helper()
	return paritytest.Compute(t, f.device, f.store, build, inputs...)
}

// batch returns the fixture's values, mask, labels and masked frames, for loss.
func (f fixture) batch() []any {
	return []any{
		f.reference.Tensor("input_values", f.dtype), f.reference.Tensor("attention_mask", dtypes.Int32),
		f.reference.Tensor("labels", dtypes.Int32), f.reference.Tensor("time", dtypes.Bool),
	}
}

func (f fixture) loss(scope *model.Scope, batch []*graph.Node) *graph.Node {
	in := wav2vec2.Input{Values: batch[0], Mask: batch[1], Noise: wav2vec2.Noise{"mask_time_indices": batch[3]}}
	logs := graph.LogSoftmax(wav2vec2.Forward(scope, f.config, in).Logits, -1)
	return graph.Neg(graph.ReduceAllMean(graph.ReduceSum(graph.Mul(logs,
		graph.OneHot(batch[2], f.config.NumLabels, logs.DType())), 1)))
}

func TestOutputs_EqualTransformers(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		outputs := f.run(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			plain := wav2vec2.Forward(scope, f.config, wav2vec2.Input{Values: x[0]})
			masked := wav2vec2.Forward(scope, f.config, wav2vec2.Input{Values: x[0], Mask: x[1]})
			return append([]*graph.Node{plain.Logits, masked.Logits, masked.Hidden}, masked.States...)
		}, f.batch()[:2]...)
		names := []string{"logits", "masked.logits", "masked.last_hidden_state"}
		for i := range f.reference.Below("masked.hidden_states.") {
			names = append(names, fmt.Sprintf("masked.hidden_states.%d", i))
		}
		if len(outputs) != len(names) {
			t.Fatalf("the model has %d outputs, the original's %d", len(outputs), len(names))
		}
		for i, name := range names {
			f.reference.Compare(name, outputs[i], f.tolerance(1e-4), 0)
		}
	})
}

func TestGradients_EqualTransformers(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		var names []string
		outputs := f.run(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			loss := f.loss(scope, x)
			gradients := optim.Differentiate(scope, loss, nil)
			names = nil
			for _, variable := range gradients.Variables {
				names = append(names, dotted(variable))
			}
			return append([]*graph.Node{loss}, gradients.Nodes...)
		}, f.batch()...)
		f.reference.Compare("loss", outputs[0], f.tolerance(1e-4), 0)
		if want := f.reference.Below("gradient."); len(names) != len(want) {
			t.Errorf("the loss has gradients by %d tensors, the original's by %d", len(names), len(want))
		}
		// The bias of the keys has no effect on the softmax, so its gradient consists of rounding errors. Therefore, it
		// is compared relative to the largest gradient.
		floor := 1e-4 * f.reference.Largest("gradient.")
		for i, name := range names {
			f.reference.Compare("gradient."+name, outputs[i+1], f.tolerance(1e-3), floor)
		}
	})
}

func TestTenSteps_EqualTorch(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		devicetest.Watch(t, 10*time.Minute)
		optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}}
		step, err := f.device.Compile("train", f.store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			loss := f.loss(scope, x)
			optimizer.Minimize(scope, loss, graph.Const(loss.Graph(), 1e-3))
			return []*graph.Node{loss}
		})
		if err != nil {
			t.Fatal(err)
		}
		var losses []float64
		for range 10 {
			outputs, err := step.Run(t.Context(), f.batch()...)
			if err != nil {
				t.Fatal(err)
			}
			losses = append(losses, paritytest.Values(outputs[0])...)
		}
		f.reference.Compare("losses", tensors.FromFlatDataAndDimensions(losses, len(losses)), f.tolerance(1e-3), 0)
		for _, name := range f.reference.Below("trained.") {
			if f.dtype == dtypes.Float32 && strings.HasSuffix(name, "k_proj.bias") {
				continue // the gradient is only rounding errors, which AdamW scales up like any gradient
			}
			f.reference.Compare("trained."+name, f.tensor(t, name), f.tolerance(1e-3), 0)
		}
	})
}

func (f fixture) tensor(t *testing.T, name string) *tensors.Tensor {
	t.Helper()
	for variable := range f.store.IterVariables() {
		if dotted(variable) == name {
			return variable.MustValue()
		}
	}
	t.Fatalf("the model has no tensor %s", name)
	return nil
}

// dotted returns a variable's name as in transformers.
func dotted(variable *model.Variable) string {
	name := []byte(variable.Path()[1:])
	for i := range name {
		if name[i] == '/' {
			name[i] = '.'
		}
	}
	return string(name)
}
