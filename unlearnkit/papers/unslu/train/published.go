package train

import (
	"context"
	"fmt"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// recording reads the sound of published clips on demand.
type recording struct {
	read func(speech.Utterance) ([]float32, error)

	mu   sync.Mutex
	kept map[string][]float32 // by the ID of a clip
	room int                  // samples that may still be kept
}

// keptSamples limits the sound of a data set in memory to half a gigabyte.
const keptSamples = 1 << 27

// openPublished reads the tables of a data set.
func (l *Lab) openPublished(spec unslu.Corpus) (*clips, error) {
	folder, err := l.found.digests.Folder(spec.Data)
	if err != nil {
		return nil, err
	}
	set, err := speechfolder.Open(folder, speechfolder.Options{Parts: spec.Parts})
	if err != nil {
		return nil, err
	}
	c, err := newClips(set.Set, spec, spec.Seed)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", folder, err)
	}
	r := &recording{read: set.Samples, kept: map[string][]float32{}, room: keptSamples}
	for _, t := range c.tables() {
		t.published = r
	}
	return c, nil
}

// of returns at most most samples of a clip's sound. Callers must not change them. It keeps the clips that are read
// first. Clips are read repeatedly in random order, so any choice is equally good.
func (r *recording) of(u speech.Utterance, most int) ([]float32, error) {
	r.mu.Lock()
	sound, known := r.kept[u.ID]
	r.mu.Unlock()
	if known {
		return sound, nil
	}
	sound, err := r.read(u)
	if err != nil {
		return nil, err
	}
	if len(sound) > most {
		sound = append([]float32(nil), sound[:most]...) // frees the rest
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.kept[u.ID]; !known && len(sound) <= r.room {
		r.kept[u.ID], r.room = sound, r.room-len(sound)
	}
	return sound, nil
}

// Publish adds a published backbone to the study after checking its tensors against its configuration.
func (l *Lab) Publish(_ context.Context, spec unslu.PublishedSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	folder, err := l.found.digests.Folder(spec.Model)
	if err != nil {
		return err
	}
	m, err := load(d, folder, unslu.PaperSamples)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	return lab.KeepPublished(w, m.scope(), spec)
}

// model returns the folder of an artifact's model: the artifact's own folder, or the downloaded folder if the model is
// published.
func (l *Lab) model(artifact *store.Artifact) (string, error) {
	spec, published, err := lab.Published[unslu.PublishedSpec](artifact)
	if err != nil || !published {
		return artifact.Dir, err
	}
	return l.found.digests.Folder(spec.Model)
}
