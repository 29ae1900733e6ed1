package classifying

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// WholeWav2Vec2 is [Wav2Vec2] of a model that is not [Headed], so that every step runs all of it.
func WholeWav2Vec2(config wav2vec2.Config, streams unlearn.Streams) Task {
	return NewTask(struct{ Model }{speech{config}}, streams)
}

// MostFeatures is the bound on what is held in memory.
const MostFeatures = mostFeatures
