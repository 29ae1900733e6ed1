package salmu

import (
	"errors"
	"fmt"

	"github.com/unlearnlab/unlearnlab/data/results"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// OpenStore opens the store in a folder, with what ships of the study below it.
func OpenStore(folder string, options ...store.Option) (*store.Store, error) {
	return results.OpenStore("salmu", folder, options...)
}

// Open reads the results of a preset from the store in a folder. It computes nothing: what is missing is made by
//
//	unlearnlab run salmu --preset PRESET
func Open(folder, preset string) (*Results, error) {
	p, err := Named(preset)
	if err != nil {
		return nil, err
	}
	s, err := OpenStore(folder)
	if err != nil {
		return nil, err
	}
	r, err := NewPlan(p, nil).Read(s)
	if errors.As(err, new(*study.Absent)) {
		return nil, fmt.Errorf("%w: unlearnlab run salmu --preset %s makes them", err, preset)
	}
	return r, err
}
