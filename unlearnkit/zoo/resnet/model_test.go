package resnet_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
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
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// trained returns the number of parameters without the running statistics, which torchvision does not count.
func trained(store *model.Store) int {
	count := 0
	for variable := range store.IterVariables() {
		if variable.Trainable {
			count += variable.Shape().Size()
		}
	}
	return count
}

func TestModels_Parameters(t *testing.T) {
	twoClasses := resnet.ResNet18()
	twoClasses.Classes = 2
	tests := []struct {
		name   string
		config resnet.Config
		want   int
	}{{"ResNet-18", resnet.ResNet18(), 11_689_512}, {"ResNet-18 with two classes", twoClasses, 11_177_538},
		{"ResNet-34", resnet.ResNet34(), 21_797_672}}
	for _, test := range tests {
		store := model.NewStore()
		if err := test.config.Trace(devicetest.Open(t), store); err != nil {
			t.Fatal(err)
		}
		if got := trained(store); got != test.want {
			t.Errorf("%s has %d parameters, torchvision's %d", test.name, got, test.want)
		}
	}
}

func pictures(rows, size int) *tensors.Tensor {
	values := make([]float32, rows*3*size*size)
	random := seed.Stream(1, "pictures")
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
	return tensors.FromFlatDataAndDimensions(values, rows, 3, size, size)
}

func TestInit_Spread(t *testing.T) {
	f := fixture{config: resnet.Small(10), device: devicetest.Open(t), store: model.NewStore()}
	nn.Seed(f.store.RootScope(), 3)
	if err := f.config.Trace(f.device, f.store); err != nil { // a model with a seed gets its values when traced
		t.Fatal(err)
	}
	for name, deviation := range map[string]float64{
		"layer2.0.conv1.weight":        math.Sqrt(2.0 / (32 * 9)),
		"layer3.0.downsample.0.weight": math.Sqrt(2.0 / 64),
		"fc.weight":                    1 / math.Sqrt(3*64),
		"layer1.0.bn2.weight":          1,
		"layer1.0.bn2.bias":            0,
		"bn1.running_mean":             0,
		"bn1.running_var":              1,
	} {
		sum := 0.0
		values := paritytest.Values(f.tensor(t, name))
		for _, value := range values {
			sum += value * value
		}
		if got := math.Sqrt(sum / float64(len(values))); math.Abs(got-deviation) > 0.08*deviation {
			t.Errorf("%s has the deviation %.4g, want %.4g", name, got, deviation)
		}
	}
}

func TestHead_TrainedAlone(t *testing.T) {
	f := open(t, "narrow", dtypes.Float64)
	before := map[string][]float64{}
	for variable := range f.store.IterVariables() {
		before[variable.Path()] = paritytest.Values(variable.MustValue())
	}
	optimizer := optim.Optimizer{Rule: optim.SGD{Momentum: 0.9}}
	step, err := f.device.Compile("head", f.store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		loss := resnet.HeadOnly(scope, f.config, x[0], x[1])
		optimizer.Minimize(scope, loss, graph.Const(loss.Graph(), 0.05))
		return []*graph.Node{loss}
	})
	if err != nil {
		t.Fatal(err)
	}
	var losses []float64
	for range 5 {
		outputs, err := step.Run(t.Context(), f.batch()...)
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, paritytest.Values(outputs[0])...)
	}
	f.reference.Compare("evaluated.loss", tensors.FromFlatDataAndDimensions(losses[:1], 1), 1e-6, 0)
	if losses[4] >= losses[0] {
		t.Errorf("the losses %v do not fall", losses)
	}
	for path, values := range before {
		moved := !reflect.DeepEqual(values, paritytest.Values(f.store.GetVariable(path).MustValue()))
		if moved != resnet.Head(path) {
			t.Errorf("%s: moved is %t", path, moved)
		}
	}
}

