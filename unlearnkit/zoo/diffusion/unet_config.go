package diffusion

import "fmt"

// UNetConfig describes a network that predicts noise, UNet2DConditionModel of diffusers.
type UNetConfig struct {
	In, Out    int     // channels of the sample and the output
	SampleSize int     // height and width for which the model was made; others work too
	Levels     []Level // resolutions, beginning with the full one; each is half the previous one
	Context    int     // width of the text's hidden states
	Groups     int     // number of groups in all group normalisations
	Epsilon    float64 // epsilon of the residual blocks' normalisations

	CosineFirst      bool    // flip_sin_to_cos: cosines of the timestep come before sines
	FrequencyShift   float64 // freq_shift: the slowest frequency is 10000^(-(half-1)/(half-shift))
	LinearProjection bool    // transformers begin and end with linear layers, not 1×1 convolutions
	FeedForward      int     // width of a transformer's hidden layer relative to its input; 0 means 4, as in diffusers
	// keys and values of the first token have no gradient, as in the code of Ablating Concepts
	HoldFirst  bool
	ZeroOutput bool // the last convolution is initially zero instead of random, as it is in diffusers
}

// Level describes a UNet at one resolution, both on the way down and on the way up.
type Level struct {
	Channels int
	Layers   int // number of residual blocks on the way down; on the way up, there is one more
	// a transformer follows each residual block (CrossAttnDownBlock2D, CrossAttnUpBlock2D)
	DownAttention, UpAttention bool
	// number of attention heads, called attention_head_dim in the files of diffusers
	Heads  int
	Blocks int // number of blocks per transformer
}

// StableDiffusionUNet returns the configuration of Stable Diffusion 1.x, with 859,520,964 parameters.
func StableDiffusionUNet() UNetConfig {
	level := func(channels int, attention bool) Level {
		return Level{Channels: channels, Layers: 2, DownAttention: attention, UpAttention: attention, Heads: 8,
			Blocks: 1}
	}
	return UNetConfig{
		In: 4, Out: 4, SampleSize: 64, Context: 768, Groups: 32, Epsilon: 1e-5, CosineFirst: true,
		Levels: []Level{level(320, true), level(640, true), level(1280, true), level(1280, false)},
	}
}

func (c UNetConfig) timeWidth() int { return 4 * c.Levels[0].Channels }

// Maximum numbers in a configuration file, far above those of published models.
const (
	maxLevels   = 16
	maxLayers   = 64
	maxChannels = 1 << 16
)

// Check returns an error for the first setting with which no network can be built.
func (c UNetConfig) Check() error {
	if len(c.Levels) < 1 || len(c.Levels) > maxLevels {
		return fmt.Errorf("a UNet of %d levels; it needs 1 to %d", len(c.Levels), maxLevels)
	}
	for _, width := range []struct {
		name  string
		value int
	}{{"in_channels", c.In}, {"out_channels", c.Out}, {"cross_attention_dim", c.Context},
		{"norm_num_groups", c.Groups}} {
		if width.value < 1 || width.value > maxChannels {
			return fmt.Errorf("a UNet with %s %d; it needs 1 to %d", width.name, width.value, maxChannels)
		}
	}
	if !(c.Epsilon > 0 && c.Epsilon < 1) || c.FeedForward < 0 || c.FeedForward > maxLayers {
		return fmt.Errorf("a UNet with norm_eps %g and a feed-forward factor of %d", c.Epsilon, c.FeedForward)
	}
	if c.Levels[0].Channels%2 != 0 || !(c.FrequencyShift >= 0) || c.FrequencyShift >= float64(c.Levels[0].Channels)/2 {
		return fmt.Errorf("a UNet with %d channels and freq_shift %g has no sinusoids for its timesteps",
			c.Levels[0].Channels, c.FrequencyShift)
	}
	for i, l := range c.Levels {
		attends := l.DownAttention || l.UpAttention || i == len(c.Levels)-1
		if err := l.check(c.Groups, attends); err != nil {
			return fmt.Errorf("level %d of a UNet: %w", i, err)
		}
	}
	return nil
}

func (l Level) check(groups int, attends bool) error {
	switch {
	case l.Channels < 1 || l.Channels > maxChannels || l.Channels%groups != 0:
		return fmt.Errorf("%d channels cannot be normalised in %d groups", l.Channels, groups)
	case l.Layers < 1 || l.Layers > maxLayers:
		return fmt.Errorf("%d layers; it needs 1 to %d", l.Layers, maxLayers)
	case attends && (l.Heads < 1 || l.Channels%l.Heads != 0):
		return fmt.Errorf("%d channels cannot be shared by %d heads", l.Channels, l.Heads)
	case attends && (l.Blocks < 1 || l.Blocks > maxLayers):
		return fmt.Errorf("%d blocks in a transformer; it needs 1 to %d", l.Blocks, maxLayers)
	}
	return nil
}
