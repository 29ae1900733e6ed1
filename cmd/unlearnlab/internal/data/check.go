package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store/bucket"
)

// checked is the outcome of checking the store and the imported data.
type checked struct {
	OK        bool          `json:"ok"`
	Home      string        `json:"home"`
	Artifacts int           `json:"artifacts"`
	Damaged   []damage      `json:"damaged"`
	MovedTo   []string      `json:"moved_to"` // damaged results that were moved aside, with --repair
	Swept     int           `json:"swept"`    // number of unfinished results removed, with --repair
	Shared    *sharedStore  `json:"shared,omitempty"`
	Data      []labs.Report `json:"data"`
}

// sharedStore is the outcome of checking the shared results.
type sharedStore struct {
	URL       string   `json:"url"`
	Artifacts int      `json:"artifacts"`
	Damaged   []damage `json:"damaged"`
	MovedTo   []string `json:"moved_to"` // with --repair
}

func dataCheckCommand() *cobra.Command {
	var flags storeFlags
	var deep, repair bool
	command := &cobra.Command{
		Use:   "check",
		Short: "Check every stored result and the imported data for damage",
		Long: `Compare the SHA-256 of every file in the store with the recorded one, and check the imported data
sets. With $` + bucket.Variable + ` it also reads every result that machines share. --repair moves damaged
results aside, so that they are computed again when needed, and removes the unfinished results of
killed runs. The exit code is 3 if something is wrong.`,
		Args: cli.ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			s, err := studies.OpenStore(flags.home)
			if err != nil {
				return err
			}
			found, err := checkStored(ctx, s, deep, repair)
			if err != nil {
				return err
			}
			if flags.asJSON {
				err = cli.WriteJSON(c.OutOrStdout(), found)
			} else {
				found.write(c.OutOrStdout())
			}
			if err == nil && !found.OK {
				err = cli.ErrCheck
			}
			return err
		},
	}
	flags.add(command)
	command.Flags().BoolVar(&deep, "deep", false, "decode every image and recording of imported data")
	command.Flags().BoolVar(&repair, "repair", false, "move damaged results aside")
	return command
}

func checkStored(ctx context.Context, s *store.Store, deep, repair bool) (checked, error) {
	found := checked{Home: s.Folder(), Damaged: []damage{}, MovedTo: []string{}, Data: []labs.Report{}}
	manifests, unreadable, err := s.List()
	if err != nil {
		return found, err
	}
	for _, d := range unreadable {
		found.Damaged = append(found.Damaged, damageOf(d))
	}
	for _, m := range manifests {
		if ctx.Err() != nil {
			return found, context.Cause(ctx)
		}
		err := s.Verify(m.Key)
		var d *store.Damaged
		switch {
		case errors.As(err, &d):
			found.Damaged = append(found.Damaged, damageOf(d))
		case err != nil && !errors.Is(err, store.ErrAbsent):
			return found, err
		}
		found.Artifacts++
	}
	found.OK = len(found.Damaged) == 0
	if repair {
		for _, d := range found.Damaged {
			aside, err := s.Repair(d.Key)
			if err != nil {
				return found, err
			}
			found.MovedTo = append(found.MovedTo, aside)
		}
		if found.Swept, err = s.Sweep(); err != nil {
			return found, err
		}
	}
	if err = found.shared(ctx, s, repair); err != nil {
		return found, err
	}
	err = found.imported(ctx, s, deep)
	return found, err
}

// shared checks the shared results. With repair, it moves damaged ones aside.
func (f *checked) shared(ctx context.Context, s *store.Store, repair bool) error {
	if s.SharedName() == "" {
		return nil
	}
	runs, damaged, err := s.VerifyShared(ctx)
	f.Shared = &sharedStore{URL: s.SharedName(), Artifacts: runs, Damaged: []damage{}, MovedTo: []string{}}
	for _, d := range damaged {
		f.OK = false
		f.Shared.Damaged = append(f.Shared.Damaged, damageOf(d))
		if repair && err == nil {
			var aside string
			aside, err = s.RepairShared(ctx, d.Key)
			f.Shared.MovedTo = append(f.Shared.MovedTo, aside)
		}
	}
	return err
}

func (f *checked) imported(ctx context.Context, s *store.Store, deep bool) error {
	folders, err := s.Data()
	if err != nil {
		return err
	}
	for _, lab := range labs.Downloadable() {
		download := lab.Download
		for _, name := range download.Names {
			folder, imported := folders[name]
			if !imported {
				continue
			}
			report, err := download.Check(ctx, folder, deep)
			if err != nil {
				return err
			}
			f.Data = append(f.Data, report)
			f.OK = f.OK && report.Usable()
		}
	}
	return nil
}

func (f checked) write(w io.Writer) {
	fmt.Fprintf(w, "store %s: %d results read, %d damaged\n", f.Home, f.Artifacts, len(f.Damaged))
	writeDamage(w, f.Damaged)
	for _, aside := range f.MovedTo {
		fmt.Fprintf(w, "moved to %s\n", aside)
	}
	if f.Swept > 0 {
		fmt.Fprintf(w, "removed the unfinished results of %d killed runs\n", f.Swept)
	}
	if shared := f.Shared; shared != nil {
		fmt.Fprintf(w, "store %s: %d results read, %d damaged\n", shared.URL, shared.Artifacts, len(shared.Damaged))
		writeDamage(w, shared.Damaged)
		for _, aside := range shared.MovedTo {
			fmt.Fprintf(w, "moved to %s\n", aside)
		}
	}
	for _, report := range f.Data {
		report.Write(w)
	}
}
