package clip

import (
	"encoding/json"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
)

// JSON returns a config.json for transformers' CLIPModel.
func (c Config) JSON() []byte {
	tower := func(t Tower) map[string]any {
		return map[string]any{
			"hidden_size": t.Width, "intermediate_size": t.Hidden, "num_hidden_layers": t.Layers,
			"num_attention_heads": t.Heads,
			"hidden_act":          t.Activation, "layer_norm_eps": t.Epsilon, "projection_dim": c.Projection,
		}
	}
	text, vision := tower(c.Text.Tower), tower(c.Vision.Tower)
	end := c.Text.EndOfText
	if end == LargestID {
		end = 2 // transformers' value for LargestID
	}
	text["model_type"], text["vocab_size"], text["max_position_embeddings"], text["eos_token_id"] = "clip_text_model",
		c.Text.Vocabulary, c.Text.Context, end
	vision["model_type"], vision["image_size"], vision["patch_size"], vision["num_channels"] = "clip_vision_model",
		c.Vision.Image, c.Vision.Patch, c.Vision.Channels
	written, err := json.MarshalIndent(map[string]any{
		"architectures": []string{"CLIPModel"}, "model_type": "clip", "projection_dim": c.Projection,
		"text_config": text, "vision_config": vision,
	}, "", "  ")
	if err != nil {
		panic(err)
	}
	return append(written, '\n')
}

// OpenCLIP returns the content of an open_clip_config.json. The tokenizer is in the model's folder.
func (c Config) OpenCLIP() map[string]any {
	text := map[string]any{
		"context_length": c.Text.Context, "vocab_size": c.Text.Vocabulary, "width": c.Text.Width,
		"heads": c.Text.Heads, "layers": c.Text.Layers, "mlp_ratio": float64(c.Text.Hidden) / float64(c.Text.Width),
		"hf_tokenizer_name": "local",
	}
	vision := map[string]any{
		"image_size": c.Vision.Image, "patch_size": c.Vision.Patch, "width": c.Vision.Width,
		"layers": c.Vision.Layers, "head_width": c.Vision.Width / c.Vision.Heads,
		"mlp_ratio": float64(c.Vision.Hidden) / float64(c.Vision.Width),
	}
	return map[string]any{
		"model_cfg": map[string]any{"embed_dim": c.Projection, "quick_gelu": c.Text.Activation == "quick_gelu",
			"text_cfg": text, "vision_cfg": vision},
		"preprocess_cfg": map[string]any{"mean": preprocess.CLIPMean, "std": preprocess.CLIPDeviation,
			"interpolation": "bicubic", "resize_mode": "shortest"},
	}
}
