package attack

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// promptAttack is a prompt with the settings of its attack.
type promptAttack struct {
	number         int // index of the prompt
	prompt, finish string
	settings       partialdiffusion.Settings
	out            string // output folder
}

// promptAttacks returns the prompts given by the flags: one prompt, or the prompts of a file.
func (f partialFlags) promptAttacks(s partialdiffusion.Settings) ([]promptAttack, error) {
	if f.prompts == "" {
		one := promptAttack{prompt: f.prompt, finish: f.prompt, settings: s, out: f.out}
		if f.finishGiven {
			one.finish = f.finish
		}
		return []promptAttack{one}, nil
	}
	read, err := safefile.ReadWords(f.prompts)
	if err != nil {
		return nil, err
	}
	rows, err := newPromptRows(f.prompts, read)
	if err != nil {
		return nil, err
	}
	var all []promptAttack
	for i, prompt := range rows.prompts {
		one := promptAttack{number: i, prompt: prompt, finish: prompt, settings: s,
			out: filepath.Join(f.out, fmt.Sprintf("%04d", i+1))}
		switch {
		case rows.finishes != nil:
			one.finish = rows.finishes[i]
		case f.finishGiven:
			one.finish = f.finish
		}
		first := f.first
		if rows.seeds != nil {
			if first, err = strconv.ParseUint(rows.seeds[i], 10, 63); err != nil {
				return nil, fmt.Errorf("read %s: row %d: the seed %q is not a whole number from 0", f.prompts, i+1,
					rows.seeds[i])
			}
		}
		one.settings.Seeds = nil
		for n := range f.seeds {
			one.settings.Seeds = append(one.settings.Seeds, first+uint64(n))
		}
		if rows.guidance != nil {
			g, err := strconv.ParseFloat(rows.guidance[i], 64)
			if err != nil || !(g >= 0 && g <= 1000) {
				return nil, fmt.Errorf("read %s: row %d: the guidance %q is not a number from 0 to 1000", f.prompts,
					i+1, rows.guidance[i])
			}
			one.settings.Guidance = g
		}
		all = append(all, one)
	}
	return all, nil
}

// promptRows holds the columns of a file of prompts; a missing column is nil.
type promptRows struct{ prompts, seeds, guidance, finishes []string }

// newPromptRows finds the columns under our names, I2P's names, and the names used in the methods' repositories.
func newPromptRows(path string, read *safefile.Frame) (r promptRows, err error) {
	for _, column := range []struct {
		into  *[]string
		names []string
	}{
		{&r.prompts, []string{"prompt"}},
		{&r.seeds, []string{"seed", "sd_seed", "evaluation_seed"}},
		{&r.guidance, []string{"guidance", "sd_guidance_scale", "evaluation_guidance"}},
		{&r.finishes, []string{"finish_prompt"}},
	} {
		for _, name := range column.names {
			if read.Column(name) == nil || *column.into != nil {
				continue
			}
			if *column.into, err = read.Words(name); err != nil {
				return r, fmt.Errorf("read %s: %w", path, err)
			}
		}
	}
	if len(r.prompts) == 0 {
		return r, fmt.Errorf("read %s: no prompts; expected a column named prompt with one prompt per row", path)
	}
	return r, nil
}

// key returns a digest of everything that determines a prompt's results: settings, prompts, and the names, sizes and
// times of all model files. Only results under the same key are continued.
func (a *attackRun) key(one promptAttack) (string, error) {
	var psi []string
	for _, ratio := range one.settings.Psi {
		psi = append(psi, ratio.String())
	}
	s := one.settings
	of := []any{psi, s.Rule, s.Solver, s.Steps, s.Eta, s.Restart, s.Guidance, s.Seeds, s.Batch, s.Height, s.Width,
		one.prompt, one.finish, a.negative, a.features != "", a.set, a.fit, a.pixels, a.concept, a.shows, a.without,
		a.pictures, a.device.Name()}
	if a.precision != float32s {
		of = append(of, a.precision)
	}
	paths := []string{a.features, a.classifier}
	for _, m := range a.models {
		of = append(of, m.name)
		paths = append(paths, cmp.Or(m.unet, m.dir)) // a UNet depends on the original too, which is another model
	}
	for _, path := range paths {
		files, err := filesBelow(path)
		if err != nil {
			return "", err
		}
		of = append(of, path, files)
	}
	text, err := json.Marshal(of)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:16], nil
}

// filesBelow returns the name, size and modification time of a file, or of each file in a folder.
func filesBelow(path string) (files []string, err error) {
	if path == "" {
		return nil, nil
	}
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(name) // follows symbolic links
		if err == nil {
			files = append(files, fmt.Sprint(name, info.Size(), info.ModTime().UnixNano()))
		}
		return err
	})
	return files, err
}
