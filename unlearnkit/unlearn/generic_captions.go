package unlearn

import "github.com/gomlx/gomlx/core/graph"

// GenericCaptions trains the images of the forget set on captions that say nothing of the person.
func GenericCaptions() Method {
	return descent("generic", "Generic Captions", 3e-7, func(m Models, b Batch) *graph.Node {
		return Contrast(m.Policy, b.Of(Forget, Image), b.Of(Forget, Generic))
	})
}
