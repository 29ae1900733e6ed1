package llava

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// candidatesAtOnce is the number of continuations scored in one run of the decoder.
const candidatesAtOnce = 16

// LogProbs returns the log-probability of each token in each candidate continuation of a prompt, given the prompt and
// the preceding tokens. It reads the prompt once.
func (g *Generator) LogProbs(ctx context.Context, prompt Prompt, candidates [][]int32) ([][]float64, error) {
	longest := 0
	for i, candidate := range candidates {
		if len(candidate) == 0 || slices.ContainsFunc(candidate, func(id int32) bool {
			return id < 0 || int(id) >= g.decoder.Vocabulary
		}) {
			return nil, fmt.Errorf("candidate %d: it is empty or has an id outside the vocabulary's 0 to %d", i,
				g.decoder.Vocabulary-1)
		}
		longest = max(longest, len(candidate))
	}
	if longest == 0 {
		return nil, nil
	}
	state, err := g.begin(ctx, []Prompt{prompt}, longest)
	if err != nil {
		return nil, err
	}
	defer state.free()
	// With an additional first token in place of the last one of the prompt, LogProbs can be applied to the whole row.
	score, err := g.program("score candidates", func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		ids, used, first, m := inputs[0], inputs[1], inputs[2], g.decoder.memoryOf(inputs[3:])
		hidden, _ := g.decoder.extend(scope, g.decoder.Embed(scope, ids), used, m)
		logits := g.decoder.output(scope, hidden)
		shape := logits.Shape().Dimensions
		logits = graph.Concatenate([]*graph.Node{graph.BroadcastToDims(first, shape[0], 1, shape[2]), logits}, 1)
		return []*graph.Node{LogProbs(logits,
			graph.Concatenate([]*graph.Node{graph.ZerosLike(graph.Slice(ids, graph.AxisRange(), graph.AxisRange(0, 1))),
				ids}, 1))}
	})
	if err != nil {
		return nil, err
	}
	var all [][]float64
	width := longest
	for part := range slices.Chunk(candidates, candidatesAtOnce) {
		ids := make([]int32, candidatesAtOnce*width)
		for row, candidate := range part {
			copy(ids[row*width:], candidate)
		}
		inputs := []any{tensors.FromFlatDataAndDimensions(ids, candidatesAtOnce, width),
			tensors.FromFlatDataAndDimensions(state.used, 1), state.logits}
		outputs, err := score.Run(ctx, append(inputs, anys(state.memory)...)...)
		if err != nil {
			return nil, err
		}
		values := tensors.MustCopyFlatData[float32](outputs[0])
		for row, candidate := range part {
			probabilities := make([]float64, len(candidate))
			for i := range probabilities {
				probabilities[i] = float64(values[row*width+i])
			}
			all = append(all, probabilities)
		}
	}
	return all, nil
}
