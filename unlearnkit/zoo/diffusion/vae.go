package diffusion

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// VAEConfig describes an autoencoder for pictures, AutoencoderKL of diffusers.
type VAEConfig struct {
	In, Out    int   // channels of pictures
	Latent     int   // channels of latents
	SampleSize int   // height and width of the pictures for which the model was made; others work too
	Channels   []int // channels at each resolution, beginning with the full one; each is half the previous one
	Layers     int   // number of residual blocks at each resolution in the encoder; the decoder has one more
	Groups     int   // number of groups in all group normalisations
	Scale      float64
	Quant      bool // use_quant_conv: 1×1 convolution after the encoder
	PostQuant  bool // use_post_quant_conv: 1×1 convolution before the decoder
	Attention  bool // mid_block_add_attention
}

// StableDiffusionVAE returns the configuration of the autoencoder in Stable Diffusion 1.x, with 83,653,863 parameters.
func StableDiffusionVAE() VAEConfig {
	return VAEConfig{
		In: 3, Out: 3, Latent: 4, SampleSize: 512, Channels: []int{128, 256, 512, 512}, Layers: 2, Groups: 32,
		Scale: .18215,
		Quant: true, PostQuant: true, Attention: true,
	}
}

// vaeFile is the config.json of an AutoencoderKL in diffusers.
type vaeFile struct {
	In         int      `json:"in_channels"`
	Out        int      `json:"out_channels"`
	Down       []string `json:"down_block_types"`
	Up         []string `json:"up_block_types"`
	Channels   []int    `json:"block_out_channels"`
	Layers     int      `json:"layers_per_block"`
	Latent     int      `json:"latent_channels"`
	Groups     int      `json:"norm_num_groups"`
	SampleSize int      `json:"sample_size"`
	Scale      float64  `json:"scaling_factor"`
	Quant      bool     `json:"use_quant_conv"`
	PostQuant  bool     `json:"use_post_quant_conv"`
	Attention  bool     `json:"mid_block_add_attention"`
	Upcast     bool     `json:"force_upcast"` // ignored, because everything is computed in float32
}

// ParseVAEConfig reads the config.json of an AutoencoderKL in diffusers. Missing fields have the defaults of that
// class.
func ParseVAEConfig(content []byte) (VAEConfig, error) {
	f := vaeFile{
		In: 3, Out: 3, Down: []string{"DownEncoderBlock2D"}, Up: []string{"UpDecoderBlock2D"}, Channels: []int{64},
		Layers: 1, Latent: 4, Groups: 32, SampleSize: 32,
		Scale: .18215, Quant: true, PostQuant: true, Attention: true,
	}
	if err := readOptions(content, "AutoencoderKL", &f, map[string]any{"act_fn": "silu"}); err != nil {
		return VAEConfig{}, err
	}
	for i, kind := range append(f.Down, f.Up...) {
		if want := map[bool]string{true: "DownEncoderBlock2D",
			false: "UpDecoderBlock2D"}[i < len(f.Down)]; kind != want {
			return VAEConfig{}, fmt.Errorf("AutoencoderKL's config: block %q is not known: %s", kind, want)
		}
	}
	if len(f.Down) != len(f.Channels) || len(f.Up) != len(f.Channels) {
		return VAEConfig{}, fmt.Errorf("AutoencoderKL's config: %d down blocks and %d up blocks for %d levels",
			len(f.Down), len(f.Up), len(f.Channels))
	}
	c := VAEConfig{f.In, f.Out, f.Latent, f.SampleSize, f.Channels, f.Layers, f.Groups, f.Scale, f.Quant, f.PostQuant,
		f.Attention}
	if err := c.Check(); err != nil {
		return VAEConfig{}, fmt.Errorf("AutoencoderKL's config: %w", err)
	}
	return c, nil
}

// Check returns an error for the first setting with which no autoencoder can be built.
func (c VAEConfig) Check() error {
	if len(c.Channels) < 1 || len(c.Channels) > maxLevels || c.Layers < 1 || c.Layers > maxLayers {
		return fmt.Errorf("a VAE of %d levels with %d layers; it needs 1 to %d and 1 to %d", len(c.Channels), c.Layers,
			maxLevels, maxLayers)
	}
	for _, width := range []int{c.In, c.Out, c.Latent, c.Groups} {
		if width < 1 || width > maxChannels {
			return fmt.Errorf("a VAE with %d, %d and %d channels in %d groups; it needs 1 to %d of each", c.In, c.Out,
				c.Latent, c.Groups, maxChannels)
		}
	}
	for i, width := range c.Channels {
		if width < 1 || width > maxChannels || width%c.Groups != 0 {
			return fmt.Errorf("level %d of a VAE: %d channels cannot be normalised in %d groups", i, width, c.Groups)
		}
	}
	if c.Scale == 0 {
		return fmt.Errorf("a VAE with scaling_factor 0")
	}
	return nil
}

