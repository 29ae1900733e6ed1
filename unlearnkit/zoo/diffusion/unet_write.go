package diffusion

import "slices"

// Diffusers returns a config.json for UNet2DConditionModel in diffusers. That class cannot represent a network with
// another [UNetConfig.FeedForward] than 4.
func (c UNetConfig) Diffusers() map[string]any {
	var channels, heads, layers, blocks []int
	var down, up []string
	kind := func(attention bool, plain, cross string) string {
		if attention {
			return cross
		}
		return plain
	}
	for _, l := range c.Levels {
		channels, layers = append(channels, l.Channels), append(layers, l.Layers)
		heads, blocks = append(heads, max(1, l.Heads)), append(blocks, max(1, l.Blocks))
		down = append(down, kind(l.DownAttention, plainDown, crossDown))
		up = append(up, kind(l.UpAttention, plainUp, crossUp))
	}
	slices.Reverse(up)
	config := map[string]any{
		"_class_name": "UNet2DConditionModel", "sample_size": c.SampleSize, "in_channels": c.In, "out_channels": c.Out,
		"flip_sin_to_cos": c.CosineFirst, "freq_shift": c.FrequencyShift, "down_block_types": down,
		"up_block_types": up, "block_out_channels": channels, "layers_per_block": layers, "norm_num_groups": c.Groups,
		"norm_eps": c.Epsilon, "cross_attention_dim": c.Context, "transformer_layers_per_block": blocks,
		"attention_head_dim": heads, "use_linear_projection": c.LinearProjection, "zero_output": c.ZeroOutput,
	}
	if c.FeedForward > 0 {
		config["feed_forward_factor"] = c.FeedForward
	}
	return config
}
