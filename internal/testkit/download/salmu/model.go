package salmudownload

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Tiny returns the configuration of a model with CLIP's vocabulary and small encoders.
func Tiny() clip.Config {
	tower := clip.Tower{Width: 12, Layers: 1, Heads: 2, Hidden: 24, Activation: "gelu", Epsilon: 1e-5}
	return clip.Config{
		Text:       clip.TextConfig{Tower: tower, Vocabulary: 49408, Context: 24, EndOfText: clip.LargestID},
		Vision:     clip.VisionConfig{Tower: tower, Image: 24, Patch: 8, Channels: 3},
		Projection: 10,
	}
}

// Model writes a model with random weights into dir, in OpenCLIP's published format.
func Model(t testing.TB, dir string, config clip.Config, root uint64) {
	t.Helper()
	d, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	store := model.NewStore()
	defer store.Finalize()
	if err := config.Trace(d, store); err != nil {
		t.Fatal(err)
	}
	for variable := range store.RootScope().IterVariables() {
		values := random(variable, seed.Stream(root, variable.Path()))
		if err := variable.SetValue(tensors.FromFlatDataAndDimensions(values,
			variable.Shape().Dimensions...)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "open_clip_config.json"), configJSON(t, config))
	if err := hf.Save(store.RootScope(), dir, config.Names(),
		hf.Format{Layout: "open_clip", Base: "open_clip_model"}); err != nil {
		t.Fatal(err)
	}
}

// random returns random weights on the scale of initial weights. Norms and biases differ from 1 and 0.
func random(variable *model.Variable, source *rand.Rand) []float32 {
	shape := variable.Shape()
	middle, deviation := 0.0, 0.1
	switch {
	case shape.Rank() == 0:
		middle, deviation = math.Log(1/0.07), 0
	case shape.Rank() > 1:
		deviation = 1 / math.Sqrt(float64(shape.Size()/shape.Dimensions[0]))
	case strings.HasSuffix(variable.Path(), "/weight"):
		middle = 1
	}
	values := make([]float32, shape.Size())
	for i := range values {
		values[i] = float32(middle + deviation*source.NormFloat64())
	}
	return values
}

func configJSON(t testing.TB, c clip.Config) []byte {
	t.Helper()
	ratio := func(tower clip.Tower) float64 { return float64(tower.Hidden) / float64(tower.Width) }
	text, err := json.Marshal(map[string]any{"model_cfg": map[string]any{
		"embed_dim": c.Projection,
		"vision_cfg": map[string]any{"image_size": c.Vision.Image, "layers": c.Vision.Layers, "width": c.Vision.Width,
			"head_width": c.Vision.Width / c.Vision.Heads, "patch_size": c.Vision.Patch,
			"mlp_ratio": ratio(c.Vision.Tower)},
		"text_cfg": map[string]any{"context_length": c.Text.Context, "vocab_size": c.Text.Vocabulary,
			"width": c.Text.Width, "heads": c.Text.Heads, "layers": c.Text.Layers, "mlp_ratio": ratio(c.Text.Tower)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
