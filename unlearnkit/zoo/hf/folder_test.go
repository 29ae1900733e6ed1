package hf_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// folder makes a folder with the given files. The text of a .safetensors file lists its tensors.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		var err error
		if strings.HasSuffix(name, ".safetensors") {
			var all []safefile.TensorData
			for tensor := range strings.FieldsSeq(text) {
				all = append(all, safefile.TensorOf(tensor, []int{1}, []float32{0}))
			}
			err = safefile.WriteTensors(path, all, nil)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// resnet returns the names of two convolutions per block, for stages with given numbers of blocks.
func resnet(last string, stages ...int) string {
	var all strings.Builder
	for stage, blocks := range stages {
		for block := range blocks {
			all.WriteString("layer" + string(rune('1'+stage)) + "." + string(rune('0'+block)) + "." + last +
				".weight layer" + string(rune('1'+stage)) + "." + string(rune('0'+block)) + ".conv2.weight ")
		}
	}
	return all.String()
}

func TestFolder_Architecture(t *testing.T) {
	const weights = "a b"
	tests := []struct {
		name  string
		files map[string]string
		want  string // architecture, or a part of the error
	}{
		{"transformers", map[string]string{"config.json": `{"architectures": ["CLIPModel"], "model_type": "clip"}`,
			"model.safetensors": weights}, "CLIPModel"},
		{"transformers by model_type",
			map[string]string{"config.json": `{"model_type": "llava"}`, "model.safetensors": weights},
			"LlavaForConditionalGeneration"},
		{"an unknown model_type", map[string]string{"config.json": `{"model_type": "bert"}`,
			"model.safetensors": weights}, "bert"},
		{"diffusers", map[string]string{"config.json": `{"_class_name": "AutoencoderKL"}`,
			"diffusion_pytorch_model.safetensors": weights}, "AutoencoderKL"},
		{"open_clip", map[string]string{"open_clip_config.json": `{"model_cfg": {}}`,
			"open_clip_model.safetensors": weights}, hf.OpenCLIP},
		{"open_clip beside a converted model",
			map[string]string{"open_clip_config.json": `{}`, "open_clip_model.safetensors": weights,
				"config.json": `{"model_type": "clip"}`, "model.safetensors": weights}, "CLIPModel"},
		{"open_clip with a configuration for timm",
			map[string]string{"open_clip_config.json": `{}`, "open_clip_model.safetensors": weights,
				"config.json": `{"architecture": "vit"}`}, hf.OpenCLIP},
		{"a residual network with a configuration",
			map[string]string{"config.json": `{"architecture": "resnet18"}`, "model.safetensors": weights}, "resnet18"},
		{"a residual network by names", map[string]string{"model.safetensors": resnet("conv1", 2, 2, 2, 2)},
			"resnet18"},
		{"a deeper residual network by names", map[string]string{"model.safetensors": resnet("conv1", 3, 4, 6, 3)},
			"resnet34"},
		{"a residual network with bottlenecks", map[string]string{"model.safetensors": resnet("conv3", 3, 4, 6, 3)},
			"no known model has these"},
		{"weights without a configuration", map[string]string{"model.safetensors": weights},
			"no known model has these"},
		{"a configuration that names nothing",
			map[string]string{"config.json": `{"hidden_size": 3}`, "model.safetensors": weights}, "it names no model"},
		{"a configuration that is not JSON", map[string]string{"config.json": `{`, "model.safetensors": weights},
			"it is not JSON"},
		{"a configuration of other types", map[string]string{"config.json": `{"architectures": "CLIPModel"}`},
			"config.json: json: cannot"},
		{"a pipeline", map[string]string{"model_index.json": `{}`}, "name one of its models"},
		{"an adapter", map[string]string{"adapter_config.json": `{}`, "adapter_model.safetensors": weights},
			"it is an adapter"},
		{"nothing", nil, "no model.safetensors"},
		{"a pickle", map[string]string{"config.json": `{"model_type": "clip"}`, "pytorch_model.bin": "x"}, "convert"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			opened, err := hf.Open(folder(t, test.files))
			if err != nil {
				if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("the error %q does not say %q in one line", err, test.want)
				}
				return
			}
			defer opened.Tensors.Close()
			if opened.Architecture != test.want {
				t.Errorf("it is taken for %s, want %s", opened.Architecture, test.want)
			}
		})
	}
}

func TestFolder_Missing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.safetensors")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{file: "it is a file",
		filepath.Join(dir, "none"): "there is no such folder"} {
		if _, _, err := hf.Detect(path); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("the error for %s is %v", path, err)
		}
	}
}
