package pretrain

import "github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"

// Small returns a small encoder with the kind and norms of c, for a second or two of speech at 8 kHz on a processor. It
// has three layers of width 64. A frame covers 416 samples, every 160 samples, 20 ms as in the full-size models.
//
// At this size the cost of convolutions is in the activations and norms after them, so the first one has a stride of 16
// samples. The full-size models have a stride of 5, which is the same time at twice the sampling rate, and five more
// convolutions.
func Small(c wav2vec2.Config) wav2vec2.Config {
	c.ConvDim, c.ConvKernel, c.ConvStride = []int{32, 32, 32}, []int{32, 10, 4}, []int{16, 5, 2}
	c.HiddenSize, c.NumHiddenLayers, c.NumAttentionHeads, c.IntermediateSize = 64, 3, 4, 128
	c.NumConvPosEmbeddings, c.NumConvPosEmbeddingGroups, c.ClassifierProjSize = 16, 4, 64
	c.ApplySpecAugment, c.MaskTimeProb, c.MaskTimeLength = true, 0.5, 4
	c.HiddenDropout, c.AttentionDropout, c.ActivationDropout, c.FeatProjDropout = 0, 0, 0, 0
	c.LayerDrop = 0
	return c
}
