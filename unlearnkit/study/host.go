package study

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Host judges guests as the study judges the paper's methods.
type Host struct {
	Layout      Layout // of the score files that a guest may bring
	Repetitions int
	Parts       []string // models of each repetition, such as "FSC/HuBERT"; nil if there is one
	Names       []string // names that guests cannot have, because they are the study's
	Tables      []string // tables with rows of guests
	// Also holds files that stored scores have in addition, such as unknown costs.
	Also map[string]*safefile.Frame
	// Examples returns the run whose scores have the examples of a part.
	Examples func(p guest.Part) (run *Run, file string)
	// Plan adds the runs of a guest's part to a plan: the import of the model and everything that scores it. A part with
	// scores of its own gets the run that stores them.
	Plan func(p *Plan, g guest.Guest, part guest.Part) (GuestPart, error)
	// Admit adds a guest to results. All its runs are made.
	Admit func(r Results, s *store.Store, g *GuestRuns) error
}

// GuestRuns holds the runs of a guest. They have a plan of their own, so that the study's runs do not depend on guests.
type GuestRuns struct {
	guest.Guest
	*Plan
	Parts []GuestPart // in the order of the guest's parts; without the parts that the preset lacks
}

// GuestPart holds the runs of a guest in one repetition.
type GuestPart struct {
	guest.Part
	Import *Run   // import of the model or of the scores
	Scores []*Run // runs with scores, in the order of the study; the import itself if it has the scores
}

// Own returns the runs that belong to the guest alone.
func (g *GuestRuns) Own() (runs []*Run) {
	for _, p := range g.Parts {
		runs = append(runs, p.Import)
		for _, run := range p.Scores {
			if run != p.Import {
				runs = append(runs, run)
			}
		}
	}
	return runs
}

// Guest plans the runs that score a guest, a model that was trained outside the program.
func (h *Host) Guest(g guest.Guest) (*GuestRuns, error) {
	runs := &GuestRuns{Guest: g, Plan: &Plan{}}
	for _, part := range g.Parts {
		if part.Repetition >= h.Repetitions {
			continue
		}
		planned, err := h.Plan(runs.Plan, g, part)
		if errors.Is(err, ErrNoPart) {
			continue
		}
		if err != nil {
			return nil, err
		}
		planned.Part = part
		runs.Parts = append(runs.Parts, planned)
	}
	return runs, nil
}

// ErrNoPart is the error of [Host.Plan] for a part that the preset lacks.
var ErrNoPart = errors.New("the preset lacks this part")

// Guests returns the guests of a paper whose runs are made, in the order of the list. A guest that was evaluated at
// another preset is included as far as the presets share their runs.
func (p *PresetPlan) Guests(s *store.Store) (all []*GuestRuns, err error) {
	if p.Host == nil {
		return nil, nil
	}
	listed, err := guest.List(s, p.paper)
	if err != nil {
		return nil, err
	}
	for _, g := range listed {
		runs, err := p.Host.Guest(g)
		if err != nil {
			return nil, err
		}
		if err := runs.keepMade(s); err != nil {
			return nil, err
		}
		if len(runs.Parts) > 0 {
			all = append(all, runs)
		}
	}
	return all, nil
}

// keepMade drops the parts whose scores are not all in the store.
func (g *GuestRuns) keepMade(s *store.Store) error {
	var made []GuestPart
	for _, part := range g.Parts {
		missing, err := g.Missing(s, part.Scores...)
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			made = append(made, part)
		}
	}
	g.Parts = made
	return nil
}

// Hosting makes the plan's results include the guests of a paper, and returns the plan.
func (p *PresetPlan) Hosting(paper string, h *Host) *PresetPlan {
	p.paper, p.Host = paper, h
	read := p.Read
	p.Read = func(s *store.Store, tables ...string) (Results, error) {
		found, err := read(s, tables...)
		if err != nil {
			return nil, err
		}
		return found, p.admit(s, found)
	}
	if part := p.Part; part != nil {
		p.Part = func(s *store.Store) (Results, error) {
			found, err := part(s)
			if err != nil {
				return nil, err
			}
			return found, p.admit(s, found)
		}
	}
	return p
}

func (p *PresetPlan) admit(s *store.Store, r Results) error {
	guests, err := p.Guests(s)
	if err != nil {
		return err
	}
	for _, g := range guests {
		if err := p.Host.Admit(r, s, g); err != nil {
			return fmt.Errorf("the guest %s: %w", g.Name, err)
		}
	}
	return nil
}

// GuestTitle returns the title of a guest's row: "mine (guest)", or "mine (guest, 2 of 5 worlds)" if the guest has not
// all repetitions.
func GuestTitle(name string, has, of int, noun certify.Repetitions) string {
	if has == of {
		return name + " (guest)"
	}
	return fmt.Sprintf("%s (guest, %d of %s)", name, has, noun.Count(of))
}

// GuestRow returns the row of a guest. Repetitions without an evaluation are nil.
func GuestRow(levels []string, evaluations ...*Evaluation) Row {
	row := RowOf(levels, false, evaluations...)
	row.Guest = true
	return row
}

// GuestScores stores scores that were computed elsewhere.
var GuestScores = Stage[GuestScoresSpec]{Name: "guest/scores", Version: 1}

// GuestScoresSpec determines the scores of a guest.
type GuestScoresSpec struct {
	Like   Input  `json:"like"`   // run whose scores have the same examples
	File   string `json:"file"`   // file of the scores
	Scores string `json:"scores"` // digest of the scores
}

// AddScores adds to p the run that stores a guest's own scores. A guest has one part for each model that a world has.
func (h *Host) AddScores(p *Plan, g guest.Guest, part guest.Part) GuestPart {
	like, file := h.Examples(part)
	p.Join(like)
	run := GuestScores.Add(p, fmt.Sprintf("%s %d: %s, scores from elsewhere", h.Layout.Repetitions.Singular,
		part.Repetition, g.Name), 1, GuestScoresSpec{Like: like.Input(), File: file, Scores: part.Scores})
	return GuestPart{Import: run, Scores: []*Run{run}}
}

// Frames maps digests to scores that were read.
type Frames map[string]*safefile.Frame

// Maker returns the maker of [GuestScores], which knows these scores. It stores the files of [Host.Also], too.
func (f Frames) Maker(also map[string]*safefile.Frame) Maker {
	return GuestScores.By(func(_ context.Context, spec GuestScoresSpec, _ Inputs, w *store.Work, _ Progress) error {
		frame, known := f[spec.Scores]
		if !known {
			return fmt.Errorf("the scores with the digest %.12s are not at hand: evaluate the file again", spec.Scores)
		}
		for name, file := range also {
			if err := safefile.WriteParquet(w.Path(name), file.Columns); err != nil {
				return err
			}
		}
		return safefile.WriteParquet(w.Path(spec.File), frame.Columns)
	})
}

// GuestNote returns the sentence about guests in the note of a table with their cells, or "".
func GuestNote(cells []certify.Cell) string {
	if !slices.ContainsFunc(cells, func(c certify.Cell) bool { return c.Guest }) {
		return ""
	}
	return " Guests are models from elsewhere; their p-values are corrected over their own row."
}
