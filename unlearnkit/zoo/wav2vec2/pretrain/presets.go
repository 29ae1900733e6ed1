package pretrain

import "github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"

// Small returns a small encoder of the same type and with the same norms as c, for training on one or two seconds of
// speech at 8 kHz on a processor. It has three layers of width 64. A frame covers 416 samples and begins every 160
// samples, which is 20 ms as in the full-size models.
//
// At this size, most of the cost of the convolutions is for the activations and norms after them, so the first has a
// stride of 16 samples. In the full-size models, it has a stride of 5 at twice the sampling rate, and there are four
// more convolutions.
func Small(c wav2vec2.Config) wav2vec2.Config {
	c.ConvDim, c.ConvKernel, c.ConvStride = []int{32, 32, 32}, []int{32, 10, 4}, []int{16, 5, 2}
	c.HiddenSize, c.NumHiddenLayers, c.NumAttentionHeads, c.IntermediateSize = 64, 3, 4, 128
	c.NumConvPosEmbeddings, c.NumConvPosEmbeddingGroups, c.ClassifierProjSize = 16, 4, 64
	c.ApplySpecAugment, c.MaskTimeProb, c.MaskTimeLength = true, 0.5, 4
	c.HiddenDropout, c.AttentionDropout, c.ActivationDropout, c.FeatProjDropout = 0, 0, 0, 0
	c.LayerDrop = 0
	return c
}
