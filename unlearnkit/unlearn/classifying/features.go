package classifying

import (
	"maps"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// mostFeatures is the maximum number of feature values kept in memory.
const mostFeatures = 1 << 28

// features returns what a phase that trains only the last parts precomputes: the input of these parts for the retain
// set. It returns nil if the model does not support this, or if the features take too much memory.
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

// retainLossOfLast returns [retainLoss] for a phase that trains only the last parts, whether or not features are
// precomputed.
func retainLossOfLast(last int) loss {
	return func(m Models, b unlearn.Batch) *graph.Node {
		columns := b.Columns(unlearn.Retain)
		if columns[Features] == nil {
			return retainLoss(m, b)
		}
		rows := Rows{Input: columns[Features], Mask: columns[Mask]}
		logits := m.Policy.model.(Headed).FromFeatures(m.Policy.weights.Scope(), rows, last)
		return crossEntropy(logits, b.Of(unlearn.Retain, Label))
	}
}
