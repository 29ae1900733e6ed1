package registry_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/registry"
)

// example is a model folder written by the original library, with expected arrays. Inputs and outputs are lists of
// "name" or, if the name differs among the expected arrays, "name=other".
type example struct {
	folder, expected    string
	inputs, outputs     string
	architecture        string
	layout              string
	parameters, tensors int // as counted in Python
}

var examples = map[string]example{
	"CLIP": {"clip/testdata/transformers", "expected", "pixel_values input_ids attention_mask",
		"image_embeds text_embeds logits_per_image",
		"CLIPModel", "transformers", 14183, 78},
	"CLIP without a mask": {"clip/testdata/transformers", "expected", "pixel_values input_ids",
		"text_embeds=unmasked_text_embeds",
		"CLIPModel", "transformers", 14183, 78},
	"OpenCLIP": {"clip/testdata/open_clip", "expected", "pixel_values input_ids",
		"image_embeds text_embeds logits_per_image",
		"open_clip", "open_clip", 14107, 62},
	"a text tower": {"clip/testdata/text", "expected", "input_ids", "last_hidden_state", "CLIPTextModel",
		"transformers 5", 3540, 20},
	"a vision tower": {"clip/testdata/vision", "expected", "pixel_values", "last_hidden_state", "CLIPVisionModel",
		"transformers 5", 4728, 23},
	"LLaVA": {"llava/testdata/llava", "expected",
		"pixel_values=untouched_pixel_values input_ids=untouched_ids", "logits=untouched_logits",
		"LlavaForConditionalGeneration", "transformers 5", 22262, 80},
	"LLaMA": {"llava/testdata/llama", "expected", "input_ids", "logits=unmasked_logits", "LlamaForCausalLM",
		"transformers", 7400, 20},
	"wav2vec2": {"wav2vec2/testdata/base", "expected", "input_values", "logits",
		"Wav2Vec2ForSequenceClassification", "transformers", 7385, 51},
	"HuBERT": {"wav2vec2/testdata/hubert", "expected", "input_values attention_mask", "logits=masked.logits",
		"HubertForSequenceClassification", "transformers", 7045, 50},
	"UNet": {"diffusion/testdata/unet", "reference", "sample timestep encoder_hidden_states", "sample=output",
		"UNet2DConditionModel", "diffusers", 35933, 208},
	"VAE": {"diffusion/testdata/pipeline/vae", "reference", "sample", "mean sample=reconstruction", "AutoencoderKL",
		"diffusers", 15946, 124},
}

// pairs maps each name in a list of "name" or "name=other" to the other name, or to itself.
func pairs(list string) map[string]string {
	called := map[string]string{}
	for pair := range strings.FieldsSeq(list) {
		name, other, renamed := strings.Cut(pair, "=")
		if !renamed {
			other = name
		}
		called[name] = other
	}
	return called
}

// arrays writes the example's inputs like users of NumPy, with integers as int64, and opens the file.
func (e example) arrays(t *testing.T, want *safefile.Tensors) *safefile.Tensors {
	t.Helper()
	var all []safefile.TensorData
	for name, other := range pairs(e.inputs) {
		tensor, _ := want.Tensor(other)
		if tensor.Type == safefile.I32 {
			ids := make([]int64, tensor.Elements())
			if err := want.Int64(other, ids); err != nil {
				t.Fatal(err)
			}
			all = append(all, safefile.TensorOf(name, tensor.Shape, ids))
			continue
		}
		all = append(all, safefile.TensorOf(name, tensor.Shape, floats(t, want, other)))
	}
	path := filepath.Join(t.TempDir(), "in.npz")
	if err := safefile.WriteNpz(path, all); err != nil {
		t.Fatal(err)
	}
	return open(t, path, safefile.OpenNpz)
}

func open(t *testing.T, path string, opener func(string) (*safefile.Tensors, error)) *safefile.Tensors {
	t.Helper()
	file, err := opener(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func floats(t *testing.T, file *safefile.Tensors, name string) []float64 {
	t.Helper()
	tensor, _ := file.Tensor(name)
	values := make([]float64, tensor.Elements())
	if err := file.Float64(name, values); err != nil {
		t.Fatal(err)
	}
	return values
}

func TestFamilies_RunOnArrays(t *testing.T) {
	for name, e := range examples {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("..", e.folder)
			want := open(t, filepath.Join(dir, e.expected+".safetensors"), safefile.Open)
			model, err := registry.Open(devicetest.Open(t), dir)
			if err != nil {
				t.Fatal(err)
			}
			outputs, err := model.Forward(e.arrays(t, want))
			if err != nil {
				t.Fatal(err)
			}
			if model.Architecture != e.architecture || len(outputs) == 0 {
				t.Errorf("%s gives %d outputs", model.Architecture, len(outputs))
			}
			path := filepath.Join(t.TempDir(), "out.npz")
			if err := safefile.WriteNpz(path, outputs); err != nil {
				t.Fatal(err)
			}
			got := open(t, path, safefile.OpenNpz)
			for output, other := range pairs(e.outputs) {
				compare(t, output, floats(t, got, output), floats(t, want, other))
			}
		})
	}
}

