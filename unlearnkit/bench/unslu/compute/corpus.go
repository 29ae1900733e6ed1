package compute

import (
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// clips are those of a corpus, by what they are for.
type clips struct {
	intents                                 int
	train, forget, retain, validation, test *table
}

func openCorpus(spec unslu.Corpus) (*clips, error) {
	set, err := speech.Make(spec.World)
	if err != nil {
		return nil, err
	}
	if err := set.Check(); err != nil {
		return nil, err
	}
	rule := speech.ForgetRule{MoreThan: spec.MoreThan, Share: spec.Share, Seed: spec.World.Seed}
	drawn, err := rule.Draw(set.Train)
	if err != nil {
		return nil, err
	}
	c := &clips{intents: len(set.Intents)}
	for _, part := range []struct {
		of   []speech.Utterance
		into **table
	}{{set.Train, &c.train}, {drawn.Forget, &c.forget}, {drawn.Retain, &c.retain}, {set.Validation, &c.validation},
		{set.Test, &c.test}} {
		if *part.into, err = read(set, part.of, spec.Samples); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// table is clips as a stream of batches. What has been read is kept: the same clips are in many batches.
type table struct {
	utterances []speech.Utterance
	samples    int
	values     []float32 // one clip behind the other
}

// read takes the sound of clips, cut or filled up to a length and normalised as the models want it. They are given no
// mask: silence at the end counts as sound, as in the paper's code.
func read(set *speech.Set, utterances []speech.Utterance, samples int) (*table, error) {
	t := &table{utterances, samples, make([]float32, 0, len(utterances)*samples)}
	for _, u := range utterances {
		sound, err := set.Samples(u)
		if err != nil {
			return nil, err
		}
		t.values = append(t.values, preprocess.Standardize(preprocess.FitLength(sound, samples), samples)...)
	}
	return t, nil
}

// Rows implements unlearn.Stream.
func (t *table) Rows() int { return len(t.utterances) }

// Columns implements unlearn.Stream.
func (t *table) Columns() []string { return []string{classifying.Input, classifying.Label} }

// Batch implements unlearn.Stream.
func (t *table) Batch(rows []int) ([]*tensors.Tensor, error) {
	values, labels := make([]float32, 0, len(rows)*t.samples), make([]int32, len(rows))
	for i, row := range rows {
		values = append(values, t.values[row*t.samples:(row+1)*t.samples]...)
		labels[i] = int32(t.utterances[row].Label)
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(values, len(rows), t.samples),
		tensors.FromFlatDataAndDimensions(labels, len(rows))}, nil
}
