package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func verifyCommand() *cobra.Command {
	var flags studyFlags
	var paper string
	var asJSON bool
	command := &cobra.Command{
		Use:   "verify KEY",
		Short: "Make a result again and compare it byte by byte",
		Long: `Make a result again from its inputs, in a folder of its own, and compare it with what is stored. KEY is the beginning of a key as run, run --dry-run and manifests name it, or the
folder of a result. Exit code 3 says that it is another one now, and at which step it parts. The same bits come from the same backend and instruction set; the manifest names both.`,
		Example: "  unlearnlab verify 3f2a91\n  unlearnlab verify 3f2a91 --preset mini --device xla:cpu",
		Args:    exactArgs(1, "a key, as run --dry-run lists them"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := openStudy(paper, flags, c.ErrOrStderr())
			if err != nil {
				return err
			}
			run, err := o.find(strings.TrimSuffix(args[0], string(os.PathSeparator)))
			if err != nil {
				return err
			}
			return o.verify(c.OutOrStdout(), run, asJSON)
		},
	}
	flags.add(command)
	command.Flags().StringVar(&paper, "paper", "salmu", strings.Join(studied, ", "))
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return command
}

// find returns the run of a key's beginning, or of a result's folder, whose last part is the key.
func (o *opened) find(key string) (*study.Run, error) {
	if at := strings.LastIndexAny(key, `/\`); at >= 0 {
		key = key[at+1:]
	}
	var found []*study.Run
	for _, run := range o.plan.Runs() {
		if strings.HasPrefix(string(run.Key()), key) {
			found = append(found, run)
		}
	}
	switch {
	case key == "" || len(found) == 0:
		return nil, usagef("the preset %s has no result %q; run --dry-run lists the keys", o.plan.Preset.Name, key)
	case len(found) > 1:
		return nil, usagef("%d results of the preset %s begin with %q: give more of the key", len(found), o.plan.Preset.Name, key)
	}
	return found[0], nil
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

func (o *opened) verify(w io.Writer, run *study.Run, asJSON bool) error {
	artifact, err := o.store.Get(run.Key())
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "unlearnlab-verify-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	scratch, err := store.Open(folder)
	if err != nil {
		return err
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	if len(run.Needs) > 0 {
		if err := o.plan.Make(ctx, o.store, study.Options{}, run.Needs...); err != nil {
			return err
		}
	}
	v := verification{true, string(run.Key()), run.Title, "", artifact.Manifest.Backend, artifact.Manifest.SIMD}
	difference := study.Verify(ctx, run, o.store, scratch, func(int, int) {})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if difference != nil {
		v.OK, v.Difference = false, difference.Error()
	}
	if asJSON {
		err = writeJSON(w, v)
	} else if v.OK {
		_, err = fmt.Fprintf(w, "%.12s %s: made again, every byte the same (%s, %s)\n", v.Key, v.Title, v.Backend, v.SIMD)
	} else {
		_, err = fmt.Fprintf(w, "%.12s %s\n", v.Key, v.Difference)
	}
	if err == nil && !v.OK {
		return errCheck
	}
	return err
}