// compare fails the test if values differ by more than 1e-4 of the largest value.
func compare(t *testing.T, name string, got, want []float64) {
	t.Helper()
	largest, worst := 0.0, 0.0
	for i := range want {
		largest, worst = max(largest, math.Abs(want[i])), max(worst, math.Abs(got[i]-want[i]))
	}
	if len(got) != len(want) || !(worst <= 1e-4*largest) {
		t.Errorf("%s differs by %.3g where values reach %.3g", name, worst, largest)
	}
}

func TestInspect(t *testing.T) {
	for name, e := range examples {
		inspection, err := registry.Inspect(filepath.Join("..", e.folder))
		if err != nil {
			t.Fatal(err)
		}
		i := inspection
		if !i.OK || i.Architecture != e.architecture || i.Layout != e.layout || len(i.Warnings) > 0 {
			t.Errorf("%s: got %v %s %s %v, want i.OK true, i.Architecture %v, i.Layout %v, no i.Warnings",
				name, i.OK, i.Architecture, i.Layout, i.Warnings, e.architecture, e.layout)
		}
		if i.Parameters != e.parameters || len(i.Tensors) != e.tensors {
			t.Errorf("%s: %d parameters in %d tensors, want %d in %d", name, i.Parameters, len(i.Tensors), e.parameters,
				e.tensors)
		}
	}
}

// damaged copies a test folder with another configuration or changed tensors.
func damaged(t *testing.T, config string, change func(all []safefile.TensorData) []safefile.TensorData) string {
	t.Helper()
	source := "../clip/testdata/text"
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(source, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	if config != "" {
		text = []byte(config)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	file := open(t, filepath.Join(source, "model.safetensors"), safefile.Open)
	var all []safefile.TensorData
	for _, name := range file.Names() {
		tensor, _ := file.Tensor(name)
		all = append(all, safefile.TensorOf(name, tensor.Shape, floats(t, file, name)))
	}
	if change != nil {
		all = change(all)
	}
	if err := safefile.WriteTensors(filepath.Join(dir, "model.safetensors"), all, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestInspect_Mistakes(t *testing.T) {
	const bias = "final_layer_norm.bias"
	tests := []struct {
		name   string
		config string
		change func([]safefile.TensorData) []safefile.TensorData
		want   string
		runs   bool
	}{
		{"another architecture", `{"architectures": ["BertModel"]}`, nil,
			"it is a BertModel, which is not supported", false},
		{"another size", `{"architectures": ["CLIPTextModel"], "hidden_size": 24, "num_attention_heads": 3}`, nil,
			"of another shape or type", false},
		{"a hostile size", `{"architectures": ["CLIPTextModel"], "num_hidden_layers": 1000000000000}`, nil,
			"number of layers is 1000000000000", false},
		{"a missing tensor", "", func(all []safefile.TensorData) []safefile.TensorData {
			return slices.DeleteFunc(all, func(d safefile.TensorData) bool { return d.Name == bias })
		}, "1 tensor(s) missing: " + bias, false},
		{"a tensor too many", "", func(all []safefile.TensorData) []safefile.TensorData {
			return append(all, safefile.TensorOf("classifier.weight", []int{1}, []float32{0}))
		}, "1 tensor(s) not known to the model: classifier.weight", false},
		{"a weight that is no number", "", func(all []safefile.TensorData) []safefile.TensorData {
			i := slices.IndexFunc(all, func(d safefile.TensorData) bool { return d.Name == bias })
			all[i] = safefile.TensorOf(bias, all[i].Shape, slices.Repeat([]float64{math.NaN()}, all[i].Elements()))
			return all
		}, bias + " has 18 value(s) that are NaN", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := damaged(t, test.config, test.change)
			inspection, err := registry.Inspect(dir)
			if err != nil {
				t.Fatal(err)
			}
			if warnings := strings.Join(inspection.Warnings, ";"); !strings.Contains(warnings, test.want) ||
				inspection.OK != test.runs || len(inspection.Tensors) == 0 {
				t.Errorf("ok %v, warnings %q, want %q", inspection.OK, warnings, test.want)
			}
			model, err := registry.Open(devicetest.Open(t), dir)
			switch {
			case test.runs && (err != nil || len(model.Warnings) != 1):
				t.Errorf("it is not opened with a warning: %v", err)
			case !test.runs && (err == nil || !strings.Contains(err.Error(),
				test.want) || !strings.Contains(err.Error(), dir)):
				t.Errorf("the error is %v, want %q", err, test.want)
			}
		})
	}
}

func TestIDs_Refused(t *testing.T) {
	model, err := registry.Open(devicetest.Open(t), "../clip/testdata/text")
	if err != nil {
		t.Fatal(err)
	}
	for want, array := range map[string]safefile.TensorData{
		"the input input_ids has the number 4294967296": safefile.TensorOf("input_ids", []int{1, 1},
			[]int64{1 << 32}),
		"the input input_ids is of type Float32 and should be": safefile.TensorOf("input_ids", []int{1, 1},
			[]float64{1}),
		"the input input_ids is missing": safefile.TensorOf("ids", []int{1, 1}, []int64{1}),
	} {
		path := filepath.Join(t.TempDir(), "in.npz")
		if err := safefile.WriteNpz(path, []safefile.TensorData{array}); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Forward(open(t, path, safefile.OpenNpz)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}
