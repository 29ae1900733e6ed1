package unlearn

import "github.com/gomlx/gomlx/core/graph"

// NegativeGradient climbs the loss that training descended.
func NegativeGradient() Method {
	return descent("negative", "Negative Gradient", 3e-8, func(m Models, b Batch) *graph.Node {
		return graph.Neg(Contrast(m.Policy, b.Of(Forget, Image), b.Of(Forget, Caption)))
	})
}
