package unlearn

import "github.com/gomlx/gomlx/core/graph"

// ShuffledCaptions trains the images of the forget set on each other's captions, shuffled anew within every batch.
func ShuffledCaptions() Method {
	return descent("shuffled", "Shuffled Captions", 5e-7, func(m Models, b Batch) *graph.Node {
		return Contrast(m.Policy, b.Of(Forget, Image), b.Shuffled(b.Of(Forget, Caption)))
	})
}