func TestTriplet_EqualsFormula(t *testing.T) {
	// Anchor 0 is at distance 5 from its positive, and 13, 13 and 20 from its negatives. Anchor 1 is at distance 0 from
	// its positive, and 1, 2 and 3 from its negatives.
	anchor := []float64{0, 0, 1, 1}
	positive := []float64{3, 4, 1, 1}
	negatives := []float64{5, 12, 12, 5, 0, 20, 1, 2, 1, 3, 4, 1}
	tests := []struct {
		margin, want float64
		// gradient with respect to the anchors: half of the unit vector from the positive to the anchor, minus half of
		// the unit vector from the nearest negative
		anchors []float64
	}{
		// max(0, 5-13+1) and max(0, 0-1+1), where PyTorch's gradient is one-sided or zero and not compared
		{1, 0, []float64{0, 0, 0, 0}},
		// 5-13+10 and 0-1+10
		{10, (2.0 + 9) / 2, []float64{(-3.0/5 + 5.0/13) / 2, (-4.0/5 + 12.0/13) / 2, 0, (0 + 1.0) / 2}},
	}
	d := devicetest.Open(t)
	for _, test := range tests {
		program, err := d.Compile("triplet", model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			loss := resnet.Triplet(x[0], x[1], x[2], test.margin)
			return append([]*graph.Node{loss}, graph.Gradient(loss, x...)...)
		})
		if err != nil {
			t.Fatal(err)
		}
		outputs, err := program.Run(t.Context(), tensors.FromFlatDataAndDimensions(anchor, 2, 2),
			tensors.FromFlatDataAndDimensions(positive, 2, 2), tensors.FromFlatDataAndDimensions(negatives, 2, 3, 2))
		if err != nil {
			t.Fatal(err)
		}
		if got := paritytest.Values(outputs[0])[0]; math.Abs(got-test.want) > 1e-12 {
			t.Errorf("the loss with margin %g is %g, want %g", test.margin, got, test.want)
		}
		if test.want == 0 {
			continue
		}
		for i, got := range paritytest.Values(outputs[1]) {
			if math.Abs(got-test.anchors[i]) > 1e-12 {
				t.Errorf("the gradient by the anchors [%d] is %g, want %g", i, got, test.anchors[i])
			}
		}
		if byNegatives := paritytest.Values(outputs[3]); byNegatives[2] != 0 || byNegatives[0] == 0 {
			t.Errorf("of two equally near negatives the first alone must have a gradient, they have %v",
				byNegatives[:4])
		}
	}
}

func TestConfig(t *testing.T) {
	narrow := `{"architecture": "resnet", "blocks": [1, 2, 1, 1], "widths": [6, 8, 10, 12], "num_classes": 4}`
	if c, err := resnet.ParseConfig([]byte(narrow)); err != nil || !reflect.DeepEqual(c, configs["narrow"]) {
		t.Errorf("the narrow model was read as %+v with the error %v", c, err)
	}
	if c, err := resnet.ParseConfig([]byte(`{"architecture": "resnet34", "num_classes": 2}`)); err != nil ||
		c.Classes != 2 || c.Blocks[2] != 6 {
		t.Errorf("ResNet-34 was read as %+v with the error %v", c, err)
	}
	for text, want := range map[string]string{
		`{"architecture": "resnet50"}`: `"resnet50"`,
		`{}`:                           `architecture ""`,
		`{`:                            "JSON",
		`{"architecture": "resnet"}`:   "blocks and widths",
		`{"architecture": "resnet18", "blocks": [2, 2]}`:                   "blocks and widths",
		`{"architecture": "resnet18", "blocks": [2, 2, 2, 1000000000000]}`: "number of blocks is 1000000000000",
		`{"architecture": "resnet18", "widths": [64, 0, 256, 512]}`:        "width is 0",
		`{"architecture": "resnet18", "num_classes": 0}`:                   "num_classes is 0",
		`{"architecture": "resnet18", "stem_kernel": 4}`:                   "stem_kernel is 4",
		`{"architecture": "resnet18", "stem_stride": -1}`:                  "stem_stride is -1",
	} {
		if _, err := resnet.ParseConfig([]byte(text)); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s has the error %v, want one line with %s", text, err, want)
		}
	}
}

