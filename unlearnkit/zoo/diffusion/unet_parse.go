package diffusion

import "fmt"

// unetFile is the config.json of a UNet2DConditionModel in diffusers.
type unetFile struct {
	SampleSize       *int     `json:"sample_size"`
	In               int      `json:"in_channels"`
	Out              int      `json:"out_channels"`
	CosineFirst      bool     `json:"flip_sin_to_cos"`
	FrequencyShift   float64  `json:"freq_shift"`
	Down             []string `json:"down_block_types"`
	Up               []string `json:"up_block_types"`
	Channels         []int    `json:"block_out_channels"`
	Layers           integers `json:"layers_per_block"`
	Groups           int      `json:"norm_num_groups"`
	Epsilon          float64  `json:"norm_eps"`
	Context          int      `json:"cross_attention_dim"`
	Blocks           integers `json:"transformer_layers_per_block"`
	Heads            integers `json:"attention_head_dim"`
	LinearProjection bool     `json:"use_linear_projection"`
	FeedForward      int      `json:"feed_forward_factor"` // not in diffusers, where the factor is always 4
	ZeroOutput       bool     `json:"zero_output"`         // not in diffusers, where the numbers are random
}

// otherUNetOptions holds the required values of options of diffusers that this package does not change.
var otherUNetOptions = map[string]any{
	"mid_block_type": "UNetMidBlock2DCrossAttn", "downsample_padding": 1., "mid_block_scale_factor": 1., "dropout": 0.,
	"act_fn":                  "silu",
	"resnet_time_scale_shift": "default", "resnet_out_scale_factor": 1., "time_embedding_type": "positional",
	"conv_in_kernel": 3., "conv_out_kernel": 3.,
	"attention_type": "default", "addition_embed_type_num_heads": 64.,
}

// ParseUNetConfig reads the config.json of a UNet2DConditionModel in diffusers. Missing fields have the defaults of
// that class.
func ParseUNetConfig(content []byte) (UNetConfig, error) {
	f := unetFile{
		In: 4, Out: 4, CosineFirst: true, Groups: 32, Epsilon: 1e-5, Context: 1280,
		Channels: []int{320, 640, 1280, 1280},
		Down:     []string{crossDown, crossDown, crossDown, plainDown},
		Up:       []string{plainUp, crossUp, crossUp, crossUp},
		Layers:   integers{values: []int{2}, single: true},
		Blocks:   integers{values: []int{1}, single: true},
		Heads:    integers{values: []int{8}, single: true},
	}
	if err := readOptions(content, "UNet2DConditionModel", &f, otherUNetOptions); err != nil {
		return UNetConfig{}, err
	}
	c := UNetConfig{
		In: f.In, Out: f.Out, Context: f.Context, Groups: f.Groups, Epsilon: f.Epsilon, CosineFirst: f.CosineFirst,
		FrequencyShift:   f.FrequencyShift,
		LinearProjection: f.LinearProjection, FeedForward: f.FeedForward, ZeroOutput: f.ZeroOutput,
	}
	if f.SampleSize != nil {
		c.SampleSize = *f.SampleSize
	}
	err := c.addLevels(f)
	if err == nil {
		err = c.Check()
	}
	if err != nil {
		return UNetConfig{}, fmt.Errorf("UNet2DConditionModel's config: %w", err)
	}
	return c, nil
}

// Kinds of blocks.
const (
	plainDown, crossDown = "DownBlock2D", "CrossAttnDownBlock2D"
	plainUp, crossUp     = "UpBlock2D", "CrossAttnUpBlock2D"
)

func (c *UNetConfig) addLevels(f unetFile) error {
	n := len(f.Channels)
	if len(f.Down) != n || len(f.Up) != n {
		return fmt.Errorf("%d down blocks and %d up blocks for %d levels", len(f.Down), len(f.Up), n)
	}
	layers, err := f.Layers.over("layers_per_block", n)
	if err != nil {
		return err
	}
	blocks, err := f.Blocks.over("transformer_layers_per_block", n)
	if err != nil {
		return err
	}
	heads, err := f.Heads.over("attention_head_dim", n)
	if err != nil {
		return err
	}
	for i := range n {
		down, up := f.Down[i], f.Up[n-1-i]
		if down != plainDown && down != crossDown {
			return fmt.Errorf("down block %q is not known: %s or %s", down, plainDown, crossDown)
		}
		if up != plainUp && up != crossUp {
			return fmt.Errorf("up block %q is not known: %s or %s", up, plainUp, crossUp)
		}
		c.Levels = append(c.Levels, Level{f.Channels[i], layers[i], down == crossDown, up == crossUp, heads[i],
			blocks[i]})
	}
	return nil
}
