package salmu

import (
	"errors"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Results are the raw scores of a preset. Every table, figure and claim is a function of them.
type Results struct {
	Preset Preset
	Worlds []WorldScores
}

// WorldScores are the raw scores of one world.
type WorldScores struct {
	Clean, Compromised, Independent Scores
	Methods, FromClean, Rates       []Budgets // in the order of the preset
}

// Budgets are the scores of a run after so many passes. A run that diverged has not all of them.
type Budgets map[int]Scores

// Missing is the error of results that are not all there yet.
type Missing struct{ Runs []*study.Run }

func (m *Missing) Error() string {
	return fmt.Sprintf("%d runs are not made yet, the first is %q", len(m.Runs), m.Runs[0].Title)
}

// Read reads the results of a plan. Where runs are not made yet the error is a [Missing].
func (p *Plan) Read(s *store.Store) (*Results, error) {
	missing, err := p.Missing(s)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, &Missing{missing}
	}
	r := &Results{Preset: p.Preset}
	for _, w := range p.Worlds {
		scores, err := w.read(s, p.Preset)
		if err != nil {
			return nil, err
		}
		r.Worlds = append(r.Worlds, scores)
	}
	return r, nil
}

func (w World) read(s *store.Store, p Preset) (scores WorldScores, err error) {
	for _, base := range []struct {
		run  *study.Run
		into *Scores
	}{{w.Clean, &scores.Clean}, {w.Compromised, &scores.Compromised}, {w.Independent, &scores.Independent}} {
		budgets, err := readRun(s, base.run, []int{0})
		if err != nil {
			return scores, err
		}
		*base.into = budgets[0]
	}
	for _, group := range []struct {
		runs    []*study.Run
		methods []Method
		into    *[]Budgets
	}{{w.Methods, p.Methods, &scores.Methods}, {w.FromClean, p.Clean, &scores.FromClean}, {w.Rates, p.Rates, &scores.Rates}} {
		for i, run := range group.runs {
			budgets, err := readRun(s, run, group.methods[i].Budgets)
			if err != nil {
				return scores, err
			}
			*group.into = append(*group.into, budgets)
		}
	}
	return scores, scores.check()
}

func readRun(s *store.Store, run *study.Run, budgets []int) (Budgets, error) {
	artifact, err := s.Get(run.Key())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	read := Budgets{}
	for _, budget := range budgets {
		name := ScoresFile(budget)
		if !artifact.Has(name) {
			continue
		}
		if read[budget], err = ReadScores(artifact.Path(name)); err != nil {
			return nil, fmt.Errorf("%s: %w", run.Title, err)
		}
	}
	return read, nil
}

// check refuses scores of a world that are not of the same examples: they could not be compared row by row.
func (w WorldScores) check() error {
	all := []Scores{w.Compromised, w.Independent}
	for _, group := range [][]Budgets{w.Methods, w.FromClean, w.Rates} {
		for _, budgets := range group {
			for _, scores := range budgets {
				all = append(all, scores)
			}
		}
	}
	for _, scores := range all {
		if len(scores) != len(w.Clean) {
			return fmt.Errorf("scores of %d and of %d examples in one world", len(w.Clean), len(scores))
		}
		for i := range scores {
			if scores[i].ID != w.Clean[i].ID || scores[i].Split != w.Clean[i].Split {
				return errors.New("scores of different examples in one world: " + w.Clean[i].ID + " and " + scores[i].ID)
			}
		}
	}
	return nil
}
