package llava

import "encoding/json"

// JSON returns a config.json for transformers' LlavaForConditionalGeneration and for [ParseConfig].
func (c Config) JSON() []byte {
	strategy := "default"
	if c.Class {
		strategy = "full"
	}
	vision, text := c.Vision, c.Text
	written, err := json.MarshalIndent(map[string]any{
		"architectures": []string{"LlavaForConditionalGeneration"}, "model_type": "llava",
		"image_token_index": c.Placeholder, "image_token_id": c.Placeholder, "vision_feature_layer": c.Layer,
		"vision_feature_select_strategy": strategy, "projector_hidden_act": c.Activation,
		"multimodal_projector_bias": c.Bias, "tie_word_embeddings": text.Tied,
		"vision_config": map[string]any{
			"model_type": "clip_vision_model", "hidden_size": vision.Width, "intermediate_size": vision.Hidden,
			"num_hidden_layers": vision.Layers, "num_attention_heads": vision.Heads, "hidden_act": vision.Activation,
			"layer_norm_eps": vision.Epsilon, "image_size": vision.Image, "patch_size": vision.Patch,
			"num_channels": vision.Channels,
		},
		"text_config": map[string]any{
			"model_type": "llama", "vocab_size": text.Vocabulary, "hidden_size": text.Width,
			"intermediate_size": text.Hidden, "num_hidden_layers": text.Layers, "num_attention_heads": text.Heads,
			"num_key_value_heads": text.KeyValueHeads, "head_dim": text.HeadWidth, "hidden_act": text.Activation,
			"max_position_embeddings": text.Context, "rms_norm_eps": text.Epsilon, "rope_theta": text.Theta,
			"tie_word_embeddings": text.Tied,
		},
	}, "", "  ")
	if err != nil {
		panic(err) // impossible, because the fields are numbers and strings
	}
	return append(written, '\n')
}
