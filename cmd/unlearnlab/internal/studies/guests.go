package studies

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// CompleteGuest imports a guest's models and scores them. If this takes long, it returns an error that says how long,
// unless --compute is given. A model that cannot be imported is a mistake in the command line, and nothing of the guest
// is stored. Models whose originals exist are tried first, so that a mistake is found before anything is computed. The
// given parts are also compared with the originals of other repetitions and parts, see [study.Host.CheckFit].
func (o *Opened) CompleteGuest(g *study.GuestRuns, given []guest.Part) error {
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
	if err := o.checkFits(g, given, missing); err != nil {
		return err
	}
	return o.complete(g.Plan, scores)
}

// checkFits scores each of the given parts and writes a doubt about its repetition into its note. If a part belongs to
// another repetition or part, it removes the runs that were missing before and returns a usage error.
func (o *Opened) checkFits(g *study.GuestRuns, given []guest.Part, missing []*study.Run) error {
	judge := &otherJudge{Opened: o, guest: g.Guest}
	defer judge.close()
	for i := range g.Parts {
		part := &g.Parts[i]
		if !slices.Contains(given, part.Part) {
			continue
		}
		if err := o.complete(g.Plan, part.Scores[:1]); err != nil {
			return err
		}
		note, err := o.Host.CheckFit(o.Store, *part, judge.scoresOf)
		if errors.As(err, new(*study.Misfit)) {
			return cli.Usage(errors.Join(err, o.discard(missing)))
		}
		if err != nil {
			return err
		}
		part.Note = note
	}
	return nil
}

// discard removes the results of runs.
func (o *Opened) discard(runs []*study.Run) error {
	for _, run := range runs {
		if err := o.Store.Remove(run.Key()); err != nil && !errors.Is(err, store.ErrAbsent) {
			return err
		}
	}
	return nil
}

// otherJudge judges a guest's models as other parts than the given ones. Its results are temporary.
type otherJudge struct {
	*Opened
	guest   guest.Guest
	scratch *store.Store // nil before its first use
}

// beneath is a store as a shelf. Its artifacts are only looked up by their keys.
type beneath struct{ *store.Store }

func (beneath) Keys() ([]store.Key, error) { return nil, nil }

// scoresOf returns the main scores of the guest's model as a part. It returns [study.ErrNoPart] if the model cannot be
// imported there, or if that needs models that do not exist.
func (j *otherJudge) scoresOf(part guest.Part) (*safefile.Frame, error) {
	j.guest.Parts = []guest.Part{part}
	g, err := j.Host.Guest(j.guest)
	if err != nil || len(g.Parts) == 0 {
		return nil, cmp.Or(err, study.ErrNoPart)
	}
	imported, scores := g.Parts[0].Import, g.Parts[0].Scores[0]
	missing, err := g.Missing(j.Store, scores)
	if err != nil {
		return nil, err
	}
	own := func(run *study.Run) bool { return run == imported || run == scores }
	if others := slices.DeleteFunc(missing, own); len(others) > 0 {
		return nil, study.ErrNoPart
	}
	if j.scratch == nil {
		if err := j.open(); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(j.Stderr, "comparing with %s\n", scores.Title)
	ctx, cancel := cli.UntilInterrupted()
	defer cancel()
	if err := g.Make(ctx, j.scratch, j.Makers, study.Options{}, imported); err != nil && ctx.Err() == nil {
		return nil, study.ErrNoPart // the part has models of another kind
	}
	if err := g.Make(ctx, j.scratch, j.Makers, study.Options{}, scores); err != nil {
		return nil, interrupted(err)
	}
	artifact, err := j.scratch.Get(scores.Key())
	if err != nil {
		return nil, err
	}
	return artifact.ReadTable(j.Host.Scores[0].Sources(part)[0].File)
}

func (j *otherJudge) open() error {
	folder, err := os.MkdirTemp("", "unlearnlab-guest-*")
	if err == nil {
		j.scratch, err = store.Open(folder, store.Above(beneath{j.Store}))
	}
	return err
}

func (j *otherJudge) close() {
	if j.scratch != nil {
		os.RemoveAll(j.scratch.Folder())
	}
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
		err := study.Try(ctx, run, o.Makers, o.Store, scratch)
		if misfit := (*study.Misfit)(nil); errors.As(err, &misfit) {
			return misfit
		}
		if err != nil {
			return fmt.Errorf("%s: %w", run.Title, err)
		}
	}
	return nil
}
