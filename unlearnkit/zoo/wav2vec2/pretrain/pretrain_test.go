package pretrain_test

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

// smallEncoder is an encoder whose step takes milliseconds.
func smallEncoder() wav2vec2.Config {
	c := wav2vec2.SmallGroup()
	c.ConvDim, c.HiddenSize, c.IntermediateSize = []int{8, 8, 8}, 16, 24
	c.NumConvPosEmbeddings = 4
	c.MaskTimeProb, c.MaskTimeLength = 0.5, 3
	return c
}

// clips are tones of different heights with some noise.
func clips(count, samples int) pretrain.Clips {
	random := seed.Stream(1, "clips")
	all := pretrain.Clips{Samples: make([][]float32, count)}
	for clip := range all.Samples {
		for i := range samples {
			tone := math.Sin(float64(i) * (0.2 + 0.1*float64(clip%4)) * (1 + 0.3*float64(i/200%3)))
			all.Samples[clip] = append(all.Samples[clip], float32(tone+0.1*random.NormFloat64()))
		}
	}
	return all
}
