package train

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// Import reads a user's model. Its weights replace the weights of the model that it started from, and are not rounded.
func (l *Lab) Import(_ context.Context, spec remem.ImportedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	from, err := l.Guests.Of(spec.Model)
	if err != nil {
		return err
	}
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	m, err := l.load(d, "", in.Of(spec.Start))
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	if err := lab.Receive(m.scope(), from, m.config.Names(), m.fits); err != nil {
		return err
	}
	w.Note("parameters", lab.Parameters(m.scope()))
	return m.save(w.Dir(), false)
}

// fits returns an error if a configuration describes a model other than m.
func (m *loaded) fits(config []byte) error {
	own, err := llava.ParseConfig(config)
	if err != nil {
		return err
	}
	return guest.Differ(own, m.config)
}
