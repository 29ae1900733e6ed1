package train

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
)

// Publish records a published model as an artifact, after checking its tensors against its architecture.
func (l *Lab) Publish(_ context.Context, spec salmu.PublishedSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	m, err := l.loadPublished(d, spec.Model)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	return lab.KeepPublished(w, m.scope(), spec)
}

// load reads the model of an artifact, either trained or published.
func (l *Lab) load(d *device.Device, artifact *store.Artifact) (*loaded, error) {
	spec, published, err := lab.Published[salmu.PublishedSpec](artifact)
	switch {
	case err != nil:
		return nil, err
	case !published:
		return load(d, artifact.Dir)
	}
	m, err := l.loadPublished(d, spec.Model)
	if err == nil && artifact.Has(lab.WeightsFile) {
		err = lab.Load(m.scope(), artifact.Dir, m.config.Names()) // an imported model that started from a published one
	}
	return m, err
}

func (l *Lab) loadPublished(d *device.Device, digest string) (*loaded, error) {
	folder, err := l.found.digests.Folder(digest)
	if err != nil {
		return nil, err
	}
	config, err := readCheckpointConfig(folder)
	if err != nil {
		return nil, err
	}
	m := &loaded{config, openCLIPWords{tokenize.OpenCLIP()}, model.NewStore()}
	if err := m.trace(d); err != nil {
		return nil, fmt.Errorf("read %s: %w", folder, err)
	}
	file, err := weights.Open(folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return m, lab.LoadFrom(file, folder, m.scope(), config.Names())
}

// openCLIPWords is CLIP's tokenizer with OpenCLIP's padding token, which is always zero.
type openCLIPWords struct{ *tokenize.CLIP }

func (w openCLIPWords) Context(text string, length, _ int) []int { return w.CLIP.Context(text, length) }
