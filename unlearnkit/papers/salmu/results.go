package salmu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Results are the raw scores of a preset. Every table, figure and claim is a function of them.
type Results struct {
	Preset   Preset
	Worlds   []WorldScores
	Variants []VariantScores
	Trials   [][]WorldScores // of each trial its worlds; none where it is not made

	store *store.Store // that they were read from
}

// Seeds is the number of worlds.
func (r *Results) Seeds() int { return len(r.Worlds) }

// WorldScores are the raw scores of one world.
type WorldScores struct {
	Clean, Compromised, Independent *study.Evaluation
	CleanGap, CompromisedGap        Scores    // portraits of two styles
	Methods, FromClean, Rates       []Budgets // in the order of the preset
}

// Budgets are the scores of a run after so many passes. Those of a run that diverged are lost from some budget on.
type Budgets map[int]*study.Evaluation

// Read reads the results of a plan. Where tables are named it reads what these show and leaves the rest empty. Where
// runs are not made yet the error is a [study.Absent], but not for those of trials: a trial is read when it is whole.
func (p *Plan) Read(s *store.Store, tables ...string) (*Results, error) {
	if err := layout.Check(p.Preset.Columns()...); err != nil {
		return nil, err
	}
	missing, err := p.Missing(s, p.main()...)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, &study.Absent{Runs: missing}
	}
	r := &Results{Preset: p.Preset, store: s}
	shown := func(table string) bool { return len(tables) == 0 || slices.Contains(tables, table) }
	for number, w := range p.Worlds {
		scores, err := w.read(s, p.Preset, number, shown)
		if err != nil {
			return nil, err
		}
		r.Worlds = append(r.Worlds, scores)
	}
	if len(tables) > 0 {
		return r, nil
	}
	for i, v := range p.Variants {
		scores, err := v.read(s, p.Preset.Variants[i].Methods)
		if err != nil {
			return nil, err
		}
		r.Variants = append(r.Variants, scores)
	}
	for i := range p.Trials {
		worlds, err := r.readTrial(s, p, i)
		if err != nil {
			return nil, err
		}
		r.Trials = append(r.Trials, worlds)
	}
	return r, nil
}

// Part reads the worlds of which every run is made, if one of them is not the study's own.
func (p *Plan) Part(s *store.Store) (*Results, error) {
	part, adds := *p, false
	part.Worlds = nil
	for _, w := range p.Worlds {
		missing, err := p.Missing(s, w.own()...)
		if err != nil {
			return nil, err
		}
		if len(missing) == 0 {
			part.Worlds = append(part.Worlds, w)
			adds = adds || !p.core()[w.Clean.Key()]
		}
	}
	if !adds {
		return nil, p.Complete(s)
	}
	part.Preset.Worlds = len(part.Worlds)
	return part.Read(s)
}

// noTable is what no table shows: figures and claims alone do.
const noTable = ""

func (w World) read(s *store.Store, p Preset, number int, shown func(table string) bool) (scores WorldScores,
	err error) {
	for _, base := range []struct {
		run  *study.Run
		into **study.Evaluation
	}{{w.Clean, &scores.Clean}, {w.Compromised, &scores.Compromised}, {w.Independent, &scores.Independent}} {
		if base.run == nil {
			continue
		}
		budgets, err := readRun(s, base.run, []int{0}, number, scores.Clean)
		if err != nil {
			return scores, err
		}
		if *base.into = budgets[0]; budgets[0].Lost() || budgets[0].Frame().Rows() == 0 {
			return scores, fmt.Errorf("%s: it has no scores", base.run.Title)
		}
	}
	if shown(noTable) {
		if scores.CleanGap, err = readGap(s, w.Clean); err != nil {
			return scores, err
		}
		if scores.CompromisedGap, err = readGap(s, w.Compromised); err != nil {
			return scores, err
		}
	}
	for _, group := range []struct {
		table   string
		runs    []*study.Run
		methods []Method
		into    *[]Budgets
	}{{"5", w.Methods, p.Methods, &scores.Methods}, {"6", w.FromClean, p.Clean, &scores.FromClean},
		{noTable, w.Rates, p.Rates, &scores.Rates}} {
		if !shown(group.table) {
			continue
		}
		for i, run := range group.runs {
			budgets, err := readRun(s, run, group.methods[i].Budgets, number, scores.Clean)
			if err != nil {
				return scores, err
			}
			*group.into = append(*group.into, budgets)
		}
	}
	return scores, nil
}

// readRun reads the scores of a run of a world, which must be of the same examples as others of the world.
func readRun(s *store.Store, run *study.Run, budgets []int, world int, others *study.Evaluation) (Budgets, error) {
	read := Budgets{}
	// in the order of their names, in which a publication has them: none of it is decoded twice
	for _, budget := range slices.SortedFunc(slices.Values(budgets), byFile) {
		scores, err := layout.Load(s, study.Reading{Run: run, For: study.ForValue, Repetition: world, Budget: budget,
			File: ScoresFile(budget)}, others)
		if err != nil {
			return nil, err
		}
		read[budget] = scores
	}
	return read, nil
}

func byFile(a, b int) int { return cmp.Compare(ScoresFile(a), ScoresFile(b)) }

// readGap reads the scores of the domain gap under a base model.
func readGap(s *store.Store, run *study.Run) (Scores, error) {
	artifact, err := s.Get(run.Key())
	if err == nil {
		var scores Scores
		if scores, err = ReadScores(artifact, GapFile); err == nil {
			return scores, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", run.Title, err)
}
