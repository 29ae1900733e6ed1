package unlearn

import "github.com/gomlx/gomlx/core/graph"

// DirectSimilarity drives the cosine of each image of the forget set with its caption down: the loss is its mean.
func DirectSimilarity() Method {
	return descent("direct", "Direct Sim. Minimization", 3e-8, func(m Models, b Batch) *graph.Node {
		return graph.ReduceAllMean(Cosines(m.Policy.Image(b.Of(Forget, Image)), m.Policy.Text(b.Of(Forget, Caption))))
	})
}
