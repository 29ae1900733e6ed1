package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// CLIPErase returns SALMUBench's form of CLIPErase (Yang et al., 2025): the loss of [DELETE], plus a term that keeps
// the embeddings of the retain rows at the frozen model's.
func CLIPErase() Method {
	return pairedDescent("cliperase", func(m Models, b unlearn.Batch) *graph.Node {
		p := readPairs(m, b)
		consistency := graph.Add(SquaredError(p.retainImages, p.keptImages), SquaredError(p.retainTexts, p.keptTexts))
		return graph.Add(p.disassociate(), consistency)
	})
}
