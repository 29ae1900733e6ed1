package classifying

import (
	"maps"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// mostFeatures is how many numbers of features are held in memory at most.
const mostFeatures = 1 << 28

// features makes a phase that trains the last parts alone compute once what they read of the retain set; nothing if the
// model cannot, or if that is too much to hold.
func features(p *unlearn.Plan, m Model, last int) ([]unlearn.Precomputed[View], error) {
	headed, is := m.(Headed)
	if !is {
		return nil, nil
	}
	stream, err := p.Stream(unlearn.Retain)
	if err != nil {
		return nil, err
	}
	row, err := shapeOfInput(p, unlearn.Retain)
	if err != nil {
		return nil, err
	}
	if size := headed.FeatureSize(row, last); size < 1 || size > mostFeatures/stream.Rows() {
		return nil, nil
	}
	of := func(v View, columns map[string]*graph.Node) map[string]*graph.Node {
		made := headed.Features(v.weights.Scope(), Rows{Input: columns[Input], Mask: columns[Mask]}, last)
		computed := maps.Clone(columns)
		delete(computed, Input)
		delete(computed, Mask)
		computed[Features] = made.Input
		if made.Mask != nil {
			computed[Mask] = made.Mask
		}
		return computed
	}
	return []unlearn.Precomputed[View]{{Stream: unlearn.Retain, Of: of}}, nil
}

// keptByLast is [kept] for a phase that trains the last parts alone, whether features are computed once or not.
func keptByLast(last int) loss {
	return func(m Models, b unlearn.Batch) *graph.Node {
		columns := b.Columns(unlearn.Retain)
		if columns[Features] == nil {
			return kept(m, b)
		}
		rows := Rows{Input: columns[Features], Mask: columns[Mask]}
		logits := m.Policy.model.(Headed).FromFeatures(m.Policy.weights.Scope(), rows, last)
		return surprise(logits, b.Of(unlearn.Retain, Label))
	}
}
