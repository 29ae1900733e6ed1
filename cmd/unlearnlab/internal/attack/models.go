package attack

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
)

// attacked is a model of the attack: the original, an unlearned model or gold.
type attacked struct {
	name      string
	dir, unet string
	role      attack.Role
	retained  attack.Share
	*partialdiffusion.Several
}

// originalName and goldName name the original and the gold model. An attack has one of each at most; users name only
// the unlearned models.
const (
	originalName = "original"
	goldName     = "gold"
)

// all returns the models of the flags, the original first and gold last.
func (f partialFlags) all() ([]attacked, error) {
	models := []attacked{{name: originalName, dir: f.original}}
	for i, given := range append(slices.Clone(f.unlearned), f.unets...) {
		name, path := splitName(given)
		if path == "" {
			return nil, cli.Usagef("%q names no model: give NAME=PATH or a path", given)
		}
		m := attacked{name: name, dir: path, role: attack.Unlearned}
		if i >= len(f.unlearned) {
			m.dir, m.unet = f.original, path
		}
		models = append(models, m)
	}
	if f.gold != "" {
		models = append(models, attacked{name: goldName, dir: f.gold, role: attack.Gold})
	}
	single := len(f.unlearned)+len(f.unets) == 1
	met := map[string]bool{}
	for i := range models {
		m := &models[i]
		switch {
		case m.name == "" && single:
			m.name = string(attack.Unlearned)
		case m.name == "" && m.unet != "":
			m.name = strings.TrimSuffix(filepath.Base(m.unet), filepath.Ext(m.unet))
		case m.name == "":
			m.name = filepath.Base(m.dir)
		}
		if met[m.name] {
			return nil, cli.Usagef("two models are named %s; give names, such as --unlearned esd-x=FOLDER", m.name)
		}
		met[m.name] = true
		text, given := f.retained[m.name]
		if given && m.role == "" {
			return nil, cli.Usagef("--retained %s: it applies only to the models that complete the pictures", m.name)
		}
		var err error
		if m.retained, err = shareOf(text); err != nil {
			return nil, err
		}
	}
	for name := range f.retained {
		if !met[name] {
			return nil, cli.Usagef("--retained %s: there is no such model; the models are %s", name,
				strings.Join(names(models[1:]), ", "))
		}
	}
	return models, nil
}

// splitName splits NAME=PATH. An argument that is an existing path, or has no name, is a path alone.
func splitName(given string) (name, path string) {
	if _, err := os.Stat(given); err == nil {
		return "", given
	}
	name, path, found := strings.Cut(given, "=")
	if !found || strings.ContainsAny(name, `/\`) {
		return "", given
	}
	return name, path
}

func names(models []attacked) (all []string) {
	for _, m := range models {
		all = append(all, m.name)
	}
	return all
}
