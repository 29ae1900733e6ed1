package pretrain

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Steps returns the steps for training a model to read the text of each clip.
func (c CTC) Steps(plan Plan, texts []string) (Steps, error) {
	if err := plan.check(); err != nil {
		return Steps{}, err
	}
	labels, err := c.spell(plan, texts)
	if err != nil {
		return Steps{}, err
	}
	longest := 1
	for _, numbers := range labels {
		longest = max(longest, len(numbers))
	}
	walk := train.NewWalk(plan.Seed, "ctc", len(plan.Clips.Samples))
	return Steps{
		Loss: func(root *model.Scope, inputs []*graph.Node) *graph.Node {
			in, rest := plan.take(inputs)
			return c.Loss(c.Logits(root.At("%s", plan.Scope), plan.Encoder, in), rest[0], rest[1])
		},
		Batch: func(step int) (train.Batch, error) {
			rows := walk.Rows(step*plan.Rows, plan.Rows)
			inputs, lengths := plan.soundInputs(rows, seed.Stream(plan.Seed, "ctc", "step", step))
			frames := make([]int32, len(rows))
			flat := make([]int32, len(rows)*longest)
			for i := range flat {
				flat[i] = -1
			}
			for row, clip := range rows {
				frames[row] = int32(plan.Encoder.Frames(lengths[row]))
				copy(flat[row*longest:], labels[clip])
			}
			inputs = append(inputs, tensors.FromFlatDataAndDimensions(frames, len(rows)),
				tensors.FromFlatDataAndDimensions(flat, len(rows), longest))
			return train.Batch{Inputs: inputs, Examples: plan.Rows}, nil
		},
	}, nil
}

// spell returns the labels of the texts. It returns an error if a text does not fit in its clip.
func (c CTC) spell(plan Plan, texts []string) ([][]int32, error) {
	if c.Alphabet.Size() < 2 {
		return nil, errors.New("CTC: the alphabet has no letters: make one with NewAlphabet")
	}
	if len(texts) != len(plan.Clips.Samples) {
		return nil, fmt.Errorf("CTC: %d clips have %d texts", len(plan.Clips.Samples), len(texts))
	}
	labels := make([][]int32, len(texts))
	for i, text := range texts {
		if !utf8.ValidString(text) {
			return nil, fmt.Errorf("CTC: the text of clip %d is not UTF-8", i)
		}
		numbers, err := c.Alphabet.Encode(text)
		if err != nil {
			return nil, fmt.Errorf("CTC: clip %d: %w", i, err)
		}
		if least, frames := framesFor(numbers), plan.Encoder.Frames(plan.Clips.length(i)); least > frames {
			return nil, fmt.Errorf("CTC: the text of clip %d, %.60q, takes %d frames, the encoder makes %d of it", i,
				text, least, frames)
		}
		labels[i] = numbers
	}
	return labels, nil
}
