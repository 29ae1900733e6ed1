package train

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

// lending adapts an artist's model to the interface that methods use.
type lending struct {
	denoising.Diffusion
	artist *artist
}

// Sampler implements [denoising.Model]. For the model's own scope it returns the artist's sampler, whose graphs are
// already compiled.
func (l lending) Sampler(scope *model.Scope) (denoising.Sampler, error) {
	if scope.Scope() != l.artist.scope().Scope() {
		return l.Diffusion.Sampler(scope)
	}
	if l.artist.sampler == nil {
		sampler, err := l.Diffusion.Sampler(scope)
		if err != nil {
			return nil, err
		}
		l.artist.sampler = sampler
	}
	return lent{l.artist.sampler}, nil
}

// lent is a sampler whose Close does nothing, so that it can be reused.
type lent struct{ denoising.Sampler }

func (lent) Close() {}

// texts holds prompts that name a concept, and the same prompts with an anchor in place of the concept.
type texts struct{ prompts, anchors []int32 }

// namedPrompts returns the prompts for an erasure: the concept's name and, unless alone is true, the name in many
// contexts.
func namedPrompts(e concept.Erasure, alone bool) (texts, error) {
	prompts, anchors := []string{e.Prompt}, []string{e.Anchor}
	if !alone {
		for _, pair := range e.Pairs() {
			prompts, anchors = append(prompts, pair.Target), append(anchors, pair.Anchor)
		}
	}
	var t texts
	var err error
	if t.prompts, err = tokens(prompts...); err == nil {
		t.anchors, err = tokens(anchors...)
	}
	if err != nil {
		err = fmt.Errorf("concept to erase: %w", err)
	}
	return t, err
}

// Rows implements unlearn.Stream.
func (t texts) Rows() int { return len(t.prompts) / concept.ContextLength }

// Columns implements unlearn.Stream.
func (t texts) Columns() []string {
	return []string{denoising.Prompt, denoising.Anchor, denoising.Empty}
}

// Batch implements unlearn.Stream.
func (t texts) Batch(rows []int) ([]*tensors.Tensor, error) {
	empty, err := concept.Tokens("")
	if err != nil {
		return nil, err
	}
	var columns []*tensors.Tensor
	for _, ids := range [][]int32{t.prompts, t.anchors, slices.Repeat(empty, t.Rows())} {
		var picked []int32
		for _, row := range rows {
			picked = append(picked, ids[row*concept.ContextLength:(row+1)*concept.ContextLength]...)
		}
		columns = append(columns, tensors.FromFlatDataAndDimensions(picked, len(rows), concept.ContextLength))
	}
	return columns, nil
}
