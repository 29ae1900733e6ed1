package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Host describes how a study judges guests: models and scores that users supply.
type Host struct {
	Scores      []ScoreTable // tables of scores that a guest may bring, the main table first
	Repetitions int
	Parts       []string // models of each repetition, such as "FSC/HuBERT"; nil if there is one
	PartColumn  string   // column that names the part in a table of scores, if there are parts
	Names       []string // names of the study's own rows, which guests cannot have
	Tables      []string // tables that show guests
	Fit         Fit      // how a guest of another repetition or part is noticed
	ScoresOnly  bool     // guests are tables of scores; the study judges no models
	paper       string   // name of the paper
	// Also holds further files that are stored with a guest's scores, such as unknown costs.
	Also map[string]*safefile.Frame
	// Plan adds the runs of one part of a guest to a plan: a run that imports the model, and runs that score it. If the
	// part consists of scores, Plan adds one run that stores them.
	Plan func(p *Plan, g guest.Guest, part guest.Part) (GuestPart, error)
	// Admit adds a guest to the results, after all its runs are made.
	Admit func(r Results, s *store.Store, g *GuestRuns) error
}

// GuestRuns holds the runs of a guest. They have a separate plan, so that the study's runs do not depend on guests.
type GuestRuns struct {
	guest.Guest
	*Plan
	Parts []GuestPart // parts in the guest's order, except for parts that the preset lacks
}

// GuestPart holds the runs of a guest in one repetition.
type GuestPart struct {
	guest.Part
	Import *Run   // run that imports the model or the scores
	Scores []*Run // runs with scores, in the study's order; Import itself if the guest consists of scores
}

// Own returns the runs of all parts: imports and scores.
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

// ErrNoPart is the error of [Host.Plan] for a part that does not exist at the preset.
var ErrNoPart = errors.New("the preset lacks this part")

// Guests returns the paper's guests in the order of the list, with the parts whose scores are in the store. A guest
// that was evaluated at another preset has the parts that both presets share.
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

// Hosting adds the guests of a paper to the results that the plan reads. It returns the plan.
func (p *PresetPlan) Hosting(paper string, h *Host) *PresetPlan {
	p.paper, p.Host, h.paper = paper, h, paper
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

// GuestTitle returns the title of a guest's row: "mine (guest)", or "mine (guest, 2 of 5 worlds)" if repetitions are
// missing.
func GuestTitle(name string, has, of int, noun certify.Repetitions) string {
	if has == of {
		return name + " (guest)"
	}
	return fmt.Sprintf("%s (guest, %d of %s)", name, has, noun.Count(of))
}

// GuestRow returns the row of a guest. An evaluation is nil if its repetition is missing.
func GuestRow(levels []string, evaluations ...*Evaluation) Row {
	row := RowOf(levels, false, evaluations...)
	row.Guest = true
	return row
}

// guestScores stores scores that were computed elsewhere.
var guestScores = Stage[guestScoresSpec]{Name: "guest/scores", Version: 1}

// guestScoresSpec determines the scores of a guest.
type guestScoresSpec struct {
	Like   Input  `json:"like"`   // run whose score file has the same examples
	File   string `json:"file"`   // name of the first score file
	Scores string `json:"scores"` // digest of all scores of the part
}

// AddScores adds the runs that store the scores of a part: one for each run of the study that the scores are like, in
// the order of the tables.
func (h *Host) AddScores(p *Plan, g guest.Guest, part guest.Part) (planned GuestPart) {
	for _, table := range h.Scores {
		for _, source := range table.Sources(part) {
			like := p.Join(source.Run)[0]
			title := fmt.Sprintf("%s: %s, scores from elsewhere", table.partTitle(part), g.Name)
			if len(planned.Scores) > 0 {
				title += ", " + table.Name
				if source.Case != "" {
					title += fmt.Sprintf(" (%s %s)", table.Case, source.Case)
				}
			}
			spec := guestScoresSpec{Like: like.Input(), File: source.File, Scores: part.Scores}
			if !slices.ContainsFunc(planned.Scores, func(run *Run) bool { return spec.sameRun(run) }) {
				planned.Scores = append(planned.Scores, guestScores.Add(p, title, 1, spec))
			}
		}
	}
	planned.Import = planned.Scores[0]
	return planned
}

// sameRun reports whether a run stores the scores that are like the same run.
func (s guestScoresSpec) sameRun(run *Run) bool {
	planned, _ := guestScores.Spec(run)
	return planned.Like == s.Like
}

// Frames maps digests of scores to the tables that were read.
type Frames map[string][]ScoreFile

// ScoreFile is a table of scores as it is stored.
type ScoreFile struct {
	Like  Input  // run whose file has the same examples
	Name  string // name of the file
	Frame *safefile.Frame
}

// Maker returns the maker of guestScores. It stores the score tables and the files in also.
func (f Frames) Maker(also map[string]*safefile.Frame) Maker {
	return guestScores.By(func(_ context.Context, spec guestScoresSpec, _ Inputs, w *store.Work, _ Progress) error {
		files, known := f[spec.Scores]
		if !known {
			return fmt.Errorf("the scores with the digest %.12s are not at hand: evaluate the file again", spec.Scores)
		}
		for name, file := range also {
			if err := safefile.WriteParquet(w.Path(name), file.Columns); err != nil {
				return err
			}
		}
		for _, file := range files {
			if file.Like != spec.Like {
				continue
			}
			if err := safefile.WriteParquet(w.Path(file.Name), file.Frame.Columns); err != nil {
				return err
			}
		}
		return nil
	})
}

// GuestNotes holds the doubts about guests, in the order of the guests.
type GuestNotes []string

// Add adds the doubts about a guest.
func (n *GuestNotes) Add(g *GuestRuns) {
	for _, part := range g.Parts {
		if part.Note != "" {
			*n = append(*n, fmt.Sprintf(" %s: %s", g.Name, part.Note))
		}
	}
}

// Below returns the sentences about guests below a table, or "" if no cell belongs to a guest.
func (n GuestNotes) Below(cells []certify.Cell) string {
	if !slices.ContainsFunc(cells, func(c certify.Cell) bool { return c.Guest }) {
		return ""
	}
	return " Guests are models from elsewhere; their p-values are corrected over their own row." + strings.Join(n, "")
}
