package clip_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

func TestModels_Parameters(t *testing.T) {
	d := devicetest.Open(t)
	tests := []struct {
		name   string
		config paritytest.Config
		want   int
	}{
		{"ViT-B-16", clip.ViTB16(), 149_620_737},
		{"ViT-B-32", clip.ViTB32(), 151_277_313},
		{"the text tower of Stable Diffusion 1.4", clip.ViTL14Text(), 123_060_480},
		{"the vision tower of LLaVA-1.5", clip.ViTL14At336(), 303_507_456},
		{"small", clip.Small(), 388_993},
	}
	for _, test := range tests {
		store := model.NewStore()
		if err := test.config.Trace(d, store); err != nil {
			t.Fatal(err)
		}
		if got := store.NumParameters(); got != test.want {
			t.Errorf("%s has %d parameters, want %d", test.name, got, test.want)
		}
	}
}

func TestSave_SameFile(t *testing.T) {
	d := devicetest.Open(t)
	tests := []struct {
		folder, base, layout string
		config               paritytest.Config
	}{
		{"transformers", "model", "transformers", parsed(t, clip.ParseConfig, "transformers", "config.json")},
		{"open_clip", "open_clip_model", "open_clip",
			parsed(t, clip.ParseConfig, "open_clip", "open_clip_config.json")},
		{"text", "model", "transformers 5", parsed(t, clip.ParseTextConfig, "text", "config.json")},
		{"vision", "model", "transformers 5", parsed(t, clip.ParseVisionConfig, "vision", "config.json")},
	}
	for _, test := range tests {
		source := filepath.Join("testdata", test.folder)
		store, dir := paritytest.Load(t, d, source, test.config), t.TempDir()
		if err := hf.Save(store.RootScope(), dir, test.config.Names(),
			hf.Format{Base: test.base, Layout: test.layout}); err != nil {
			t.Fatal(err)
		}
		before, after := content(t, source, test.base), content(t, dir, test.base)
		if before != after {
			t.Errorf("the file of %s changed", test.folder)
		}
	}
}

func content(t *testing.T, folder, base string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, base+".safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNew_InitialValues(t *testing.T) {
	d := devicetest.Open(t)
	config := clip.Config{
		Text: clip.TextConfig{Tower: clip.Tower{Width: 80, Layers: 2, Heads: 4, Hidden: 320, Activation: "gelu",
			Epsilon: 1e-5}, Vocabulary: 512, Context: 32, EndOfText: clip.LargestID},
		Vision: clip.VisionConfig{Tower: clip.Tower{Width: 96, Layers: 2, Heads: 4, Hidden: 384, Activation: "gelu",
			Epsilon: 1e-5}, Image: 32, Patch: 8, Channels: 3},
		Projection: 64,
	}
	text, err := os.ReadFile("testdata/initial.json")
	if err != nil {
		t.Fatal(err)
	}
	var original struct {
		Spread map[string][2]float64 `json:"mean and deviation"`
	}
	if err := json.Unmarshal(text, &original); err != nil {
		t.Fatal(err)
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), 3)
	if err := config.Trace(d, store); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := hf.Save(store.RootScope(), dir, config.Names(), hf.Format{Layout: "open_clip"}); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.OpenFolder(dir, "model")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if len(file.Names()) != len(original.Spread) {
		t.Errorf("%d tensors, the original has %d", len(file.Names()), len(original.Spread))
	}
	for name, want := range original.Spread {
		tensor, _ := file.Tensor(name)
		values := make([]float64, tensor.Elements())
		if err := file.Float64(name, values); err != nil {
			t.Fatal(err)
		}
		mean, deviation := moments(values)
		// Both are random samples. The differences of their deviations and of their means, relative to the deviation,
		// are about 1/√n.
		slack := 5 / math.Sqrt(float64(len(values)))
		if math.Abs(deviation-want[1]) > slack*want[1]+1e-6 || math.Abs(mean-want[0]) > slack*want[1]+1e-6 {
			t.Errorf("%s starts with mean %.4g and deviation %.4g, the original's with %.4g and %.4g", name, mean,
				deviation, want[0], want[1])
		}
	}
}

func moments(values []float64) (mean, deviation float64) {
	for _, value := range values {
		mean += value / float64(len(values))
	}
	if len(values) == 1 {
		return mean, 0
	}
	for _, value := range values {
		deviation += (value - mean) * (value - mean)
	}
	return mean, math.Sqrt(deviation / float64(len(values)-1))
}

