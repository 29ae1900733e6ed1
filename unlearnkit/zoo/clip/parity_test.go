package clip_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Maximum relative differences from the original implementations.
const (
	outputTolerance   = 1e-5
	gradientTolerance = 1e-3
	trainingTolerance = 1e-5
)

func parsed[T any](t *testing.T, parse func([]byte) (T, error), folder, name string) T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", folder, name))
	if err != nil {
		t.Fatal(err)
	}
	config, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func reference(t *testing.T, folder string) paritytest.Reference {
	t.Helper()
	return paritytest.Open(t, filepath.Join("testdata", folder, "expected.safetensors"))
}

func TestWholeModels_EqualLibraries(t *testing.T) {
	for folder, configuration := range map[string]string{"transformers": "config.json",
		"open_clip": "open_clip_config.json"} {
		t.Run(folder, func(t *testing.T) {
			d := devicetest.Open(t)
			config := parsed(t, clip.ParseConfig, folder, configuration)
			store := paritytest.Load(t, d, filepath.Join("testdata", folder), config)
			want := reference(t, folder)
			inputs := map[string]*tensors.Tensor{"pixel_values": want.Tensor("pixel_values", dtypes.Float32),
				"input_ids": want.Tensor("input_ids", dtypes.Int32)}
			ordered := []any{inputs["pixel_values"], inputs["input_ids"]}
			if folder == "transformers" {
				inputs["attention_mask"] = want.Tensor("attention_mask", dtypes.Int32)
				ordered = append(ordered, inputs["attention_mask"])
			}
			outputs, err := config.Run(d, store, inputs)
			if err != nil {
				t.Fatal(err)
			}
			for name, got := range outputs {
				want.Compare(name, got, outputTolerance, 0)
			}
			loss := func(scope *model.Scope, x []*graph.Node) *graph.Node {
				var mask *graph.Node
				if len(x) > 2 {
					mask = x[2]
				}
				images, texts := clip.EncodeImage(scope, config, x[0]), clip.EncodeText(scope, config, x[1], mask)
				return clip.ContrastiveLoss(clip.Logits(scope, images, texts))
			}
			want.Gradients(d, store, config, loss, gradientTolerance, ordered...)
			adam := optim.Optimizer{Rule: optim.AdamW{Beta2: 0.98, Epsilon: 1e-3, WeightDecay: 0.1}}
			want.Training(d, store, config, loss, adam, 2e-3, trainingTolerance, ordered...)
		})
	}
}

func TestOutputs_OtherInputs(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, clip.ParseConfig, "transformers", "config.json")
	store := paritytest.Load(t, d, filepath.Join("testdata", "transformers"), config)
	want := reference(t, "transformers")
	outputs := paritytest.Compute(t, d, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{
			clip.HiddenImage(scope, config.Vision, x[0], -2),
			clip.HiddenImage(scope, config.Vision, x[0], 1),
			clip.HiddenText(scope, config.Text, x[2], x[3]),
			clip.EncodeText(scope, config, x[2], nil),
			clip.EncodeImage(scope, config, x[1]),
		}
	}, want.Tensor("pixel_values", dtypes.Float32), want.Tensor("wide_pixel_values", dtypes.Float32),
		want.Tensor("input_ids", dtypes.Int32), want.Tensor("attention_mask", dtypes.Int32))
	for i, name := range []string{"vision_hidden_1", "vision_hidden_1", "text_hidden", "unmasked_text_embeds",
		"wide_image_embeds"} {
		want.Compare(name, outputs[i], outputTolerance, 0)
	}
}

func TestTowers_EqualTransformers(t *testing.T) {
	d := devicetest.Open(t)
	t.Run("text, end by the largest id", func(t *testing.T) {
		config := parsed(t, clip.ParseTextConfig, "text", "config.json")
		want := reference(t, "text")
		outputs, err := config.Run(d, paritytest.Load(t, d, "testdata/text", config),
			map[string]*tensors.Tensor{"input_ids": want.Tensor("input_ids", dtypes.Int32)})
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range outputs {
			want.Compare(name, got, outputTolerance, 0)
		}
	})
	t.Run("vision", func(t *testing.T) {
		config := parsed(t, clip.ParseVisionConfig, "vision", "config.json")
		want := reference(t, "vision")
		outputs, err := config.Run(d, paritytest.Load(t, d, "testdata/vision", config),
			map[string]*tensors.Tensor{"pixel_values": want.Tensor("pixel_values", dtypes.Float32)})
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range outputs {
			want.Compare(name, got, outputTolerance, 0)
		}
	})
}