func TestArrays_Refused(t *testing.T) {
	f := open(t, "small", dtypes.Float32)
	type arrays = map[string]*tensors.Tensor
	for want, inputs := range map[string]arrays{
		"pixel_values [batch, 3, height, width] is missing": {"images": pictures(1, 8)},
		"leave the other arrays out":                        {"pixel_values": pictures(1, 8), "labels": pictures(1, 8)},
		"[batch, 3, height, width] of float32": {"pixel_values": tensors.FromFlatDataAndDimensions(
			make([]float32, 64), 1, 1, 8, 8)},
		"of float32 or float64": {"pixel_values": f.reference.Tensor("labels",
			dtypes.Int32)},
	} {
		if _, err := f.config.Run(f.device, f.store, inputs); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("the error is %v, want one line with %q", err, want)
		}
	}
}

func TestSave_TorchvisionTensors(t *testing.T) {
	f := open(t, "narrow", dtypes.Float32)
	dir := t.TempDir()
	scope := f.store.RootScope()
	if err := hf.Save(scope, dir, f.config.Names(), hf.Format{Also: resnet.Counters(scope, 7)}); err != nil {
		t.Fatal(err)
	}
	got := contents(t, filepath.Join(dir, "model.safetensors"))
	if want := contents(t, "testdata/narrow.safetensors"); !reflect.DeepEqual(got, want) {
		t.Errorf("the file has %d tensors, torchvision's %d, or others", len(got), len(want))
	}
}

// contents returns the tensors in a file with their types and shapes.
func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := map[string]string{}
	for _, name := range file.Names() {
		tensor, _ := file.Tensor(name)
		data, err := file.Bytes(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = fmt.Sprintf("%s %v %x", tensor.Type, tensor.Shape, data)
	}
	return all
}

func TestLoad_Misfit(t *testing.T) {
	file, err := safefile.Open("testdata/narrow.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, test := range map[string]struct {
		change func(c *resnet.Config)
		want   string
	}{
		"more classes": {func(c *resnet.Config) { c.Classes = 5 }, "fc.weight is [4 12] and should be [5 12]"},
		"one block fewer": {func(c *resnet.Config) {
			c.Blocks = []int{1, 1, 1, 1}
		}, "not known to the model: layer2.1.bn1.bias"},
		"one block more": {func(c *resnet.Config) { c.Blocks = []int{1, 2, 1, 2} }, "missing: layer4.1.bn1.bias"},
		"one layer fewer": {func(c *resnet.Config) {
			c.Blocks, c.Widths = []int{1, 2, 1}, []int{6, 8, 10}
		}, "layer4.0.bn1.bias"},
		"a wider last one": {func(c *resnet.Config) {
			c.Widths = []int{6, 8, 10, 14}
		}, "layer4.0.conv1.weight is [12 10 3 3] and should be [14 10 3 3]"},
	} {
		c := configs["narrow"]
		test.change(&c)
		store := model.NewStore()
		if err := c.Trace(devicetest.Open(t), store); err != nil {
			t.Fatal(err)
		}
		if _, err := hf.Load(store.RootScope(), file, c.Names()); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v, want %q", name, err, test.want)
		}
	}
}

func TestResNet18_FullSize(t *testing.T) {
	if os.Getenv("UNLEARNLAB_SLOW") == "" {
		t.Skip("set UNLEARNLAB_SLOW=1 to run ResNet-18 at full size, some seconds and 1 GiB")
	}
	d, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	c := resnet.ResNet18()
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	start := time.Now()
	outputs, err := c.Run(d, store, map[string]*tensors.Tensor{"pixel_values": pictures(2, 224)})
	if err != nil {
		t.Fatal(err)
	}
	if got := outputs["features"].Shape().Dimensions; !reflect.DeepEqual(got, []int{2, 512}) {
		t.Errorf("the features are %v, want [2 512]", got)
	}
	for _, logit := range paritytest.Values(outputs["logits"]) {
		if math.IsNaN(logit) || math.Abs(logit) > 100 {
			t.Fatalf("a fresh model has the logit %g", logit)
		}
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("%s with first values and compilation, %.2f GiB taken from the system",
		time.Since(start).Round(time.Millisecond), float64(memory.Sys)/(1<<30))
	if memory.Sys > 6<<30 {
		t.Errorf("%d bytes were taken from the system, want less than 6 GiB", memory.Sys)
	}
}

func ExampleParseConfig() {
	config, err := resnet.ParseConfig([]byte(`{"architecture": "resnet18", "num_classes": 2}`))
	fmt.Println(config.Classes, config.FeatureWidth(), err)
	// Output: 2 512 <nil>
}
