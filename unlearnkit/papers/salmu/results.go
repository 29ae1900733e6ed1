package salmu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Results holds the raw scores of a preset. Every table, figure and claim is a function of these scores.
type Results struct {
	study.Hidden
	Preset   Preset
	Worlds   []WorldScores
	variants []variantScores
	Trials   [][]WorldScores  // worlds of each trial; nil if the trial has not been computed
	guests   []guestScores    // scores of imported models
	doubts   study.GuestNotes // doubts about imported models

	store *store.Store // store that the scores were read from
}

// WorldScores holds the raw scores of one world.
type WorldScores struct {
	Clean, Compromised, Independent *study.Evaluation
	CleanGap, CompromisedGap        Scores    // scores of portraits in two styles, by Clean and Compromised
	Methods, FromClean, Rates       []Budgets // scores by method, in the order of the preset
}

// Budgets maps numbers of passes to scores. A run that diverged has no scores from some budget on.
type Budgets map[int]*study.Evaluation

// variantScores holds the raw scores of a variant.
type variantScores struct {
	Compromised *study.Evaluation
	Methods     []Budgets
}

// guestScores holds the raw scores of a user's imported models.
type guestScores struct {
	Name   string
	Worlds []*study.Evaluation // scores by world; nil if the user imported no model for the world
}

// Seeds returns the number of worlds.
func (r *Results) Seeds() int { return len(r.Worlds) }

// Read reads the results of a plan. If tables are named, it reads only the scores that these tables show. If runs have
// not been computed yet, it returns [study.Absent], except for trials: a trial is read only if it is complete.
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
	if len(p.attacks) > 0 {
		if _, err := p.readAttacks(s); err != nil {
			return nil, err
		}
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
	for i, v := range p.variants {
		scores, err := v.read(s, p.Preset.Variants[i].Methods)
		if err != nil {
			return nil, err
		}
		r.variants = append(r.variants, scores)
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

// part reads the results of the worlds whose runs are complete. At least one of them must not be a world of the study
// itself, to which the preset adds worlds.
func (p *Plan) part(s *store.Store) (*Results, error) {
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

// noTable marks scores that only figures and claims use, but no table.
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

// readRun reads the scores of a run at all budgets. The scores must have the same examples as the others of the world.
func readRun(s *store.Store, run *study.Run, budgets []int, world int, others *study.Evaluation) (Budgets, error) {
	read := Budgets{}
	// A publication stores budgets in the order of their file names. In this order, nothing is decoded twice.
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

// readGap reads the scores of the domain gap of a base model.
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

func (v variantRuns) read(s *store.Store, methods []Method) (scores variantScores, err error) {
	base, err := readRun(s, v.Compromised, []int{0}, 0, nil)
	if err != nil {
		return scores, err
	}
	scores.Compromised = base[0]
	for i, run := range v.Methods {
		budgets, err := readRun(s, run, methods[i].Budgets, 0, scores.Compromised)
		if err != nil {
			return scores, err
		}
		scores.Methods = append(scores.Methods, budgets)
	}
	return scores, nil
}

// readTrial reads the scores of a trial. It reuses the study's scores of base models if the trial judges the same rows.
// It returns nil if a run of the trial has not been computed.
func (r *Results) readTrial(s *store.Store, p *Plan, number int) (worlds []WorldScores, err error) {
	t := p.Preset.Trials[number]
	for i, w := range p.Trials[number] {
		if missing, err := p.Missing(s, w.own()...); err != nil || len(missing) > 0 {
			return nil, err
		}
		scores := WorldScores{Clean: r.Worlds[i].Clean, Compromised: r.Worlds[i].Compromised}
		if t.World != p.Preset.World {
			bases := World{Clean: w.Clean, Compromised: w.Compromised}
			if scores, err = bases.read(s, Preset{}, i, func(string) bool { return true }); err != nil {
				return nil, err
			}
		}
		for k, run := range w.Methods {
			budgets, err := readRun(s, run, t.Methods[k].Budgets, i, scores.Clean)
			if err != nil {
				return nil, err
			}
			scores.Methods = append(scores.Methods, budgets)
		}
		worlds = append(worlds, scores)
	}
	return worlds, nil
}

// forgetRows returns the number of rows of a world that should be forgotten.
func (r *Results) forgetRows() float64 {
	rows, err := study.Selection{Where: splits(forgotten...)}.Select(r.Worlds[0].Compromised.Frame())
	if err != nil {
		panic(err) // Read rejects scores without splits
	}
	return float64(len(rows))
}
