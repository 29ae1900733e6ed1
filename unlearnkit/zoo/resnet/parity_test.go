package resnet_test

import (
	"fmt"
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
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// fixture is a model made of torchvision's modules, with the values computed by torchvision.
type fixture struct {
	config    resnet.Config
	device    *device.Device
	store     *model.Store
	reference paritytest.Reference
	dtype     dtypes.DType
}

var configs = map[string]resnet.Config{
	"narrow": {Blocks: []int{1, 2, 1, 1}, Widths: []int{6, 8, 10, 12}, StemKernel: 7, StemStride: 2, StemPool: true,
		Classes: 4},
	"small": {Blocks: []int{1, 1}, Widths: []int{5, 8}, StemKernel: 3, StemStride: 1, Classes: 3},
}

// each runs a test for both configurations, in float32 and in float64.
func each(t *testing.T, test func(t *testing.T, f fixture)) {
	for name := range configs {
		for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
			t.Run(fmt.Sprintf("%s in %s", name, dtype), func(t *testing.T) { test(t, open(t, name, dtype)) })
		}
	}
}

func open(t *testing.T, name string, dtype dtypes.DType) fixture {
	t.Helper()
	f := fixture{configs[name], devicetest.Open(t), model.NewStore(),
		paritytest.Open(t, filepath.Join("testdata", name+".expected.safetensors")), dtype}
	nn.SetType(f.store.RootScope(), dtype)
	if err := f.config.Trace(f.device, f.store); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.Open(filepath.Join("testdata", name+".safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := hf.Load(f.store.RootScope(), file, f.config.Names()); err != nil {
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

func (f fixture) batch() []any {
	return []any{f.reference.Tensor("pixel_values", f.dtype), f.reference.Tensor("labels", dtypes.Int32)}
}

// tensor returns the tensor with a name as in torchvision.
func (f fixture) tensor(t *testing.T, name string) *tensors.Tensor {
	t.Helper()
	variable := f.store.GetVariable("/" + strings.ReplaceAll(name, ".", "/"))
	if variable == nil {
		t.Fatalf("the model has no tensor %s", name)
	}
	return variable.MustValue()
}

// buffers compares the running statistics with those in the fixture after some batches.
func (f fixture) buffers(t *testing.T, after string) {
	t.Helper()
	for _, name := range f.reference.Below(after) {
		if strings.Contains(name, "running_") {
			f.reference.Compare(after+name, f.tensor(t, name), f.tolerance(1e-4), 0)
		}
	}
}

func TestOutputs_EqualTorchvision(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		outputs, err := f.config.Run(f.device, f.store,
			map[string]*tensors.Tensor{"pixel_values": f.reference.Tensor("pixel_values", f.dtype)})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"logits", "features"} {
			f.reference.Compare(name, outputs[name], f.tolerance(1e-4), 0)
		}
	})
}

func TestStages_EqualTorchvision(t *testing.T) {
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		f := open(t, "narrow", dtype)
		outputs := f.run(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			out := resnet.Forward(scope, f.config, graph.Slice(x[0], graph.AxisRange(0, 1)), resnet.Mode{})
			var stages []*graph.Node
			for _, stage := range out.Stages {
				stages = append(stages, graph.TransposeAllAxes(stage, 0, 3, 1, 2))
			}
			return stages
		}, f.batch()[0])
		names := []string{"maxpool", "layer1", "layer2", "layer3", "layer4"}
		if len(outputs) != len(names) {
			t.Fatalf("the model has %d stages, want %d", len(outputs), len(names))
		}
		for i, name := range names {
			f.reference.Compare("stage."+name, outputs[i], f.tolerance(1e-5), 0)
		}
	}
}

