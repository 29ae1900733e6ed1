package clip

import "encoding/json"

// JSON returns the config.json of the model for transformers' CLIPModel.
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
		end = 2 // transformers' value for that rule
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
