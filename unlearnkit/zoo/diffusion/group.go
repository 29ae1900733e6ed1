package diffusion

import "strings"

// Group reports whether a method trains a tensor of a UNet. Its argument is the tensor's path below the UNet's scope,
// such as "mid_block/attentions/0/transformer_blocks/0/attn2/to_k/weight".
type Group func(path string) bool

// Select returns a tensor's factor on the learning rate: 1 in the group, 0 outside it.
func (g Group) Select(path string) float64 {
	if g(path) {
		return 1
	}
	return 0
}

// Everything selects the whole UNet.
func Everything(string) bool { return true }

// CrossAttention selects the attention to the prompt, which ESD-x and, by default, SDD train.
func CrossAttention(path string) bool { return strings.Contains(path, "attn2") }

// SelfAttention selects the attention between positions in the picture.
func SelfAttention(path string) bool { return strings.Contains(path, "attn1") }

// KeysAndValues selects the keys and values of cross-attention, which are computed from the prompt. Ablating Concepts
// trains them.
func KeysAndValues(path string) bool {
	return strings.Contains(path, "attn2/to_k") || strings.Contains(path, "attn2/to_v")
}

// Unconditional selects what ESD-u trains in the release with published weights: everything except cross-attention, the
// timestep embedding and the output.
func Unconditional(path string) bool {
	return !CrossAttention(path) && !strings.HasPrefix(path, "time_embedding/") &&
		!strings.HasPrefix(path, "conv_norm_out/") && !strings.HasPrefix(path, "conv_out/")
}