func (c VAEConfig) norm() norm { return norm{c.Groups, transformerEpsilon} }

// Factor returns the number of pixels per latent position along an edge.
func (c VAEConfig) Factor() int { return 1 << (len(c.Channels) - 1) }

// Encode returns the mean and the logarithm of the variance of the latents of pictures [B, In, H, W]. Both are [B,
// Latent, h, w] and not scaled. Height and width must be multiples of [VAEConfig.Factor].
func Encode(scope *model.Scope, c VAEConfig, sample *graph.Node) (mean, logVariance *graph.Node) {
	encoder, last := scope.At("encoder"), len(c.Channels)-1
	x := convolution3(encoder.At("conv_in"), channelsLast(sample), c.Channels[0])
	for i, width := range c.Channels {
		block := encoder.At("down_blocks").At("%d", i)
		for j := range c.Layers {
			x = residual(block.At("resnets").At("%d", j), x, nil, width, c.norm())
		}
		if i < last {
			x = halve(block, x, false)
		}
	}
	x = c.middle(encoder.At("mid_block"), x)
	x = convolution3(encoder.At("conv_out"), nn.SiLU(c.norm().apply(encoder.At("conv_norm_out"), x)), 2*c.Latent)
	if c.Quant {
		x = convolution1(scope.At("quant_conv"), x, 2*c.Latent)
	}
	x = channelsFirst(x)
	all := graph.AxisRange()
	mean = graph.Slice(x, all, graph.AxisRange(0, c.Latent), all, all)
	logVariance = graph.ClipScalar(graph.Slice(x, all, graph.AxisRange(c.Latent, 2*c.Latent), all, all), -30, 20)
	return mean, logVariance
}

// SampleLatent draws latents from the results of [Encode]. The noise is standard normal, has the mean's shape and comes
// from the host.
func SampleLatent(mean, logVariance, noise *graph.Node) *graph.Node {
	return graph.Add(mean, graph.Mul(graph.Exp(graph.MulScalar(logVariance, .5)), noise))
}

// Decode returns the pictures [B, Out, H, W] of unscaled latents [B, Latent, h, w].
func Decode(scope *model.Scope, c VAEConfig, latent *graph.Node) *graph.Node {
	x := channelsLast(latent)
	if c.PostQuant {
		x = convolution1(scope.At("post_quant_conv"), x, c.Latent)
	}
	decoder, last := scope.At("decoder"), len(c.Channels)-1
	x = convolution3(decoder.At("conv_in"), x, c.Channels[last])
	x = c.middle(decoder.At("mid_block"), x)
	for i := range c.Channels {
		block := decoder.At("up_blocks").At("%d", i)
		for j := range c.Layers + 1 {
			x = residual(block.At("resnets").At("%d", j), x, nil, c.Channels[last-i], c.norm())
		}
		if i < last {
			size := x.Shape().Dimensions
			x = enlarge(block, x, 2*size[1], 2*size[2])
		}
	}
	x = nn.SiLU(c.norm().apply(decoder.At("conv_norm_out"), x))
	return channelsFirst(convolution3(decoder.At("conv_out"), x, c.Out))
}

// middle applies UNetMidBlock2D of diffusers, in which all positions attend to each other with one head.
func (c VAEConfig) middle(scope *model.Scope, x *graph.Node) *graph.Node {
	width := channels(x)
	x = residual(at(scope, "resnets.0"), x, nil, width, c.norm())
	if c.Attention {
		attention := at(scope, "attentions.0")
		h := sequence(c.norm().apply(attention.At("group_norm"), x))
		h = attend(attention, h, h, 1, attentionOptions{bias: true})
		x = graph.Add(x, graph.Reshape(h, x.Shape().Dimensions...))
	}
	return residual(at(scope, "resnets.1"), x, nil, width, c.norm())
}

// Pictures decodes latents that a UNet returned.
func Pictures(scope *model.Scope, c VAEConfig, latents *graph.Node) *graph.Node {
	return Decode(scope, c, graph.MulScalar(latents, 1/c.Scale))
}
