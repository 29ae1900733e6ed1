package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// DirectSimilarity returns the method that lowers the cosine of each image of the forget set with its caption. Its loss
// is the mean cosine.
func DirectSimilarity() Method {
	return descent("direct", func(m Models, b unlearn.Batch) *graph.Node {
		images, captions := m.Policy.Image(b.Of(unlearn.Forget, Image)), m.Policy.Text(b.Of(unlearn.Forget, Caption))
		return graph.ReduceAllMean(Cosines(images, captions))
	})
}