func TestConfig_Refused(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"text_config": {"hidden_size": 30, "num_attention_heads": 4}}`, "not a multiple"},
		{`{"text_config": {"num_hidden_layers": 1000000000000}}`, "number of layers is 1000000000000"},
		{`{"vision_config": {"patch_size": 0}}`, "patch size is 0"},
		{`{"vision_config": {"image_size": 8, "patch_size": 16}}`, "patch size is 16"},
		{`{"vision_config": {"image_size": [224, 224]}}`, "vision tower's configuration: json"},
		{`{"text_config": {"hidden_act": "swish"}}`, `activation "swish" is not known`},
		{`{"text_config": {"layer_norm_eps": -1}}`, "epsilon"},
		{`{"projection_dim": 0}`, "projection_dim is 0"},
		{`{"text_config_dict": {"vocab_size": 0}, "text_config": {"vocab_size": 5}}`, "vocabulary is 0"},
		{`[]`, "the configuration: json"},
		{`{"model_cfg": {"embed_dim": 8, "vision_cfg": {"timm_model_name": "vit"}, "text_cfg": {}}}`,
			"timm_model_name"},
		{`{"model_cfg": {"embed_dim": 8, "vision_cfg": {}, "text_cfg": {"hf_model_name": "bert"}}}`, "hf_model_name"},
		{`{"model_cfg": {"embed_dim": 8, "vision_cfg": {"pool_type": "avg"}, "text_cfg": {}}}`, `pool_type "avg"`},
		{`{"model_cfg": {"embed_dim": 8, "vision_cfg": {"head_width": 0}, "text_cfg": {}}}`, "head_width is 0"},
		{`{"model_cfg": {"embed_dim": 8, "vision_cfg": {"mlp_ratio": -1}, "text_cfg": {}}}`, "mlp_ratio -1"},
		{`{"model_cfg": {"embed_dim": 8, "vision_cfg": {"ls_init_value": 0.1}, "text_cfg": {}}}`, "ls_init_value"},
		{`{"model_cfg": {"vision_cfg": {}, "text_cfg": {}}}`, "embed_dim is 0"},
	}
	for _, test := range tests {
		if _, err := clip.ParseConfig([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s gives the error %v, want one line with %q", test.text, err, test.want)
		}
	}
}

func TestConfig_Defaults(t *testing.T) {
	config, err := clip.ParseConfig([]byte(`{"model_type": "clip", "text_config": null}`))
	if err != nil {
		t.Fatal(err)
	}
	want := clip.ViTB32()
	want.Text.Activation, want.Vision.Activation, want.Text.EndOfText = "quick_gelu", "quick_gelu", 49407
	if config != want {
		t.Errorf("an empty configuration is %+v, want OpenAI's ViT-B/32 %+v", config, want)
	}
	config, err = clip.ParseConfig([]byte(`{"model_cfg": {"embed_dim": 512,
		"vision_cfg": {"image_size": 224, "layers": 12, "width": 768, "patch_size": 16},
		"text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 512, "heads": 8, "layers": 12}}}`))
	if err != nil || config != clip.ViTB16() {
		t.Errorf("OpenCLIP's ViT-B-16 is %+v, %v", config, err)
	}
}

func TestInputs_Misfit(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, clip.ParseConfig, "transformers", "config.json")
	store := paritytest.Load(t, d, "testdata/transformers", config)
	zeros := func(dimensions ...int) *tensors.Tensor {
		return tensors.FromScalarAndDimensions(float32(0), dimensions...)
	}
	ids := func(value int32, dimensions ...int) *tensors.Tensor {
		return tensors.FromScalarAndDimensions(value, dimensions...)
	}
	tests := []struct {
		inputs map[string]*tensors.Tensor
		want   string
	}{
		{map[string]*tensors.Tensor{"pixel_values": zeros(1, 3, 15, 15)}, "input_ids is missing"},
		{map[string]*tensors.Tensor{"pixel_values": zeros(1, 3, 15, 16), "input_ids": ids(1, 1, 4)},
			"pixel_values has the shape [1 3 15 16] and should have [any 3 15 15]"},
		{map[string]*tensors.Tensor{"pixel_values": zeros(1, 3, 15, 15), "input_ids": ids(1, 1, 10)},
			"input_ids has the shape [1 10] and should have [any 9]"},
		{map[string]*tensors.Tensor{"pixel_values": zeros(1, 3, 15, 15), "input_ids": ids(43, 1, 4)},
			"input_ids has the id 43"},
		{map[string]*tensors.Tensor{"pixel_values": zeros(1, 3, 15, 15), "input_ids": ids(1, 2, 4),
			"attention_mask": ids(1, 2, 5)}, "attention_mask has the shape [2 5]"},
	}
	for _, test := range tests {
		if _, err := config.Run(d, store, test.inputs); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want %q", err, test.want)
		}
	}
}

func ExampleEncodeImage() {
	config := clip.Small()
	d, err := device.Open("go")
	if err != nil {
		panic(err)
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	program, err := d.Compile("loss", store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		images, texts := clip.EncodeImage(scope, config, inputs[0]), clip.EncodeText(scope, config, inputs[1], nil)
		return []*graph.Node{clip.ContrastiveLoss(clip.Logits(scope, images, texts))}
	})
	if err != nil {
		panic(err)
	}
	images, texts := tensors.FromScalarAndDimensions(float32(0.5), 8, 3, 32, 32),
		tensors.FromScalarAndDimensions(int32(7), 8, 24)
	outputs, err := program.Run(context.Background(), images, texts)
	fmt.Printf("eight equal pairs: %.4f, which is ln 8; %v\n", outputs[0].Value(), err)
	// Output: eight equal pairs: 2.0794, which is ln 8; <nil>
}
