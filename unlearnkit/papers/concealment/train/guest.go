package train

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Import reads a user's model. Its weights replace the original's, in the whole model or in the UNet alone. They are
// not rounded.
func (l *Lab) Import(_ context.Context, spec concealment.ImportedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	from, err := l.Guests.Of(spec.Model)
	if err != nil {
		return err
	}
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	return l.withArtist(d, in.Of(spec.Start), func(a *artist) error {
		names := a.Model.UNet.Names()
		if err := lab.Receive(a.received(from), from, names, nil); err != nil {
			return err
		}
		w.Note("parameters", lab.Parameters(a.scope()))
		config, err := json.MarshalIndent(folder{a.network, a.image}, "", "  ")
		if err == nil {
			err = hf.Save(a.scope(), w.Dir(), names, hf.Format{})
		}
		if err != nil {
			return err
		}
		return os.WriteFile(w.Path(lab.ConfigFile), config, 0o644)
	})
}

// unetScope is the scope of the UNet within the model's scope.
const unetScope = "unet"

// received returns the scope to which the names of a user's tensors belong: the whole model's, or only the UNet's.
func (p *painter) received(from guest.Model) *model.Scope {
	paths := []string{from.Path}
	if found, err := filepath.Glob(filepath.Join(from.Path, "*.safetensors")); err == nil {
		paths = append(paths, found...)
	}
	for _, path := range paths {
		file, err := safefile.Open(path)
		if err != nil {
			continue // reading the tensors later returns the error
		}
		whole := slices.ContainsFunc(file.Names(), func(name string) bool {
			return strings.HasPrefix(name, unetScope+".")
		})
		file.Close()
		if whole {
			return p.scope()
		}
	}
	return p.store.Scope("/" + unlearn.Policy + "/" + unetScope)
}
