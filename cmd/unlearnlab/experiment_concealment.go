package main

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment/compute"
	salmu "github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu/compute"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

var concealmentExperiment = experiment{
	paper: "concealment", tables: concealment.TableNumbers, repeated: concealment.TrainingSeeds,
	resampled: "training seeds and noise, pictures of the gate, or prompts",
	further: []further{
		{"verdicts", "which methods conceal", ofConcealment(func(r *concealment.Results) (*report.Table, error) {
			return r.VerdictTable(), nil
		})},
		{"settings", "how each method was set, and what that came to",
			ofConcealment((*concealment.Results).SettingTable)},
		{"readings1", "Table 1's scores in every reading", readings("1")},
		{"readings2", "Table 2's", readings("2")},
		{"readings3", "Table 3's", readings("3")},
	},
	check: func(f studyFlags) error { _, err := concealmentPreset(f); return err },
	lay:   layConcealment,
}

// ofConcealment makes something of the study's results.
func ofConcealment[T any](of func(r *concealment.Results) (T, error)) func(findings) (T, error) {
	return func(r findings) (T, error) { return of(r.(*concealment.Results)) }
}

// readings are the scores of a table by the text's definitions and by the code's.
func readings(number string) func(findings) (*report.Table, error) {
	return ofConcealment(func(r *concealment.Results) (*report.Table, error) { return r.Variants(number) })
}

func concealmentPreset(f studyFlags) (preset concealment.Preset, err error) {
	if preset, err = concealment.Named(f.preset); err != nil {
		return preset, err
	}
	if f.folders != (salmu.Folders{}) {
		return preset, fmt.Errorf("--data, --models, --imagenet and --retain are for the published data of salmu: " +
			"concealment has a world of its own")
	}
	if f.seeds > 0 {
		preset.Seeds = f.seeds
	}
	return preset, nil
}

func layConcealment(f studyFlags, l workbench) (*laid, error) {
	preset, err := concealmentPreset(f)
	if err != nil {
		return nil, err
	}
	plan := concealment.NewPlan(preset, compute.NewLab(l.device))
	return &laid{
		Plan: &plan.Plan, preset: preset.Name, of: plan.Of,
		read: func(s *store.Store) (findings, error) { return plan.Read(s) },
		kept: func(run *study.Run) bool { return passedOn(plan, run) },
	}, nil
}

// passedOn tells whether a run is passed on: scores are, and of the models, which have megabytes each, the original and
// the gold one of the first concept. With these an attack of one's own can begin; an erased model is made from the
// original in a minute.
func passedOn(plan *concealment.Plan, run *study.Run) bool {
	switch run.Stage {
	case concealment.Erased:
		return false
	case concealment.Base:
		return run == plan.Original.Run || run == plan.Golds[0].Run || run.Spec.(concealment.BaseSpec).Discarded
	}
	return true
}
