package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
)

// asked is the preset that is asked for.
func asked(r bench.Request) (preset Preset, err error) {
	if preset, err = Named(r.Preset); err == nil && r.Repetitions > 0 {
		preset.Worlds = r.Repetitions
	}
	return preset, err
}

// Lay lays the study out so that it can be read.
func Lay(r bench.Request) (*bench.Plan, error) {
	preset, err := asked(r)
	if err != nil {
		return nil, err
	}
	p := NewPlan(preset)
	return &bench.Plan{Plan: &p.Plan, Preset: preset.Name, Of: p.Of}, nil
}
