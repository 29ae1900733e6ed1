package train

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// witness is a model that answers questions. Models with the same configuration and vocabulary share its compiled
// programs, because compiling takes longer than a hundred answers.
type witness struct {
	config    llava.Config
	device    *device.Device
	scope     *model.Scope
	text      *text
	generator *llava.Generator
	scorer    *device.Program // program that scores true answers; nil until it is needed

	// These fields are set only for a stored model, not for a model in training.
	model  *language.Model
	ranker *exposure.Ranker
	shape  [sha256.Size]byte
}

// latestWitness caches the witness that was used last. mu must be locked while the witness is used.
type latestWitness struct {
	mu   sync.Mutex
	last *witness
}

// ask calls f with a witness for a model. It reuses the cached witness if the model has the same shape.
func (a *latestWitness) ask(d *device.Device, of standing, f func(*witness) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	shape, err := shapeOf(of.folder)
	if err != nil {
		return err
	}
	if a.last != nil && (a.last.shape != shape || a.last.device != d) {
		a.last.close()
		a.last = nil
	}
	if a.last == nil {
		if a.last, err = newWitness(d, of, shape); err != nil {
			return err
		}
	} else if err := of.into(a.last.scope, a.last.config.Names()); err != nil {
		return err
	}
	return f(a.last)
}

// shapeOf returns a hash of a model's configuration and vocabulary. Models with equal hashes can share compiled
// programs.
func shapeOf(folder string) (sum [sha256.Size]byte, err error) {
	config, err := os.ReadFile(filepath.Join(folder, lab.ConfigFile))
	if err != nil {
		return sum, err
	}
	words, err := os.ReadFile(filepath.Join(folder, tokenizerFile))
	return sha256.Sum256(fmt.Append(config, string(words))), err
}

func newWitness(d *device.Device, of standing, shape [sha256.Size]byte) (*witness, error) {
	m, err := language.Open(d, of.folder, "")
	if err != nil {
		return nil, err
	}
	if err := of.adapt(m.Store.RootScope(), m.Vision().Names()); err != nil {
		return nil, err
	}
	text, err := newText(m.Words)
	if err != nil {
		return nil, err
	}
	w := newSight(d, m.Vision(), m.Store.RootScope(), text)
	w.model, w.ranker, w.shape = m, exposure.New(m), shape
	return w, nil
}

// newSight returns a witness for the model in a scope. If the model changes later, its answers change, too.
func newSight(d *device.Device, config llava.Config, scope *model.Scope, text *text) *witness {
	return &witness{config: config, device: d, scope: scope, text: text, generator: config.Generator(d, scope)}
}

func (w *witness) close() {
	w.generator.Close()
	if w.scorer != nil {
		w.scorer.Close()
	}
	if w.ranker != nil {
		w.ranker.Close()
		w.model.Store.Finalize()
	}
}
