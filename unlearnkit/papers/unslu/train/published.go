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

// recording reads the sound of published clips when it is needed.
type recording struct {
	read func(speech.Utterance) ([]float32, error)

	mu   sync.Mutex
	kept map[string][]float32 // sound by the ID of the clip
	room int                  // number of samples that can still be kept
}

// keptSamples limits the sound that is kept in memory to half a gigabyte per data set.
const keptSamples = 1 << 27

// openPublished opens a published data set without reading its sound.
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

// sound returns the sound of a clip, cut to most samples. Callers must not change the sound. The clips that are read
// first stay in memory: clips are read repeatedly in random order, so any choice is equally good.
func (r *recording) sound(u speech.Utterance, most int) ([]float32, error) {
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
		sound = append([]float32(nil), sound[:most]...) // free the rest of the clip
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.kept[u.ID]; !known && len(sound) <= r.room {
		r.kept[u.ID], r.room = sound, r.room-len(sound)
	}
	return sound, nil
}

// Publish records a published backbone as an artifact, after checking its tensors against its configuration.
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
