package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// NegativeGradient returns the method that climbs the training loss on the forget set.
func NegativeGradient() Method {
	return descent("negative", func(m Models, b unlearn.Batch) *graph.Node {
		return graph.Neg(Contrast(m.Policy, b.Of(unlearn.Forget, Image), b.Of(unlearn.Forget, Caption)))
	})
}
