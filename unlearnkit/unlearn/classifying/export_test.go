package classifying

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// WholeWav2Vec2 returns the task of [Wav2Vec2] with a model that is not [Headed], so that every step runs the whole
// model.
func WholeWav2Vec2(config wav2vec2.Config, streams unlearn.Streams) Task {
	return NewTask(struct{ Model }{speech{config}}, streams)
}

// MostFeatures bounds the features in memory.
const MostFeatures = mostFeatures
