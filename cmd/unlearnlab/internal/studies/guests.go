package studies

import (
	"fmt"
	"os"
	"slices"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// CompleteGuest imports a guest's models and scores them. If this takes long, it returns an error that says how long,
// unless --compute is given. A model that cannot be imported is a mistake in the command line, and nothing of the guest
// is stored. Models whose originals exist are tried first, so that a mistake is found before anything is computed.
func (o *Opened) CompleteGuest(g *study.GuestRuns) error {
	var imports, scores, judged []*study.Run
	for _, part := range g.Parts {
		imports, scores = append(imports, part.Import), append(scores, part.Scores...)
		if part.Part.Scores == "" { // scores from elsewhere only have to be stored
			judged = append(judged, part.Scores...)
		}
	}
	missing, err := g.Missing(o.Store, scores...)
	if err != nil {
		return err
	}
	imports = slices.DeleteFunc(imports, func(run *study.Run) bool { return !slices.Contains(missing, run) })
	waits := func(run *study.Run) bool {
		return slices.ContainsFunc(run.Needs, func(need *study.Run) bool { return slices.Contains(missing, need) })
	}
	if err := o.tryImports(slices.DeleteFunc(slices.Clone(imports), waits)); err != nil {
		return cli.Usage(err)
	}
	if !o.compute && len(judged) > 0 {
		if short, err := o.shortage(g.Plan, judged); err != nil {
			return err
		} else if short != nil {
			return fmt.Errorf("judging %s takes %d runs, about %s at the pace of the finished runs; add --compute",
				g.Name, short.missing, roughly(short.takes))
		}
	}
	waiting := slices.DeleteFunc(imports, func(run *study.Run) bool { return !waits(run) })
	for _, run := range waiting {
		if err := o.complete(g.Plan, run.Needs); err != nil {
			return err
		}
	}
	if err := o.tryImports(waiting); err != nil {
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
