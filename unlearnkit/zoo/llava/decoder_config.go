package llava

import (
	"encoding/json"
	"fmt"
)

// Decoder describes a LLaMA decoder (Touvron et al., 2023).
type Decoder struct {
	Vocabulary, Width, Layers int
	Heads                     int
	KeyValueHeads             int // heads of keys and values, each of which serves Heads/KeyValueHeads heads
	HeadWidth                 int // Width/Heads in most models
	Hidden                    int // width of the gated perceptron
	Activation                string
	Theta                     float64 // base of the rotary position embedding
	Epsilon                   float64 // epsilon of the norms
	Context                   int     // number of positions for which the model was made
	Tied                      bool    // the token embedding is also the output layer
}

// rope holds the settings of the rotary position embedding. Newer configurations have them in rope_parameters; older
// ones have rope_theta and a rope_scaling that may be null.
type rope struct {
	Theta *float64 `json:"rope_theta"`
	Type  string   `json:"rope_type"`
	Older string   `json:"type"`
}

func (r *rope) check() error {
	if r == nil {
		return nil
	}
	for _, kind := range []string{r.Type, r.Older} {
		if kind != "" && kind != "default" {
			return fmt.Errorf("the decoder's rotary positions are scaled by the rule %q, which is not read", kind)
		}
	}
	return nil
}

// decoderFile is the config.json of a LlamaForCausalLM.
type decoderFile struct {
	Type           string  `json:"model_type"`
	Vocabulary     int     `json:"vocab_size"`
	Width          int     `json:"hidden_size"`
	Hidden         int     `json:"intermediate_size"`
	Layers         int     `json:"num_hidden_layers"`
	Heads          int     `json:"num_attention_heads"`
	KeyValueHeads  *int    `json:"num_key_value_heads"`
	HeadWidth      *int    `json:"head_dim"`
	Activation     string  `json:"hidden_act"`
	Context        int     `json:"max_position_embeddings"`
	Epsilon        float64 `json:"rms_norm_eps"`
	Tied           bool    `json:"tie_word_embeddings"`
	Theta          float64 `json:"rope_theta"`
	RopeParameters *rope   `json:"rope_parameters"`
	RopeScaling    *rope   `json:"rope_scaling"`
	AttentionBias  bool    `json:"attention_bias"`
	PerceptronBias bool    `json:"mlp_bias"`
}

// ParseDecoder reads the config.json of a LlamaForCausalLM. Missing fields have the defaults of the class in
// transformers.
func ParseDecoder(text []byte) (Decoder, error) {
	fields := decoderFile{
		Type: "llama", Vocabulary: 32000, Width: 4096, Hidden: 11008, Layers: 32, Heads: 32, Activation: "silu",
		Context: 2048, Epsilon: 1e-6, Theta: 10000,
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		return Decoder{}, fmt.Errorf("the decoder's configuration: %w", err)
	}
	for _, r := range []*rope{fields.RopeParameters, fields.RopeScaling} {
		if err := r.check(); err != nil {
			return Decoder{}, err
		}
	}
	if r := fields.RopeParameters; r != nil && r.Theta != nil {
		fields.Theta = *r.Theta
	}
	switch {
	case fields.Type != "llama":
		return Decoder{}, fmt.Errorf("the decoder is a %q, only llama is read", fields.Type)
	case fields.AttentionBias || fields.PerceptronBias:
		return Decoder{}, fmt.Errorf("the decoder's configuration sets attention_bias or mlp_bias, which are not read")
	}
	c := Decoder{Vocabulary: fields.Vocabulary, Width: fields.Width, Layers: fields.Layers, Heads: fields.Heads,
		KeyValueHeads: fields.Heads, Hidden: fields.Hidden,
		Activation: fields.Activation, Theta: fields.Theta, Epsilon: fields.Epsilon, Context: fields.Context,
		Tied: fields.Tied}
	if fields.KeyValueHeads != nil {
		c.KeyValueHeads = *fields.KeyValueHeads
	}
	if fields.HeadWidth != nil {
		c.HeadWidth = *fields.HeadWidth
	} else if fields.Heads > 0 {
		c.HeadWidth = fields.Width / fields.Heads
	}
	return c, c.check()
}

// check returns an error for sizes that no model has, because a file with such sizes is damaged.
func (c Decoder) check() error {
	const most = 1 << 20
	for _, size := range []struct {
		name       string
		value, top int
	}{
		{"vocab_size", c.Vocabulary, 1 << 24}, {"hidden_size", c.Width, most}, {"intermediate_size", c.Hidden, most},
		{"num_hidden_layers", c.Layers, 1 << 10},
		{"num_attention_heads", c.Heads, 1 << 12}, {"num_key_value_heads", c.KeyValueHeads, c.Heads},
		{"head_dim", c.HeadWidth, most}, {"max_position_embeddings", c.Context, 1 << 30},
	} {
		if size.value < 1 || size.value > size.top {
			return fmt.Errorf("the decoder's %s is %d; it must be from 1 to %d", size.name, size.value, size.top)
		}
	}
	switch {
	case c.Heads%c.KeyValueHeads != 0:
		return fmt.Errorf("the decoder's %d heads cannot share %d key and value heads evenly", c.Heads, c.KeyValueHeads)
	case c.HeadWidth%2 != 0:
		return fmt.Errorf("the decoder's heads are %d wide; rotary positions need an even width", c.HeadWidth)
	case c.Activation != "silu":
		return fmt.Errorf("the decoder's hidden_act is %q, only silu is read", c.Activation)
	case !(c.Theta > 1 && c.Theta < 1e12):
		return fmt.Errorf("the decoder's rope_theta is %g", c.Theta)
	case !(c.Epsilon >= 0 && c.Epsilon < 1):
		return fmt.Errorf("the decoder's rms_norm_eps is %g", c.Epsilon)
	}
	return nil
}
