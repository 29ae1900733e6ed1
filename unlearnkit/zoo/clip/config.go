// Package clip implements contrastive language-image models (Radford et al., 2021): a vision transformer and a causal
// text transformer, whose embeddings of an image and its caption point in the same direction.
//
// Tensors have the names of CLIPModel in Hugging Face transformers, and [Config.Names] also knows OpenCLIP's names.
// Each tower can be used without the other: the text tower as Stable Diffusion's text encoder, the vision tower in
// package llava.
package clip

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Config describes a model with both towers.
type Config struct {
	Text       TextConfig
	Vision     VisionConfig
	Projection int // width of the common embeddings
}

// Tower describes the transformer in a tower.
type Tower struct {
	Width, Layers, Heads int
	Hidden               int     // width of the perceptron's hidden layer in a block
	Activation           string  // a name in nn.Activation: "gelu" in OpenCLIP, "quick_gelu" in OpenAI's models
	Epsilon              float64 // epsilon of the layer norms
}

// TextConfig describes a text tower.
type TextConfig struct {
	Tower
	Vocabulary int
	Context    int // maximum number of tokens in a text
	// EndOfText is the token whose first occurrence represents the text. The value LargestID selects the token with the
	// largest ID instead.
	EndOfText int
}

// LargestID is the rule of OpenCLIP, and of transformers for configurations with the eos_token_id 2: the token with the
// largest ID represents the text.
const LargestID = -1

// VisionConfig describes a vision tower.
type VisionConfig struct {
	Tower
	Image, Patch, Channels int // images are square with edges of Image pixels
}

// side returns the number of patches along an image's edge.
func (c VisionConfig) side() int { return c.Image / c.Patch }

// ViTB16 returns the configuration of OpenCLIP's ViT-B-16, with 149,620,737 parameters.
func ViTB16() Config {
	return Config{
		Text: TextConfig{Tower: Tower{512, 12, 8, 2048, "gelu", 1e-5}, Vocabulary: 49408, Context: 77,
			EndOfText: LargestID},
		Vision:     VisionConfig{Tower: Tower{768, 12, 12, 3072, "gelu", 1e-5}, Image: 224, Patch: 16, Channels: 3},
		Projection: 512,
	}
}

// ViTB32 returns the configuration of OpenCLIP's ViT-B-32, with 151,277,313 parameters.
func ViTB32() Config {
	c := ViTB16()
	c.Vision.Patch = 32
	return c
}

// ViTL14At336 returns the configuration of the vision tower in OpenAI's ViT-L/14@336px, which LLaVA-1.5 uses.
func ViTL14At336() VisionConfig {
	return VisionConfig{Tower: Tower{1024, 24, 16, 4096, "quick_gelu", 1e-5}, Image: 336, Patch: 14, Channels: 3}
}

// ViTL14Text returns the configuration of the text tower in OpenAI's ViT-L/14, with 123,060,480 parameters. It is the
// text encoder of Stable Diffusion 1.
func ViTL14Text() TextConfig {
	return TextConfig{Tower: Tower{768, 12, 12, 3072, "quick_gelu", 1e-5}, Vocabulary: 49408, Context: 77,
		EndOfText: LargestID}
}

// Small returns the configuration of a model for 32×32 pixels and a thousand words, with 388,993 parameters.
func Small() Config {
	tower := Tower{64, 3, 4, 256, "gelu", 1e-5}
	return Config{
		Text:       TextConfig{Tower: tower, Vocabulary: 1024, Context: 24, EndOfText: LargestID},
		Vision:     VisionConfig{Tower: tower, Image: 32, Patch: 8, Channels: 3},
		Projection: 64,
	}
}

// towerJSON holds the fields of transformers' configurations that are the same for both towers.
type towerJSON struct {
	HiddenSize       int     `json:"hidden_size"`
	IntermediateSize int     `json:"intermediate_size"`
	Layers           int     `json:"num_hidden_layers"`
	Heads            int     `json:"num_attention_heads"`
	Activation       string  `json:"hidden_act"`
	Epsilon          float64 `json:"layer_norm_eps"`
}

func (t towerJSON) tower() Tower {
	return Tower{t.HiddenSize, t.Layers, t.Heads, t.IntermediateSize, t.Activation, t.Epsilon}
}

// ParseTextConfig reads the config.json of a CLIPTextModel. Missing fields have the defaults of the class in
// transformers.
func ParseTextConfig(text []byte) (TextConfig, error) {
	fields := struct {
		towerJSON
		Vocabulary int `json:"vocab_size"`
		Context    int `json:"max_position_embeddings"`
		EndOfText  int `json:"eos_token_id"`
	}{towerJSON{512, 2048, 12, 8, "quick_gelu", 1e-5}, 49408, 77, 49407}
	if err := json.Unmarshal(text, &fields); err != nil {
		return TextConfig{}, fmt.Errorf("the text tower's configuration: %w", err)
	}
	c := TextConfig{fields.tower(), fields.Vocabulary, fields.Context, fields.EndOfText}
	if c.EndOfText == 2 {
		c.EndOfText = LargestID
	}
	return c, c.check()
}

