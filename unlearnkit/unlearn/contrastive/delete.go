package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// DELETE returns SALMUBench's form of DELETE (Zhou et al., 2025): cosines of the forget set go to zero, and cosines of
// the retain set stay at the frozen model's.
//
//	mean (v_f·t_f)² + mean (v_r·t_r - v°_r·t°_r)²
//
// The paper does not print the target of the first term; its similarities converge to zero.
func DELETE() Method {
	return pairedDescent("delete", func(m Models, b unlearn.Batch) *graph.Node {
		return readPairs(m, b).disassociate()
	})
}

// pairs holds the embeddings of the rows of a step.
type pairs struct {
	forgetImages, forgetTexts, retainImages, retainTexts *graph.Node
	keptImages, keptTexts                                *graph.Node // the frozen model's embeddings of the retain rows
}

func readPairs(m Models, b unlearn.Batch) pairs {
	return pairs{
		m.Policy.Image(b.Of(unlearn.Forget, Image)), m.Policy.Text(b.Of(unlearn.Forget, Caption)),
		m.Policy.Image(b.Of(unlearn.Retain, Image)), m.Policy.Text(b.Of(unlearn.Retain, Caption)),
		m.Reference.Image(b.Of(unlearn.Retain, Image)), m.Reference.Text(b.Of(unlearn.Retain, Caption)),
	}
}

func (p pairs) disassociate() *graph.Node {
	forgotten := graph.ReduceAllMean(graph.Square(Cosines(p.forgetImages, p.forgetTexts)))
	return graph.Add(forgotten, SquaredError(Cosines(p.retainImages, p.retainTexts),
		Cosines(p.keptImages, p.keptTexts)))
}
