package wav2vec2

// Base returns the configuration of wav2vec2-base, pre-trained on Librispeech, with 94,371,712 parameters without the
// head.
func Base() Config {
	c := defaults(wav2vec2Type)
	c.ActivationDropout, c.FeatProjDropout, c.LayerDrop = 0, 0.1, 0.05
	return c
}

// HubertBase returns the configuration of hubert-base-ls960 (Hsu et al., 2021), which has the size of Base.
func HubertBase() Config {
	c := defaults(hubertType)
	c.FeatProjDropout = 0.1
	return c
}

// XLSR300M returns the configuration of XLS-R with 300 million parameters for 128 languages (Babu et al., 2021).
// XLSR-53 is the same model with other training data. Both have 315,438,720 parameters without the head.
func XLSR300M() Config {
	c := defaults(wav2vec2Type)
	c.HiddenSize, c.NumHiddenLayers, c.NumAttentionHeads, c.IntermediateSize = 1024, 24, 16, 4096
	c.ConvBias, c.FeatExtractNorm, c.DoStableLayerNorm = true, layerNorm, true
	c.ActivationDropout, c.FeatProjDropout, c.MaskTimeProb = 0, 0.1, 0.075
	return c
}

// SmallGroup returns the configuration of a small model with the normalisation of Base and HubertBase, for clips of
// half a second at 8 kHz.
func SmallGroup() Config { return small(Base()) }

// SmallLayer returns the configuration of a small model with the normalisation of XLSR300M.
func SmallLayer() Config { return small(XLSR300M()) }

func small(c Config) Config {
	c.ConvDim, c.ConvKernel, c.ConvStride = []int{16, 16, 16}, []int{10, 8, 4}, []int{5, 4, 2}
	c.HiddenSize, c.NumHiddenLayers, c.NumAttentionHeads, c.IntermediateSize = 48, 2, 4, 96
	c.NumConvPosEmbeddings, c.NumConvPosEmbeddingGroups, c.ClassifierProjSize = 16, 4, 32
	return c
}