// ParseVisionConfig reads the config.json of a CLIPVisionModel. Missing fields have the defaults of the class in
// transformers.
func ParseVisionConfig(text []byte) (VisionConfig, error) {
	fields := struct {
		towerJSON
		Image    int `json:"image_size"`
		Patch    int `json:"patch_size"`
		Channels int `json:"num_channels"`
	}{towerJSON{768, 3072, 12, 12, "quick_gelu", 1e-5}, 224, 32, 3}
	if err := json.Unmarshal(text, &fields); err != nil {
		return VisionConfig{}, fmt.Errorf("the vision tower's configuration: %w", err)
	}
	c := VisionConfig{fields.tower(), fields.Image, fields.Patch, fields.Channels}
	return c, c.check()
}

// ParseConfig reads the config.json of a CLIPModel or an open_clip_config.json.
func ParseConfig(text []byte) (Config, error) {
	var fields struct {
		OpenCLIP   json.RawMessage `json:"model_cfg"`
		Text       json.RawMessage `json:"text_config"`
		TextDict   json.RawMessage `json:"text_config_dict"` // older form, which takes precedence in transformers
		Vision     json.RawMessage `json:"vision_config"`
		VisionDict json.RawMessage `json:"vision_config_dict"`
		Projection int             `json:"projection_dim"`
	}
	fields.Projection = 512
	if err := json.Unmarshal(text, &fields); err != nil {
		return Config{}, fmt.Errorf("the configuration: %w", err)
	}
	if given(fields.OpenCLIP) {
		return parseOpenCLIP(fields.OpenCLIP)
	}
	pick := func(dict, plain json.RawMessage) []byte {
		if given(dict) {
			return dict
		}
		if given(plain) {
			return plain
		}
		return []byte("{}")
	}
	var c Config
	var err error
	c.Projection = fields.Projection
	if c.Text, err = ParseTextConfig(pick(fields.TextDict, fields.Text)); err != nil {
		return Config{}, err
	}
	if c.Vision, err = ParseVisionConfig(pick(fields.VisionDict, fields.Vision)); err != nil {
		return Config{}, err
	}
	return c, between("projection_dim", c.Projection, 1, maxSize)
}

func given(field json.RawMessage) bool { return len(field) > 0 && string(field) != "null" }

// Maximum sizes in a configuration, far above those of published models. A file with larger sizes is damaged.
const (
	maxSize    = 1 << 20
	maxLayers  = 1 << 10
	maxTokens  = 1 << 24
	maxImage   = 1 << 14
	maxContext = 1 << 16
)

// between returns an error if a size is outside a range.
func between(what string, value, low, high int) error {
	if value < low || value > high {
		return fmt.Errorf("the configuration's %s is %d; it must be from %d to %d", what, value, low, high)
	}
	return nil
}

// first returns the first error that is not nil.
func first(errs ...error) error {
	if at := slices.IndexFunc(errs, func(err error) bool { return err != nil }); at >= 0 {
		return errs[at]
	}
	return nil
}

// activations lists the names in nn.Activation that occur in configurations of this family.
var activations = []string{"gelu", "quick_gelu", "gelu_new", "gelu_pytorch_tanh"}

func (t Tower) check() error {
	if err := first(between("width", t.Width, 1, maxSize), between("number of layers", t.Layers, 1, maxLayers),
		between("number of heads", t.Heads, 1, t.Width),
		between("perceptron's width", t.Hidden, 1, maxSize)); err != nil {
		return err
	}
	switch {
	case t.Width%t.Heads != 0:
		return fmt.Errorf("the configuration's width %d is not a multiple of its %d heads", t.Width, t.Heads)
	case !slices.Contains(activations, t.Activation):
		return fmt.Errorf("the configuration's activation %q is not known; %v are", t.Activation, activations)
	case !(t.Epsilon >= 0 && t.Epsilon < 1):
		return fmt.Errorf("the configuration's epsilon of layer norms is %g", t.Epsilon)
	}
	return nil
}

func (c TextConfig) check() error {
	return first(c.Tower.check(), between("vocabulary", c.Vocabulary, 1, maxTokens),
		between("context", c.Context, 1, maxContext),
		between("end-of-text token", c.EndOfText, LargestID, maxTokens))
}

func (c VisionConfig) check() error {
	return first(c.Tower.check(), between("image size", c.Image, 1, maxImage),
		between("patch size", c.Patch, 1, c.Image), between("number of channels", c.Channels, 1, maxSize))
}
