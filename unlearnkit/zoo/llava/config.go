// Package llava implements vision-language models like LLaVA-1.5 (Liu et al., 2023). A small perceptron maps the
// patches of a CLIP vision tower to the width of a LLaMA decoder, and the result replaces a placeholder in the
// decoder's prompt.
//
// Tensors have the names in the published folders of llava-hf, and [Config.Names] knows the other names. The decoder
// can also be used without vision, for folders of a LlamaForCausalLM.
package llava

import (
	"encoding/json"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Config describes a model.
type Config struct {
	Vision clip.VisionConfig
	Text   Decoder
	// Placeholder is the token that is replaced with images.
	Placeholder int32
	// Layer selects the hidden state of the vision tower that the decoder reads. Negative numbers count from the end.
	Layer int
	// Class reports whether the decoder also reads the class token.
	Class bool
	// Activation and Bias are settings of the perceptron between the vision tower and the decoder.
	Activation string
	Bias       bool
}

// ImageTokens returns the number of places that an image takes in the prompt.
func (c Config) ImageTokens() int {
	side := c.Vision.Image / c.Vision.Patch
	if c.Class {
		return side*side + 1
	}
	return side * side
}

// LLaVA15_7B returns the configuration of llava-hf/llava-1.5-7b-hf.
func LLaVA15_7B() Config { //nolint:revive,staticcheck // the underscore separates two numbers
	return Config{
		Vision: clip.ViTL14At336(),
		Text: Decoder{Vocabulary: 32064, Width: 4096, Layers: 32, Heads: 32, KeyValueHeads: 32, HeadWidth: 128,
			Hidden: 11008, Activation: "silu",
			Theta: 10000, Epsilon: 1e-5, Context: 4096},
		Placeholder: 32000, Layer: -2, Activation: "gelu", Bias: true,
	}
}

// LLaVA15_13B returns the configuration of llava-hf/llava-1.5-13b-hf.
func LLaVA15_13B() Config { //nolint:revive,staticcheck // the underscore separates two numbers
	c := LLaVA15_7B()
	c.Text.Width, c.Text.Layers, c.Text.Heads, c.Text.KeyValueHeads, c.Text.Hidden = 5120, 40, 40, 40, 13824
	return c
}

// SmallS returns the configuration of a model for 32×32 pixels in 16 patches. Its decoder has 4 layers of width 96.
func SmallS() Config {
	return Config{
		Vision: clip.VisionConfig{Tower: clip.Tower{Width: 64, Layers: 3, Heads: 4, Hidden: 256,
			Activation: "quick_gelu", Epsilon: 1e-5}, Image: 32, Patch: 8, Channels: 3},
		Text: Decoder{Vocabulary: 2048, Width: 96, Layers: 4, Heads: 4, KeyValueHeads: 4, HeadWidth: 24, Hidden: 256,
			Activation: "silu",
			Theta:      10000, Epsilon: 1e-5, Context: 256},
		Placeholder: 3, Layer: -2, Activation: "gelu", Bias: true,
	}
}

// SmallL returns the configuration of [SmallS] with a decoder that has 6 layers of width 160.
func SmallL() Config {
	c := SmallS()
	c.Text.Width, c.Text.Layers, c.Text.Heads, c.Text.KeyValueHeads, c.Text.HeadWidth, c.Text.Hidden = 160, 6, 5, 5, 32,
		432
	return c
}

// ParseConfig reads the config.json of a LlavaForConditionalGeneration. Missing fields have the defaults of the classes
// in transformers.
func ParseConfig(text []byte) (Config, error) {
	fields := struct {
		Vision      json.RawMessage `json:"vision_config"`
		Text        json.RawMessage `json:"text_config"`
		Placeholder *int32          `json:"image_token_index"`
		Renamed     *int32          `json:"image_token_id"` // the same field in newer releases
		Layer       json.RawMessage `json:"vision_feature_layer"`
		Strategy    string          `json:"vision_feature_select_strategy"`
		Activation  string          `json:"projector_hidden_act"`
		Bias        bool            `json:"multimodal_projector_bias"`
		Tied        *bool           `json:"tie_word_embeddings"`
	}{Layer: []byte("-2"), Strategy: "default", Activation: "gelu", Bias: true}
	if err := json.Unmarshal(text, &fields); err != nil {
		return Config{}, fmt.Errorf("the configuration: %w", err)
	}
	c := Config{Placeholder: 32000, Class: fields.Strategy == "full", Activation: fields.Activation, Bias: fields.Bias}
	for _, id := range []*int32{fields.Renamed, fields.Placeholder} {
		if id != nil {
			c.Placeholder = *id
		}
	}
	if err := json.Unmarshal(fields.Layer, &c.Layer); err != nil {
		return Config{}, fmt.Errorf("the configuration's vision_feature_layer is %.40s, only one number is read",
			fields.Layer)
	}
	if fields.Strategy != "default" && fields.Strategy != "full" {
		return Config{}, fmt.Errorf(
			`the configuration's vision_feature_select_strategy is %q; "default" and "full" are read`, fields.Strategy)
	}
	var err error
	if c.Vision, err = parseVision(fields.Vision); err != nil {
		return Config{}, err
	}
	if c.Text, err = parseText(fields.Text); err != nil {
		return Config{}, err
	}
	if fields.Tied != nil && *fields.Tied {
		c.Text.Tied = true
	}
	return c, c.check()
}

// parseVision parses the vision tower's configuration. If it is missing or empty, it returns LLaVA's tower, which is
// larger than CLIP's default.
func parseVision(text json.RawMessage) (clip.VisionConfig, error) {
	fields := map[string]any{"model_type": "clip_vision_model", "hidden_size": 1024, "intermediate_size": 4096,
		"patch_size": 14, "image_size": 336,
		"num_hidden_layers": 24, "num_attention_heads": 16}
	if len(text) > 0 {
		var given map[string]any
		if err := json.Unmarshal(text, &given); err != nil {
			return clip.VisionConfig{}, fmt.Errorf("the vision tower's configuration: %w", err)
		}
		if len(given) > 0 {
			fields = given
		}
	}
	if kind := fields["model_type"]; kind != nil && kind != "clip_vision_model" {
		return clip.VisionConfig{}, fmt.Errorf("the vision tower is a %v, only clip_vision_model is read", kind)
	}
	filled, err := json.Marshal(fields)
	if err != nil {
		return clip.VisionConfig{}, err
	}
	return clip.ParseVisionConfig(filled)
}

// parseText reads the decoder. The default is LLaMA's 7B.
func parseText(text json.RawMessage) (Decoder, error) {
	if len(text) == 0 || string(text) == "null" {
		text = []byte("{}")
	}
	return ParseDecoder(text)
}

func (c Config) check() error {
	layers := c.Vision.Layers
	switch {
	case c.Layer < -layers-1 || c.Layer > layers:
		return fmt.Errorf("the configuration's vision_feature_layer is %d, the vision tower has %d layers", c.Layer,
			layers)
	case c.Placeholder < 0 || int(c.Placeholder) >= c.Text.Vocabulary:
		return fmt.Errorf("the configuration's image_token_index is %d, the vocabulary has %d tokens", c.Placeholder,
			c.Text.Vocabulary)
	case c.Activation != "gelu" && c.Activation != "relu" && c.Activation != "silu":
		return fmt.Errorf("the configuration's projector_hidden_act %q is not known; gelu, relu and silu are",
			c.Activation)
	}
	return nil
}
