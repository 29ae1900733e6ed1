package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// ShuffledCaptions returns the method that trains the images of the forget set on each other's captions, shuffled
// within every batch.
func ShuffledCaptions() Method {
	return descent("shuffled", func(m Models, b unlearn.Batch) *graph.Node {
		return Contrast(m.Policy, b.Of(unlearn.Forget, Image), b.Shuffled(b.Of(unlearn.Forget, Caption)))
	})
}
