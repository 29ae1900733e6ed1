package train

import (
	"runtime"

	"github.com/gomlx/gomlx/core/tensors"
	"golang.org/x/sync/errgroup"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// clips holds the clips of a corpus, by their use in training and tests.
type clips struct {
	intents                                 int
	train, forget, retain, validation, test *table
}

// clipsOf opens a corpus, or returns it from the cache.
func (l *Lab) clipsOf(spec unslu.Corpus) (*clips, error) {
	return l.corpora.Of(spec, func() (*clips, error) {
		if spec.Published() {
			return l.openPublished(spec)
		}
		return openWorld(spec)
	})
}

func openWorld(spec unslu.Corpus) (*clips, error) {
	set, err := speech.Make(spec.World)
	if err != nil {
		return nil, err
	}
	if err := set.Check(); err != nil {
		return nil, err
	}
	c, err := newClips(set, spec, spec.World.Seed)
	if err != nil {
		return nil, err
	}
	for _, t := range []*table{c.train, c.validation, c.test} {
		if err := t.read(set); err != nil {
			return nil, err
		}
	}
	c.forget.shareSound(c.train)
	c.retain.shareSound(c.train)
	return c, nil
}

// newClips draws the forget speakers of a set. The tables that it returns have no sound yet.
func newClips(set *speech.Set, spec unslu.Corpus, seed uint64) (*clips, error) {
	drawn, err := speech.ForgetRule{MoreThan: spec.MoreThan, Share: spec.Share, Seed: seed}.Draw(set.Train)
	if err != nil {
		return nil, err
	}
	of := func(utterances []speech.Utterance) *table {
		return &table{utterances: utterances, samples: spec.Samples}
	}
	return &clips{len(set.Intents), of(set.Train), of(drawn.Forget), of(drawn.Retain), of(set.Validation),
		of(set.Test)}, nil
}

func (c *clips) tables() []*table { return []*table{c.train, c.forget, c.retain, c.validation, c.test} }

// heardBy returns the clips with the normalisation that a model expects. Published models with a norm in every
// convolution were trained on clips whose mean and variance exclude padding. Other published models, and all small
// models, were trained on clips whose mean and variance include padding.
func (c *clips) heardBy(m *loaded) *clips {
	heard := *c
	for _, t := range []**table{&heard.train, &heard.forget, &heard.retain, &heard.validation, &heard.test} {
		own := **t
		own.masked = own.published != nil && m.config.FeatExtractNorm == everyConvolution
		*t = &own
	}
	return &heard
}

// table provides batches of clips for training and judging.
type table struct {
	utterances []speech.Utterance
	samples    int
	values     []float32  // sound of generated clips, one after another; every clip is in many batches
	places     []int      // indices of the clips in values; nil if they are in order
	published  *recording // reader of published clips, which do not fit into memory
	masked     bool       // exclude padding from the mean and variance of a published clip
}

// read reads the sound of clips into memory. The sound is cut or padded to a length and normalised as models expect. As
// in the paper's code, there is no attention mask, so silence at the end counts as sound.
func (t *table) read(set *speech.Set) error {
	t.values = make([]float32, 0, len(t.utterances)*t.samples)
	for _, u := range t.utterances {
		sound, err := set.Samples(u)
		if err != nil {
			return err
		}
		t.values = append(t.values, preprocess.Speech{Length: t.samples}.Apply(sound)...)
	}
	return nil
}

// shareSound makes the table share the sound of whole, which must have all of its clips.
func (t *table) shareSound(whole *table) {
	places := map[string]int{}
	for i, u := range whole.utterances {
		places[u.ID] = i
	}
	t.values = whole.values
	for _, u := range t.utterances {
		t.places = append(t.places, places[u.ID])
	}
}

// sound returns the sound of a row of generated clips.
func (t *table) sound(row int) []float32 {
	if t.places != nil {
		row = t.places[row]
	}
	return t.values[row*t.samples : (row+1)*t.samples]
}

// Rows implements unlearn.Stream.
func (t *table) Rows() int { return len(t.utterances) }

// Columns implements unlearn.Stream.
func (t *table) Columns() []string { return []string{classifying.Input, classifying.Label} }

// Batch implements unlearn.Stream.
func (t *table) Batch(rows []int) ([]*tensors.Tensor, error) {
	values, labels := make([]float32, len(rows)*t.samples), make([]int32, len(rows))
	var reading errgroup.Group
	reading.SetLimit(runtime.GOMAXPROCS(0))
	for i, row := range rows {
		labels[i] = int32(t.utterances[row].Label)
		into := values[i*t.samples : (i+1)*t.samples]
		if t.published == nil {
			copy(into, t.sound(row))
			continue
		}
		reading.Go(func() error {
			sound, err := t.published.sound(t.utterances[row], t.samples)
			copy(into, preprocess.Speech{Length: t.samples, Masked: t.masked}.Apply(sound))
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return nil, err
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(values, len(rows), t.samples),
		tensors.FromFlatDataAndDimensions(labels, len(rows))}, nil
}
