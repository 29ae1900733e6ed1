package diffusion

import "strings"

// Group is a set of a UNet's tensors, of which methods train one. It takes a tensor's path below the UNet's scope:
// "mid_block/attentions/0/transformer_blocks/0/attn2/to_k/weight".
type Group func(path string) bool

// Select gives the factor on the learning rate that an optimizer wants of a variable: 1 within the group, 0 outside.
func (g Group) Select(path string) float64 {
	if g(path) {
		return 1
	}
	return 0
}

// Everything is the whole UNet.
func Everything(string) bool { return true }

// CrossAttention is the attention to the prompt: what ESD-x trains, and SDD unless told otherwise.
func CrossAttention(path string) bool { return strings.Contains(path, "attn2") }

// SelfAttention is the places' attention to each other.
func SelfAttention(path string) bool { return strings.Contains(path, "attn1") }

// KeysAndValues is the part of cross-attention that reads the prompt: what Ablating Concepts trains.
func KeysAndValues(path string) bool {
	return strings.Contains(path, "attn2/to_k") || strings.Contains(path, "attn2/to_v")
}

// Unconditional is what ESD-u trains in the release whose weights were published: all but cross-attention, the
// embedding of the timestep and the output.
func Unconditional(path string) bool {
	return !CrossAttention(path) && !strings.HasPrefix(path, "time_embedding/") &&
		!strings.HasPrefix(path, "conv_norm_out/") && !strings.HasPrefix(path, "conv_out/")
}
