package llava

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"
)

// Choose returns, for each prompt, the index of the most probable next token among the given tokens. If several are
// equally probable, it returns the first.
func (g *Generator) Choose(ctx context.Context, prompts []Prompt, among ...int32) ([]int, error) {
	for _, token := range among {
		if token < 0 || int(token) >= g.decoder.Vocabulary {
			return nil, fmt.Errorf("choose among tokens: %d is outside the vocabulary's 0 to %d", token,
				g.decoder.Vocabulary-1)
		}
	}
	state, err := g.begin(ctx, prompts, 1)
	if err != nil {
		return nil, err
	}
	defer state.free()
	values := tensors.MustCopyFlatData[float32](state.logits)
	chosen := make([]int, len(prompts))
	for row := range chosen {
		logits := values[row*g.decoder.Vocabulary : (row+1)*g.decoder.Vocabulary]
		for i, token := range among {
			if logits[token] > logits[among[chosen[row]]] {
				chosen[row] = i
			}
		}
	}
	return chosen, nil
}
