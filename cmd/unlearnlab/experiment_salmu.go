package main

import (
	"fmt"
	"io"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu/compute"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

var salmuExperiment = experiment{
	paper: "salmu", tables: salmu.TableNumbers, published: true, repeated: certify.Worlds,
	resampled: "worlds, people and classes",
	check:     func(f studyFlags) error { _, err := salmuPreset(f); return err },
	lay:       laySALMU,
}

// paperPreset is the preset of the published data and models.
const paperPreset = "paper"

// salmuPreset is the preset that the flags ask for; that of the paper is known only when the published files are.
func salmuPreset(f studyFlags) (preset salmu.Preset, err error) {
	if f.preset == paperPreset {
		if f.seeds > 1 {
			err = fmt.Errorf("--seeds %d: the published data are one world", f.seeds)
		}
		return preset, err
	}
	if preset, err = salmu.Named(f.preset); err != nil {
		return preset, err
	}
	if f.folders != (compute.Folders{}) {
		return preset, fmt.Errorf("--data, --models, --imagenet and --retain are for --preset %s: %s has data of its "+
			"own", paperPreset, f.preset)
	}
	if f.seeds > 0 {
		preset.Worlds = f.seeds
	}
	return preset, nil
}

func laySALMU(f studyFlags, l workbench) (*laid, error) {
	preset, err := salmuPreset(f)
	if err != nil {
		return nil, err
	}
	lab := compute.NewLab(l.device)
	if f.preset == paperPreset {
		found, err := findDownload(l.store, f.folders, l.stderr)
		if err != nil {
			return nil, err
		}
		preset, lab = salmu.Paper(found.Download), lab.Reading(found)
	}
	plan := salmu.NewPlan(preset, lab)
	return &laid{
		Plan: &plan.Plan, preset: preset.Name, large: preset.Download != nil, of: plan.Of,
		read: func(s *store.Store) (findings, error) { return plan.Read(s) },
		// gigabytes, and not ours to pass on: they are made from the download again
		kept: func(run *study.Run) bool { return run.Stage != salmu.Pictures },
	}, nil
}

// findDownload looks at the published files, which takes minutes the first time.
func findDownload(s *store.Store, folders compute.Folders, stderr io.Writer) (*compute.Found, error) {
	ctx, cancel := untilInterrupted()
	defer cancel()
	return compute.Find(ctx, s, folders, stderr)
}
