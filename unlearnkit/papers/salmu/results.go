package salmu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Results holds the raw scores of a preset. Every table, figure and claim is a function of these scores.
type Results struct {
	study.Hidden
	Preset Preset

	set    *study.Set
	trials []bool       // whether each trial is complete
	store  *store.Store // store that the scores were read from
}

// Seeds returns the number of worlds.
func (r *Results) Seeds() int { return len(r.set.Repetitions) }

// Read reads the results of a plan. If tables are named, it reads only the scores that these tables show. If runs have
// not been computed yet, it returns [study.Absent], except for trials: a trial is read only if it is complete.
func (p *Plan) Read(s *store.Store, tables ...string) (*Results, error) {
	var worlds []int
	for world := range p.Worlds {
		worlds = append(worlds, world)
	}
	return p.read(s, worlds, tables...)
}

func (p *Plan) read(s *store.Store, worlds []int, tables ...string) (*Results, error) {
	if err := layout.Check(p.Preset.Columns()...); err != nil {
		return nil, err
	}
	missing, err := p.Missing(s, p.main(worlds)...)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, &study.Absent{Runs: missing}
	}
	if len(p.attacks) > 0 {
		if _, err := p.attackedWorlds(s); err != nil {
			return nil, err
		}
	}
	r := &Results{Preset: p.Preset, store: s, set: study.NewSet(p.Scores, layout, s, worlds...)}
	r.Preset.Worlds = len(worlds)
	shown := []study.Label{partKey.Is(ofBases)}
	switch {
	case len(tables) == 0:
		shown = append(shown, partKey.Is(ofPortraits), partKey.Is(ofMethods), partKey.Is(ofClean), partKey.Is(ofRates),
			partKey.Is(ofVariants))
		if shown, err = r.findTrials(p, shown); err != nil {
			return nil, err
		}
	case slices.Contains(tables, "5"):
		shown = append(shown, partKey.Is(ofMethods))
	}
	if slices.Contains(tables, "6") {
		shown = append(shown, partKey.Is(ofClean))
	}
	if err := r.set.Load(shown...); err != nil {
		return nil, err
	}
	for _, world := range worlds {
		for _, run := range []*study.Run{p.Worlds[world].Clean, p.Worlds[world].Compromised, p.Worlds[world].Independent} {
			if run == nil {
				continue
			}
			if e := r.set.Of(run, ScoresFile(0)); e.Lost() || e.Frame().Rows() == 0 {
				return nil, fmt.Errorf("%s: it has no scores", run.Title)
			}
		}
	}
	return r, nil
}

// findTrials finds out which trials are complete, and adds their labels.
func (r *Results) findTrials(p *Plan, shown []study.Label) ([]study.Label, error) {
	for i := range p.Preset.Trials {
		var runs []*study.Run
		for _, w := range p.Trials[i] {
			runs = append(runs, w.own()...)
		}
		missing, err := p.Missing(r.store, runs...)
		if err != nil {
			return nil, err
		}
		if r.trials = append(r.trials, len(missing) == 0); len(missing) == 0 {
			shown = append(shown, trialKey.Is(i))
		}
	}
	return shown, nil
}

// part reads the results of the worlds whose runs are complete. At least one of them must not be a world of the study
// itself, to which the preset adds worlds.
func (p *Plan) part(s *store.Store) (*Results, error) {
	var worlds []int
	adds := false
	for world, w := range p.Worlds {
		missing, err := p.Missing(s, w.own()...)
		if err != nil {
			return nil, err
		}
		if len(missing) == 0 {
			worlds = append(worlds, world)
			adds = adds || !p.core()[w.Clean.Key()]
		}
	}
	if !adds {
		return nil, p.Complete(s)
	}
	return p.read(s, worlds)
}

// Evaluation returns the scores of a run after some passes; 0 for a base model.
func (r *Results) Evaluation(run *study.Run, passes int) *study.Evaluation {
	return r.set.Of(run, ScoresFile(passes))
}

// portraitsOf returns the scores of portraits by a base model in a world, of the study or of a trial.
func (r *Results) portraitsOf(world int, model string, trial ...study.Label) Scores {
	return ScoresOf(r.set.Find(world, portraitsOf(model, trial...)...))
}

// forgetRows returns the number of rows of a world that should be forgotten.
func (r *Results) forgetRows() float64 {
	rows, err := study.Selection{Where: splits(forgotten...)}.Select(r.base(r.set.Repetitions[0], compromised).Frame())
	if err != nil {
		panic(err) // Read rejects scores without splits
	}
	return float64(len(rows))
}