func TestGradients_EqualTorchvision(t *testing.T) {
	tests := []struct {
		prefix string
		mode   resnet.Mode
	}{{"", resnet.Mode{Training: true, FreezeStatistics: true}}, {"evaluated.", resnet.Mode{}}}
	each(t, func(t *testing.T, f fixture) {
		for _, test := range tests {
			var names []string
			outputs := f.run(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
				loss := resnet.CrossEntropy(resnet.Forward(scope, f.config, x[0], test.mode).Logits, x[1])
				gradients := optim.Differentiate(scope, loss, nil)
				names = nil
				for _, variable := range gradients.Variables {
					names = append(names, strings.ReplaceAll(variable.Path()[1:], "/", "."))
				}
				return append([]*graph.Node{loss}, gradients.Nodes...)
			}, f.batch()...)
			f.reference.Compare(test.prefix+"loss", outputs[0], f.tolerance(1e-4), 0)
			if want := f.reference.Below(test.prefix + "gradient."); len(names) != len(want) {
				t.Errorf("the loss has gradients by %d tensors, torchvision's by %d", len(names), len(want))
			}
			for i, name := range names {
				f.reference.Compare(test.prefix+"gradient."+name, outputs[i+1], f.tolerance(1e-3), 0)
			}
		}
	})
}

func TestRunningStatistics_EqualTorchvision(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		f.run(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			return []*graph.Node{resnet.Forward(scope, f.config, x[0], resnet.Mode{Training: true}).Logits}
		}, f.batch()[0])
		f.buffers(t, "once.")
	})
}

func TestTenSteps_EqualTorch(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		devicetest.Watch(t, 10*time.Minute)
		optimizer := optim.Optimizer{Rule: optim.SGD{Momentum: 0.9}}
		step, err := f.device.Compile("train", f.store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			loss := resnet.CrossEntropy(resnet.Forward(scope, f.config, x[0], resnet.Mode{Training: true}).Logits, x[1])
			optimizer.Minimize(scope, loss, graph.Const(loss.Graph(), 0.01))
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
			f.reference.Compare("trained."+name, f.tensor(t, name), f.tolerance(1e-3), 0)
		}
	})
}

func TestTriplet_EqualsTorch(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		images := f.reference.Tensor("pixel_values", f.dtype)
		shape := images.Shape().Dimensions
		flipped := func(axis int) func(place []int) {
			return func(place []int) { place[axis] = shape[axis] - 1 - place[axis] }
		}
		rolled := func(axis, by int) func(place []int) {
			return func(place []int) { place[axis] = (place[axis] - by + shape[axis]) % shape[axis] }
		}
		pixels := paritytest.Values(images)
		positives := moved(pixels, shape, rolled(2, 2))
		var negatives []float64
		sets := [][]float64{moved(pixels, shape, flipped(0)), moved(pixels, shape, flipped(2)),
			moved(pixels, shape, rolled(3, 1))}
		size := len(pixels) / shape[0]
		for row := range shape[0] {
			for _, set := range sets {
				negatives = append(negatives, set[row*size:(row+1)*size]...)
			}
		}
		outputs := f.run(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			losses := resnet.FullTriplet(scope, f.config, x[0], x[1], x[2], x[3], 3)
			return []*graph.Node{losses.Total, losses.Triplet}
		}, images, tensors.FromFlatDataAndDimensions(positives, shape...),
			tensors.FromFlatDataAndDimensions(negatives, append([]int{shape[0], len(sets)}, shape[1:]...)...),
			f.batch()[1])
		f.reference.Compare("triplet.loss", outputs[0], f.tolerance(1e-4), 0)
		f.reference.Compare("triplet.distance", outputs[1], f.tolerance(1e-4), 0)
		f.buffers(t, "triplet.")
	})
}

// moved returns a copy of a picture with each pixel from the place that change computes.
func moved(pixels []float64, shape []int, change func(place []int)) []float64 {
	out := make([]float64, len(pixels))
	place := make([]int, len(shape))
	for i := range out {
		rest := i
		for axis := len(shape) - 1; axis >= 0; axis-- {
			place[axis], rest = rest%shape[axis], rest/shape[axis]
		}
		change(place)
		from := 0
		for axis := range shape {
			from = from*shape[axis] + place[axis]
		}
		out[i] = pixels[from]
	}
	return out
}
