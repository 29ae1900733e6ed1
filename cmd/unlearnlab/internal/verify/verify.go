// Package verify computes a stored result again and compares both.
package verify

import (
	"errors"
	"fmt"
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
	flags.Add(command)
	flags.AddCompute(command)
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

// findRun finds the run with the given key prefix or result folder. If paper is empty, it searches all studies with the
// preset. At the paper preset, it then skips studies that cannot be opened.
func findRun(paper, key string, flags studies.Flags, stderr io.Writer) (of *verifier, run *study.Run, err error) {
	names := []string{paper}
	if paper == "" {
		names = studies.PapersAt(flags.Preset)
	}
	if at := strings.LastIndexAny(key, `/\`); at >= 0 {
		key = key[at+1:]
	}
	found, read := 0, 0
	var unknown error
	for _, name := range names {
		o, err := studies.Open(name, flags, stderr)
		if err != nil && paper == "" && flags.Preset == study.PaperPreset {
			unknown = err
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		read++
		for _, one := range o.Runs() {
			if strings.HasPrefix(string(one.Key()), key) {
				of, run, found = &verifier{o}, one, found+1
			}
		}
	}
	switch {
	case read == 0 && unknown != nil:
		return nil, nil, unknown
	case key == "" || found == 0:
		return nil, nil, cli.Usagef("the preset %s has no result %q; %s", flags.Preset, key, elsewhere(names, key,
			flags))
	case found > 1:
		return nil, nil, cli.Usagef("%d results of the preset %s begin with %q; give more of the key", found,
			flags.Preset,
			key)
	case len(key) < leastKey:
		return nil, nil, cli.Usagef("%q is too short for a key; for %s give %.12s", key, run.Title, run.Key())
	}
	return of, run, nil
}

// elsewhere names another preset that has the key, or else the command that lists the keys.
func elsewhere(names []string, key string, flags studies.Flags) string {
	for _, paper := range names {
		for _, preset := range papers.Of(paper).Presets {
			if key == "" || preset == flags.Preset || preset == study.PaperPreset {
				continue // the paper preset must be requested by name
			}
			plan, err := papers.Of(paper).Plan(study.Request{Preset: preset})
			if err != nil {
				continue
			}
			for _, run := range plan.Runs() {
				if strings.HasPrefix(string(run.Key()), key) {
					return fmt.Sprintf("--preset %s has it: %s", preset, run.Title)
				}
			}
		}
	}
	return "run --dry-run lists the keys"
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
