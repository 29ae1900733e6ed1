package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// GenericCaptions returns the method that trains the images of the forget set on captions without information about the
// person.
func GenericCaptions() Method {
	return descent("generic", func(m Models, b unlearn.Batch) *graph.Node {
		return Contrast(m.Policy, b.Of(unlearn.Forget, Image), b.Of(unlearn.Forget, Generic))
	})
}
