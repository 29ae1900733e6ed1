package studies

import (
	"fmt"
	"os"
	"slices"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// CompleteGuest imports a guest's models and scores them. If it needs missing results from the study that would take
// long to compute, it returns an error with the time, unless --compute is set. A model that cannot be imported is a
// usage error, and nothing of the guest is stored.
func (o *Opened) CompleteGuest(g *study.GuestRuns) error {
	var imports, scores []*study.Run
	for _, part := range g.Parts {
		imports, scores = append(imports, part.Import), append(scores, part.Scores...)
	}
	if !o.compute {
		if short, err := o.shortage(g.Plan, scores); err != nil {
			return err
		} else if short != nil {
			return fmt.Errorf("judging %s takes %d runs, about %s at the pace of the finished runs; add --compute",
				g.Name, short.missing, roughly(short.takes))
		}
	}
	missing, err := g.Missing(o.Store, scores...)
	if err != nil {
		return err
	}
	imports = slices.DeleteFunc(imports, func(run *study.Run) bool { return !slices.Contains(missing, run) })
	for _, run := range imports {
		if err := o.complete(g.Plan, run.Needs); err != nil {
			return err
		}
	}
	if err := o.tryImports(imports); err != nil {
		return cli.Usage(err)
	}
	return o.complete(g.Plan, scores)
}

// tryImports imports all models into a temporary store first, so that nothing is stored if one of them is invalid.
func (o *Opened) tryImports(imports []*study.Run) error {
	folder, err := os.MkdirTemp("", "unlearnlab-guest-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	scratch, err := store.Open(folder)
	if err != nil {
		return err
	}
	ctx, cancel := cli.UntilInterrupted()
	defer cancel()
	for _, run := range imports {
		if err := study.Try(ctx, run, o.Makers, o.Store, scratch); err != nil {
			return fmt.Errorf("%s: %w", run.Title, err)
		}
	}
	return nil
}
