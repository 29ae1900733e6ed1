package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Contrast is CLIP's loss of a batch of images with their texts: the mean of the cross-entropies by rows and by
// columns.
func Contrast(m View, pixels, ids *graph.Node) *graph.Node {
	return clip.ContrastiveLoss(m.Logits(m.Image(pixels), m.Text(ids)))
}

// Cosines are the cosines of vectors of length one, row by row.
func Cosines(a, b *graph.Node) *graph.Node { return graph.ReduceSum(graph.Mul(a, b), -1) }

// SquaredError is the mean over all elements of the squared difference.
func SquaredError(a, b *graph.Node) *graph.Node {
	return graph.ReduceAllMean(graph.Square(graph.Sub(a, b)))
}
