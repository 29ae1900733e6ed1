package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func verifyCommand() *cobra.Command {
	var flags studyFlags
	var paper string
	var asJSON bool
	command := &cobra.Command{
		Use:   "verify KEY",
		Short: "Make a result again and compare it byte by byte",
		Long: `Make a result again from its inputs, in a folder of its own, and compare it with the stored one. KEY
is the beginning of a key as run, run --dry-run and manifests name it, or the folder of a result in
the store. Exit code 3 says that the new result differs, and the output names the step where the two
part. The same bits come from the same backend and instruction set; the manifest names both.`,
		Example: "  unlearnlab verify 3f2a91\n  unlearnlab verify 3f2a91 --preset mini --device xla:cpu",
		Args:    exactArgs(1, "a key, as run --dry-run lists them"),
		RunE: func(c *cobra.Command, args []string) error {
			o, run, err := findRun(paper, strings.TrimSuffix(args[0], string(os.PathSeparator)), flags, c.ErrOrStderr())
			if err != nil {
				return err
			}
			artifact, err := o.stored(run, args[0])
			if err != nil {
				return err
			}
			v, err := o.verify(run, artifact)
			if err != nil {
				return err
			}
			return v.write(c.OutOrStdout(), asJSON)
		},
	}
	flags.add(command)
	command.Flags().StringVar(&paper, "paper", "",
		strings.Join(studies.Papers(), ", ")+" (default the one that has the key)")
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return command
}

// findRun finds the run of a key's beginning, or of a result's folder, whose last part is the key, in the study of a
// paper, or in any where none is named.
func findRun(paper, key string, flags studyFlags, stderr io.Writer) (of *opened, run *study.Run, err error) {
	papers := []string{paper}
	if paper == "" {
		papers = papersAt(flags.preset)
	}
	if at := strings.LastIndexAny(key, `/\`); at >= 0 {
		key = key[at+1:]
	}
	found := 0
	for _, paper := range papers {
		o, err := openStudy(paper, flags, stderr)
		if err != nil {
			return nil, nil, err
		}
		for _, one := range o.Runs() {
			if strings.HasPrefix(string(one.Key()), key) {
				of, run, found = o, one, found+1
			}
		}
	}
	switch {
	case key == "" || found == 0:
		return nil, nil, usagef("the preset %s has no result %q; run --dry-run lists the keys", flags.preset, key)
	case found > 1:
		return nil, nil, usagef("%d results of the preset %s begin with %q: give more of the key", found, flags.preset,
			key)
	}
	return of, run, nil
}

// stored is the artifact of a run. A folder that was named for it has to be where it lies.
func (o *opened) stored(run *study.Run, named string) (*store.Artifact, error) {
	artifact, err := o.store.Get(run.Key())
	if errors.Is(err, store.ErrAbsent) {
		return nil, fmt.Errorf("%s: %w; unlearnlab run %s --preset %s makes it", run.Title, err, o.study.Paper(),
			o.Preset)
	}
	if err != nil || !strings.ContainsAny(named, `/\`) {
		return artifact, err
	}
	folder, err := os.Stat(named)
	if err != nil {
		return nil, usageError{err}
	}
	if own, err := os.Stat(artifact.Dir); err != nil || !os.SameFile(folder, own) {
		return nil, usagef("%s is not in the store %s: give its store by --home", named, o.store.Folder())
	}
	return artifact, nil
}

// verification is what verify has found.
type verification struct {
	OK         bool   `json:"ok"`
	Key        string `json:"key"`
	Title      string `json:"title"`
	Difference string `json:"difference,omitempty"`
	Backend    string `json:"backend"` // of the stored result
	SIMD       string `json:"simd"`
}

// verify makes a run again beside its artifact.
func (o *opened) verify(run *study.Run, artifact *store.Artifact) (v verification, err error) {
	if len(run.Needs) > 0 {
		if err := o.complete(run.Needs); err != nil {
			return v, err
		}
	}
	ctx, cancel := untilInterrupted()
	defer cancel()
	folder, err := os.MkdirTemp("", "unlearnlab-verify-*")
	if err != nil {
		return v, err
	}
	defer os.RemoveAll(folder)
	scratch, err := store.Open(folder)
	if err != nil {
		return v, err
	}
	err = study.Verify(ctx, run, o.makers, o.store, scratch, func(int, int) {})
	v = verification{err == nil, string(run.Key()), run.Title, "", artifact.Manifest.Backend, artifact.Manifest.SIMD}
	var different *study.Different
	switch {
	case errors.As(err, &different):
		v.Difference = err.Error()
		return v, nil
	case errors.Is(err, context.Canceled):
		return v, errors.New("interrupted; the result is neither confirmed nor refuted")
	}
	return v, err
}

// write says what was found; a difference is a check that did not hold.
func (v verification) write(w io.Writer, asJSON bool) (err error) {
	switch {
	case asJSON:
		err = writeJSON(w, v)
	case v.OK:
		_, err = fmt.Fprintf(w, "%.12s %s: made again, every byte the same (%s, %s)\n", v.Key, v.Title, v.Backend,
			v.SIMD)
	default:
		_, err = fmt.Fprintf(w, "%.12s %s\n", v.Key, v.Difference)
	}
	if err == nil && !v.OK {
		return errCheck
	}
	return err
}
