package clip

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// openCLIPTower holds the fields of OpenCLIP's configurations that are the same for both towers. It includes options
// that this package does not implement, so that they are refused.
type openCLIPTower struct {
	Width      int            `json:"width"`
	Layers     int            `json:"layers"`
	Ratio      float64        `json:"mlp_ratio"`
	LayerScale *float64       `json:"ls_init_value"`
	Act        map[string]any `json:"act_kwargs"`
	Norm       map[string]any `json:"norm_kwargs"`
	Block      *string        `json:"block_type"`
	FinalNorm  bool           `json:"final_ln_after_pool"`
	Pool       string         `json:"pool_type"`
}

func (t openCLIPTower) check(tower, pool string) error {
	switch {
	case t.LayerScale != nil, len(t.Act) > 0, len(t.Norm) > 0, t.Block != nil && *t.Block != "default", t.FinalNorm:
		return fmt.Errorf("the %s tower's configuration sets one of ls_init_value, act_kwargs, norm_kwargs, "+
			"block_type and final_ln_after_pool, which are not read", tower)
	case t.Pool != pool:
		return fmt.Errorf("the %s tower's configuration has the pool_type %q, only %q is read", tower, t.Pool, pool)
	case !(t.Ratio > 0 && t.Ratio < maxSize):
		return fmt.Errorf("the %s tower's configuration has the mlp_ratio %g", tower, t.Ratio)
	}
	return nil
}

func (t openCLIPTower) tower(heads int, activation string) Tower {
	return Tower{t.Width, t.Layers, heads, int(float64(min(t.Width, maxSize)) * t.Ratio), activation, 1e-5}
}

// parseOpenCLIP reads the model_cfg of an open_clip_config.json. Missing fields have the defaults of OpenCLIP's
// classes.
func parseOpenCLIP(text []byte) (Config, error) {
	var fields struct {
		Width      int             `json:"embed_dim"`
		Quick      bool            `json:"quick_gelu"`
		CustomText bool            `json:"custom_text"`
		Vision     json.RawMessage `json:"vision_cfg"`
		Text       json.RawMessage `json:"text_cfg"`
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		return Config{}, fmt.Errorf("the configuration: %w", err)
	}
	activation := "gelu"
	if fields.Quick {
		activation = "quick_gelu"
	}
	c := Config{Projection: fields.Width}
	var err error
	if c.Text, err = parseOpenCLIPText(fields.Text, activation); err != nil {
		return Config{}, err
	}
	if c.Vision, err = parseOpenCLIPVision(fields.Vision, activation); err != nil {
		return Config{}, err
	}
	return c, first(between("embed_dim", c.Projection, 1, maxSize), c.Text.check(), c.Vision.check())
}

func parseOpenCLIPText(text []byte, activation string) (TextConfig, error) {
	fields := struct {
		openCLIPTower
		Heads      int     `json:"heads"`
		Context    int     `json:"context_length"`
		Vocabulary int     `json:"vocab_size"`
		Foreign    *string `json:"hf_model_name"`
		Class      bool    `json:"embed_cls"`
		NotCausal  bool    `json:"no_causal_mask"`
		Bias       bool    `json:"proj_bias"`
		Projection string  `json:"proj_type"`
	}{openCLIPTower{Width: 512, Layers: 12, Ratio: 4, Pool: "argmax"}, 8, 77, 49408, nil, false, false, false, "linear"}
	if err := json.Unmarshal(text, &fields); err != nil {
		return TextConfig{}, fmt.Errorf("text_cfg: %w", err)
	}
	if fields.Foreign != nil || fields.Class || fields.NotCausal || fields.Bias || fields.Projection != "linear" {
		return TextConfig{}, fmt.Errorf("text_cfg sets one of hf_model_name, embed_cls, no_causal_mask, proj_bias " +
			"and proj_type, which are not read")
	}
	return TextConfig{fields.tower(fields.Heads, activation), fields.Vocabulary, fields.Context, LargestID},
		fields.check("text", "argmax")
}

func parseOpenCLIPVision(text []byte, activation string) (VisionConfig, error) {
	fields := struct {
		openCLIPTower
		HeadWidth int     `json:"head_width"`
		Image     int     `json:"image_size"`
		Patch     int     `json:"patch_size"`
		Foreign   *string `json:"timm_model_name"`
		Pooler    bool    `json:"attentional_pool"`
		NoNorm    bool    `json:"no_ln_pre"`
		Positions string  `json:"pos_embed_type"`
	}{openCLIPTower{Width: 768, Layers: 12, Ratio: 4, Pool: "tok"}, 64, 224, 16, nil, false, false, "learnable"}
	if err := json.Unmarshal(text, &fields); err != nil {
		return VisionConfig{}, fmt.Errorf("vision_cfg: %w", err)
	}
	if fields.Foreign != nil || fields.Pooler || fields.NoNorm || fields.Positions != "learnable" {
		return VisionConfig{}, fmt.Errorf("vision_cfg sets one of timm_model_name, attentional_pool, no_ln_pre and " +
			"pos_embed_type, which are not read")
	}
	if err := between("head_width", fields.HeadWidth, 1, math.MaxInt32); err != nil {
		return VisionConfig{}, err
	}
	tower := fields.tower(fields.Width/fields.HeadWidth, activation)
	return VisionConfig{tower, fields.Image, fields.Patch, 3}, fields.check("vision", "tok")
}

// openCLIP is OpenCLIP's layout of a whole model. OpenCLIP computes projections as x P, transformers as x Wᵀ.
var openCLIP = hf.Layout{Name: "open_clip", Rules: slices.Concat(
	[]hf.Rule{
		{Own: "text_projection.weight", File: "text_projection", Transposed: true},
		{Own: "visual_projection.weight", File: "visual.proj", Transposed: true},
		{Own: "text_model.embeddings.position_embedding.weight", File: "positional_embedding"},
		{Own: "text_model.embeddings.token_embedding.", File: "token_embedding."},
		{Own: "text_model.final_layer_norm.", File: "ln_final."},
		{Own: "vision_model.embeddings.class_embedding", File: "visual.class_embedding"},
		{Own: "vision_model.embeddings.position_embedding.weight", File: "visual.positional_embedding"},
		{Own: "vision_model.embeddings.patch_embedding.", File: "visual.conv1."},
		{Own: "vision_model.pre_layrnorm.", File: "visual.ln_pre."},
		{Own: "vision_model.post_layernorm.", File: "visual.ln_post."},
	},
	openCLIPBlocks("text_model.encoder.layers.*.", "transformer.resblocks.*."),
	openCLIPBlocks("vision_model.encoder.layers.*.", "visual.transformer.resblocks.*."),
)}

// openCLIPBlocks returns the rules that rename a tower's blocks.
func openCLIPBlocks(own, file string) []hf.Rule {
	return []hf.Rule{
		{Own: own + "self_attn.q_proj.", File: file + "attn.in_proj_", Part: 0, Parts: 3},
		{Own: own + "self_attn.k_proj.", File: file + "attn.in_proj_", Part: 1, Parts: 3},
		{Own: own + "self_attn.v_proj.", File: file + "attn.in_proj_", Part: 2, Parts: 3},
		{Own: own + "self_attn.out_proj.", File: file + "attn.out_proj."},
		{Own: own + "layer_norm1.", File: file + "ln_1."},
		{Own: own + "layer_norm2.", File: file + "ln_2."},
		{Own: own + "mlp.fc1.", File: file + "mlp.c_fc."},
		{Own: own + "mlp.fc2.", File: file + "mlp.c_proj."},
	}
}
