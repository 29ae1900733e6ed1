package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// DirectSimilarity drives the cosine of each image of the forget set with its caption down: the loss is its mean.
func DirectSimilarity() Method {
	return descent("direct", func(m Models, b unlearn.Batch) *graph.Node {
		images, captions := m.Policy.Image(b.Of(unlearn.Forget, Image)), m.Policy.Text(b.Of(unlearn.Forget, Caption))
		return graph.ReduceAllMean(Cosines(images, captions))
	})
}
