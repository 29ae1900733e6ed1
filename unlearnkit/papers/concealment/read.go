package concealment

import (
	"errors"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Read reads the results of a plan. If tables are named, it reads only the attacks that these tables show. If runs have
// not been computed yet, it returns [study.Absent].
func (p *Plan) Read(s *store.Store, tables ...string) (*Results, error) {
	if err := p.Complete(s); err != nil {
		return nil, err
	}
	r := &Results{Preset: p.Preset, Golds: map[string]Views{}, plan: p, store: s}
	var err error
	for i, run := range append([]*study.Run{p.Original.Run}, p.Others...) {
		learning := learningCurve{Output: slices.Concat([]string{p.Preset.Base.Network.Output}, p.Preset.Outputs)[i]}
		for _, steps := range p.Preset.Base.Looks {
			views, err := readViews(s, run, LookFile(steps))
			if err != nil {
				return nil, err
			}
			learning.Looks = append(learning.Looks, lookScores{steps, views})
		}
		r.learning = append(r.learning, learning)
	}
	if r.Original, err = readViews(s, p.Original.Look, ViewsFile); err != nil {
		return nil, err
	}
	for _, gold := range p.Golds {
		if r.Golds[gold.Erasure.Paper], err = readViews(s, gold.Look, ViewsFile); err != nil {
			return nil, err
		}
	}
	if r.further, err = p.further(s); err != nil {
		return nil, err
	}
	for _, pair := range p.Pairs {
		scores, err := pair.read(s)
		if err != nil {
			return nil, err
		}
		r.Pairs = append(r.Pairs, scores)
	}
	for _, a := range p.Attacked {
		if len(tables) > 0 && !slices.Contains(tables, fmt.Sprint(a.Prompt.Table)) {
			r.Attacks = append(r.Attacks, AttackScores{Prompt: a.Prompt, Erasure: a.Erasure})
			continue
		}
		scores, err := a.read(s)
		if err != nil {
			return nil, err
		}
		r.Attacks = append(r.Attacks, scores)
	}
	return r, p.controls.read(s, r)
}

// further reads the judge's labels for the originals and gold models of further training seeds.
func (p *Plan) further(s *store.Store) ([]furtherTraining, error) {
	all := make([]furtherTraining, len(p.Original.Again))
	for i, original := range p.Original.Again {
		var err error
		if all[i].Original, err = readViews(s, original.Look, ViewsFile); err != nil {
			return nil, err
		}
		all[i].Golds = map[string]Views{}
		for _, gold := range p.Golds {
			if all[i].Golds[gold.Erasure.Paper], err = readViews(s, gold.Again[i].Look, ViewsFile); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// readViews reads the judge's labels from a file of a run.
func readViews(s *store.Store, run *study.Run, name string) (Views, error) {
	artifact, err := s.Get(run.Key())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	views, err := ReadViews(artifact, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	return views, nil
}

func (p Pair) read(s *store.Store) (PairScores, error) {
	scores := PairScores{Method: p.Method, Erasure: p.Erasure, Setting: p.Setting}
	for i, run := range p.Tuning {
		artifact, err := s.Get(run.Key())
		if err != nil {
			return scores, fmt.Errorf("%s: %w", run.Title, err)
		}
		tried := RateViews{Rate: p.Method.Rates[i], Views: map[int]Views{}}
		for _, budget := range slices.Concat([]int{0}, p.Method.Budgets) {
			if !slices.Contains(artifact.Names(), LookFile(budget)) {
				break // the method diverged before this budget
			}
			if tried.Views[budget], err = ReadViews(artifact, LookFile(budget)); err != nil {
				return scores, fmt.Errorf("%s: %w", run.Title, err)
			}
		}
		scores.Tried = append(scores.Tried, tried)
	}
	if _, chosen := p.Method.chosen(p.Erasure.Paper); !chosen && len(p.Models) == 0 && len(scores.Tried) > 0 {
		var err error
		if scores.Setting, err = Choose(p.Method.uniqueName(), p.Erasure, scores.Tried); err != nil {
			return scores, err
		}
	}
	for _, model := range p.Models {
		views, err := readViews(s, model.Look, ViewsFile)
		if err != nil {
			return scores, err
		}
		scores.Views = append(scores.Views, views)
	}
	return scores, nil
}

func (a Attacks) read(s *store.Store) (AttackScores, error) {
	scores := AttackScores{Prompt: a.Prompt, Erasure: a.Erasure}
	golds := 1 + len(a.Golds)
	for i, run := range slices.Concat([]*study.Run{a.Gold}, a.Golds, a.Unlearned) {
		attacked, artifact, err := readAttack(s, run, scores.Gold)
		if err != nil {
			return scores, err
		}
		switch {
		case i == 0:
			scores.Gold, scores.sheets[1] = attacked, artifact
		case i < golds:
			scores.Others = append(scores.Others, attacked)
		case i == golds:
			scores.sheets[0] = artifact
			fallthrough
		default:
			scores.Unlearned = append(scores.Unlearned, attacked)
		}
	}
	return scores, nil
}

// ifMade returns the artifact of a run, or nil if the run is not complete.
func ifMade(s *store.Store, run *study.Run) (*store.Artifact, error) {
	artifact, err := s.Get(run.Key())
	if errors.Is(err, store.ErrAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	return artifact, nil
}
