package train

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Import reads a user's model. Its weights replace the weights of the original, or of a backbone with a new head.
func (l *Lab) Import(_ context.Context, spec unslu.ImportedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	from, err := l.Guests.Of(spec.Model)
	if err != nil {
		return err
	}
	d, c, m, err := l.begin(w, spec.Corpus, in.Of(spec.Start))
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	if spec.Whole {
		if err := m.addHead(d, c.intents, 0); err != nil {
			return err
		}
	}
	if err := lab.Receive(m.scope(), from, m.config.Names(), m.fits); err != nil {
		return err
	}
	if c.test.published == nil {
		if err := m.checkDescent(d, spec.Corpus.World.Seed, from.Path); err != nil {
			return err
		}
	}
	w.Note("parameters", lab.Parameters(m.scope()))
	if err := unslu.UnknownCost.WriteParquet(w.Path(unslu.CostFile)); err != nil {
		return err
	}
	return m.saveWhole(w.Dir())
}

// fits returns an error if a configuration describes a model other than m.
func (m *loaded) fits(config []byte) error {
	own, err := wav2vec2.ParseConfig(config)
	if err != nil {
		return err
	}
	return guest.Differ(judging(own), judging(m.config))
}

// judging returns a configuration without the fields that matter only in training.
func judging(c wav2vec2.Config) wav2vec2.Config {
	c.InitializerRange, c.HiddenDropout, c.AttentionDropout, c.ActivationDropout, c.FeatProjDropout = 0, 0, 0, 0, 0
	c.LayerDrop, c.ApplySpecAugment = 0, false
	c.MaskTimeProb, c.MaskTimeLength, c.MaskTimeMinMasks = 0, 0, 0
	c.MaskFeatureProb, c.MaskFeatureLength, c.MaskFeatureMinMasks = 0, 0, 0
	return c
}
