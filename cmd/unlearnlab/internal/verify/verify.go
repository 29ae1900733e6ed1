// Package verify computes a stored result again and compares both.
package verify

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func Command() *cobra.Command {
	var flags studies.Flags
	var paper, measuredOn string
	var asJSON bool
	command := &cobra.Command{
		Use:   "verify KEY",
		Short: "Compute a result again and compare it with the stored one",
		Long: `Compute a result again from its inputs, in a temporary folder, and compare it with the stored one.
KEY is six characters or more of a key from run, run --dry-run, trace or runs.csv.gz, or the folder
of a result in the store. There are four outcomes:

  the same bytes             expected on the same backend and instruction set
  the same but for rounding  every number is within the rounding measured on other devices; the
                             output reports how far tables move and which verdicts change
  another result             exit code 3; the output names the first step at which the two differ
  made from other inputs     exit code 1: the two differ, but the result's inputs do not ship and
                             were made on another kind of processor; the output names a result of
                             the same stage whose inputs ship

A result that neither ships nor is stored is computed, stored, and reported as new. If that or the
making of its inputs takes more than some minutes, it needs --compute.`,
		Example: "  unlearnlab verify 3f2a91\n  unlearnlab verify 3f2a91 --preset mini --device xla:cpu",
		Args:    cli.ExactArgs(1, "a key, as run --dry-run lists them"),
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("preset") {
				flags.Preset = ""
			}
			o, run, err := findRun(paper, strings.TrimSuffix(args[0], string(os.PathSeparator)), flags, c.ErrOrStderr())
			if err != nil {
				return err
			}
			artifact, err := o.stored(run, args[0])
			if err != nil {
				return err
			}
			var v verification
			if artifact == nil {
				v, err = o.makeFirst(run)
			} else {
				v, err = o.verify(run, artifact)
			}
			if err != nil {
				return err
			}
			return v.write(c.OutOrStdout(), asJSON, measuredOn)
		},
	}
	flags.AddReading(command)
	command.Flags().Lookup("preset").Usage = "the only preset to search (default: all but paper)"
	command.Flags().StringVar(&paper, "paper", "",
		strings.Join(papers.Papers(), ", ")+" (default: the paper with the key)")
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	command.Flags().StringVar(&measuredOn, "measure", "",
		"print how far each column moves, as CSV for rounding.csv, under this device name")
	return command
}

// verifier is a study whose results are computed again.
type verifier struct{ *studies.Opened }

// leastKey is the smallest number of a key's characters that name a run, so that a word is not taken for a key.
const leastKey = 6

// findRun finds the run with the given key prefix or result folder. If paper is empty, it searches all studies, and
// without a preset all presets but paper. At the paper preset, it skips studies that cannot be opened.
func findRun(paper, key string, flags studies.Flags, stderr io.Writer) (of *verifier, run *study.Run, err error) {
	if at := strings.LastIndexAny(key, `/\`); at >= 0 {
		key = key[at+1:]
	}
	found, preset := map[store.Key]bool{}, flags.Preset
	opened := 0
	var closed error
	for _, at := range searched(paper, preset) {
		flags.Preset = at.preset
		o, err := studies.Open(at.paper, flags, stderr)
		if err != nil && paper == "" && flags.Preset == study.PaperPreset {
			closed = err
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		opened++
		for _, one := range o.Runs() {
			if !found[one.Key()] && strings.HasPrefix(string(one.Key()), key) {
				of, run, found[one.Key()] = &verifier{o}, one, true
			}
		}
	}
	switch {
	case opened == 0 && closed != nil:
		return nil, nil, closed
	case key == "" || len(found) == 0:
		if preset != "" {
			return nil, nil, cli.Usagef("the preset %s has no result %q; leave out --preset to search all", preset, key)
		}
		return nil, nil, cli.Usagef("there is no result %q; run --dry-run lists the keys", key)
	case len(found) > 1:
		return nil, nil, cli.Usagef("%d results begin with %q; give more of the key", len(found), key)
	case len(key) < leastKey:
		return nil, nil, cli.Usagef("%q is too short for a key; for %s give %.12s", key, run.Title, run.Key())
	}
	return of, run, nil
}

// place is a study at a preset.
type place struct{ paper, preset string }

// searched lists the studies and presets that may have a key.
func searched(paper, preset string) (all []place) {
	names := []string{paper}
	if paper == "" {
		names = studies.PapersAt(preset)
	}
	for _, name := range names {
		if preset != "" || papers.Of(name) == nil { // opening an unknown study returns the error
			all = append(all, place{name, preset})
			continue
		}
		for _, each := range papers.Of(name).Presets {
			if each != study.PaperPreset {
				all = append(all, place{name, each})
			}
		}
	}
	return all
}

// stored returns a run's artifact, or nil if it is not stored. If named is a path, it must be the artifact's folder.
func (o *verifier) stored(run *study.Run, named string) (*store.Artifact, error) {
	artifact, err := o.Store.Get(run.Key())
	asFolder := strings.ContainsAny(named, `/\`)
	if errors.Is(err, store.ErrAbsent) && !asFolder {
		return nil, nil
	}
	if err != nil || !asFolder {
		return artifact, err
	}
	folder, err := os.Stat(named)
	if err != nil {
		return nil, cli.Usage(err)
	}
	if own, err := os.Stat(artifact.Dir); err != nil || !os.SameFile(folder, own) {
		return nil, cli.Usagef("%s is not in the store %s; give its store by --home", named, o.Store.Folder())
	}
	return artifact, nil
}
