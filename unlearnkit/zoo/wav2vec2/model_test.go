package wav2vec2_test

import (
	"math"
	"os"
	"runtime"
	"testing"
	"time"

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
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

func TestModels_Parameters(t *testing.T) {
	labels := func(c wav2vec2.Config, n int) wav2vec2.Config { c.NumLabels = n; return c }
	tests := []struct {
		name   string
		config wav2vec2.Config
		want   int
	}{
		{"wav2vec2-base", wav2vec2.Base(), 94_371_712},
		{"wav2vec2-base with 31 intents", labels(wav2vec2.Base(), 31), 94_371_712 + 204_831},
		{"hubert-base", wav2vec2.HubertBase(), 94_371_712},
		{"XLS-R", wav2vec2.XLSR300M(), 315_438_720},
		{"XLS-R with 60 intents", labels(wav2vec2.XLSR300M(), 60), 315_438_720 + 277_820},
	}
	d := devicetest.Open(t)
	for _, test := range tests {
		store := model.NewStore()
		if err := test.config.Trace(d, store); err != nil {
			t.Fatal(err)
		}
		if got := store.NumParameters(); got != test.want {
			t.Errorf("%s has %d parameters, the original %d", test.name, got, test.want)
		}
	}
}

func TestFrames(t *testing.T) {
	base := wav2vec2.Base()
	for samples, want := range map[int]int{0: 0, 399: 0, 400: 1, 719: 1, 720: 2, 16000: 49, 160000: 499} {
		if got := base.Frames(samples); got != want {
			t.Errorf("%d samples make %d frames, want %d", samples, got, want)
		}
	}
	if got := base.ReceptiveField(); got != 400 {
		t.Errorf("a frame takes %d samples, want 400", got)
	}
}

// seeded returns a device and a store whose values are random.
func seeded(t *testing.T, c wav2vec2.Config) (*device.Device, *model.Store) {
	t.Helper()
	store := model.NewStore()
	nn.Seed(store.RootScope(), 5)
	return devicetest.Open(t), store
}

func sound(rows, samples int) *tensors.Tensor {
	values := make([]float32, rows*samples)
	random := seed.Stream(6, "sound")
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
	return tensors.FromFlatDataAndDimensions(values, rows, samples)
}

// With a mask, a padded row gives the same result as alone.
func TestMask_PaddedRow(t *testing.T) {
	c := wav2vec2.SmallLayer()
	c.NumLabels = 5
	d, store := seeded(t, c)
	const samples, length = 1500, 811
	values := sound(2, samples)
	flat := tensors.MustCopyFlatData[float32](values)
	mask := make([]int64, 2*samples)
	for i := range mask {
		if i < samples+length {
			mask[i] = 1
		}
	}
	both, err := c.Run(d, store, map[string]*tensors.Tensor{"input_values": values,
		"attention_mask": tensors.FromFlatDataAndDimensions(mask, 2, samples)})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := c.Run(d, store, map[string]*tensors.Tensor{"input_values": tensors.FromFlatDataAndDimensions(
		flat[samples:samples+length], 1, length)})
	if err != nil {
		t.Fatal(err)
	}
	got, want := paritytest.Values(both["logits"])[5:], paritytest.Values(alone["logits"])
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-5 {
			t.Errorf("the padded row's logit %d is %g, alone it is %g", i, got[i], want[i])
		}
	}
}

func TestShort_Finite(t *testing.T) {
	c := wav2vec2.SmallLayer()
	c.NumLabels = 3
	d, store := seeded(t, c)
	program, err := d.Compile("short", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		loss := graph.ReduceAllSum(graph.Square(wav2vec2.Forward(scope, c,
			wav2vec2.Input{Values: x[0], Mask: x[1]}).Logits))
		gradients := optim.Differentiate(scope, loss, nil)
		return []*graph.Node{loss, gradients.Norm()}
	})
	if err != nil {
		t.Fatal(err)
	}
	mask := make([]int32, 2*900)
	for i := range 900 {
		mask[i] = 1
	}
	mask[900], mask[901] = 1, 1 // two samples are too few for a frame
	outputs, err := program.Run(t.Context(), sound(2, 900), tensors.FromFlatDataAndDimensions(mask, 2, 900))
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range outputs {
		if value := paritytest.Values(output)[0]; math.IsNaN(value) || math.IsInf(value, 0) {
			t.Errorf("a row without a frame makes the loss or the gradient %g", value)
		}
	}
}

func TestInit_Spread(t *testing.T) {
	// Standard deviations by the formulas of transformers, for the sizes below.
	c := wav2vec2.SmallGroup()
	c.NumLabels, c.HiddenSize, c.IntermediateSize = 40, 96, 200
	d, store := seeded(t, c)
	if err := c.Trace(d, store); err != nil { // a model with a seed gets its values when traced
		t.Fatal(err)
	}
	f := fixture{store: store}
	want := map[string]float64{
		"wav2vec2.feature_extractor.conv_layers.1.conv.weight":                   math.Sqrt(2.0 / (16 * 8)),
		"wav2vec2.feature_projection.projection.weight":                          1 / math.Sqrt(3*16),
		"wav2vec2.encoder.pos_conv_embed.conv.parametrizations.weight.original1": 1 / math.Sqrt(3*24*16),
		"wav2vec2.encoder.layers.1.attention.q_proj.weight":                      0.02,
		"wav2vec2.encoder.layers.0.feed_forward.output_dense.weight":             0.02,
		"projector.weight":  0.02,
		"classifier.weight": 0.02,
	}
	for name, deviation := range want {
		values := paritytest.Values(f.tensor(t, name))
		sum := 0.0
		for _, value := range values {
			sum += value * value
		}
		if got := math.Sqrt(sum / float64(len(values))); math.Abs(got/deviation-1) > 0.08 {
			t.Errorf("%s has the deviation %.4g, want %.4g", name, got, deviation)
		}
	}
	// The kernel's norm g is the norm of v, so the first weight is v.
	g := paritytest.Values(f.tensor(t, "wav2vec2.encoder.pos_conv_embed.conv.parametrizations.weight.original0"))
	v := paritytest.Values(f.tensor(t, "wav2vec2.encoder.pos_conv_embed.conv.parametrizations.weight.original1"))
	for place := range g {
		square := 0.0
		for i := place; i < len(v); i += len(g) {
			square += v[i] * v[i]
		}
		if norm := math.Sqrt(square); math.Abs(g[place]/norm-1) > 0.08 {
			t.Errorf("the kernel's place %d has g %.4g, the norm of v is %.4g", place, g[place], norm)
		}
	}
}

func TestBase_FullSize(t *testing.T) {
	if os.Getenv("UNLEARNLAB_SLOW") == "" {
		t.Skip("set UNLEARNLAB_SLOW=1 to run wav2vec2-base at full size, about a minute and 2 GiB")
	}
	d, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	c := wav2vec2.Base()
	c.NumLabels = 31
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	start := time.Now()
	outputs, err := c.Run(d, store, map[string]*tensors.Tensor{"input_values": sound(1, 16000)})
	if err != nil {
		t.Fatal(err)
	}
	if shape := outputs["logits"].Shape(); !shape.Equal(shapes.Make(dtypes.Float32, 1, 31)) {
		t.Errorf("the logits are %s, want [1, 31]", shape)
	}
	for _, logit := range paritytest.Values(outputs["logits"]) {
		if math.IsNaN(logit) || math.Abs(logit) > 10 {
			t.Errorf("a fresh model has the logit %g", logit)
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
