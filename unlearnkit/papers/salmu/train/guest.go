package train

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Import reads a user's model. Its weights replace the weights of the model that it started from, and are not rounded.
func (l *Lab) Import(_ context.Context, spec salmu.ImportedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	from, err := l.Guests.Of(spec.Model)
	if err != nil {
		return err
	}
	start := in.Of(spec.Start)
	m, err := l.load(d, start)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	if err := lab.Receive(m.scope(), from, m.config.Names(), m.fits); err != nil {
		return err
	}
	w.Note("parameters", lab.Parameters(m.scope()))
	if err := hf.Save(m.scope(), w.Dir(), m.config.Names(), hf.Format{}); err != nil {
		return err
	}
	return m.keepRest(start, w)
}

// fits returns an error if a configuration describes a model other than m.
func (m *loaded) fits(config []byte) error {
	own, err := clip.ParseConfig(config)
	if err != nil {
		return err
	}
	own.Text.EndOfText = m.config.Text.EndOfText // EndOfText follows from the tokenizer, which is the original's
	if own != m.config {
		return fmt.Errorf("its configuration describes another model: %+v, the original is %+v", own, m.config)
	}
	return nil
}

// keepRest copies the other files of the model that an imported model started from. They are either the reference to a
// published model, or the configuration and the tokenizer.
func (m *loaded) keepRest(start *store.Artifact, w *store.Work) error {
	spec, published, err := lab.Published[salmu.PublishedSpec](start)
	if err != nil {
		return err
	}
	if published {
		content, err := json.Marshal(spec)
		if err != nil {
			return err
		}
		return os.WriteFile(w.Path(lab.PublishedFile), content, 0o644)
	}
	for _, name := range []string{lab.ConfigFile, tokenizerFile} {
		content, err := start.ReadFile(name)
		if err == nil {
			err = os.WriteFile(w.Path(name), content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
