package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Contrast returns CLIP's loss for a batch of images with their texts: the mean of the cross-entropies by rows and by
// columns.
func Contrast(m View, pixels, ids *graph.Node) *graph.Node {
	return clip.ContrastiveLoss(m.Logits(m.Image(pixels), m.Text(ids)))
}

// Cosines returns the cosines of vectors of length one, row by row.
func Cosines(a, b *graph.Node) *graph.Node { return graph.ReduceSum(graph.Mul(a, b), -1) }

// SquaredError returns the mean squared difference over all elements.
func SquaredError(a, b *graph.Node) *graph.Node {
	return graph.ReduceAllMean(graph.Square(graph.Sub(a, b)))
}
