package compute

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
)

// publishedFile names a published model in its artifact. The weights stay where the user has them: they are large, and
// not everybody may pass them on.
const publishedFile = "published.json"

// Publish takes a published model into the study, if its tensors are those of its architecture.
func (l *Lab) Publish(_ context.Context, spec salmu.PublishedSpec, w *store.Work) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	m, err := l.loadPublished(d, spec.Model)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	w.Note("parameters", lab.Parameters(m.scope()))
	content, err := json.Marshal(spec)
	if err != nil {
		panic(err)
	}
	return os.WriteFile(w.Path(publishedFile), content, 0o644)
}

// load reads the model of an artifact: one that was trained, or a published one.
func (l *Lab) load(d *device.Device, artifact *store.Artifact) (*loaded, error) {
	if !artifact.Has(publishedFile) {
		return load(d, artifact.Dir)
	}
	content, err := artifact.ReadFile(publishedFile)
	if err != nil {
		return nil, err
	}
	var spec salmu.PublishedSpec
	if err := json.Unmarshal(content, &spec); err != nil {
		return nil, fmt.Errorf("read %s: %w", artifact.Path(publishedFile), err)
	}
	return l.loadPublished(d, spec.Model)
}

func (l *Lab) loadPublished(d *device.Device, digest string) (*loaded, error) {
	folder, err := l.folder(digest)
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

// folder is where a published model or data set lies.
func (l *Lab) folder(digest string) (string, error) {
	if l.found == nil {
		return (*lab.Digests)(nil).Folder(digest)
	}
	return l.found.digests.Folder(digest)
}

// openCLIPWords is CLIP's tokenizer, which always fills up with zeros.
type openCLIPWords struct{ *tokenize.CLIP }

func (w openCLIPWords) Context(text string, length, _ int) []int { return w.CLIP.Context(text, length) }
