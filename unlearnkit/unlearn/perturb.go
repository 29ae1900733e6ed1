package unlearn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// perturb runs a phase without steps, which changes the policy's trainable tensors.
func (j Job[V]) perturb(phase Phase[V], number int) error {
	for _, variable := range slices.Collect(j.Store.Scope("/" + Policy).IterVariables()) {
		if !variable.Trainable {
			continue
		}
		path := strings.TrimPrefix(variable.Path(), "/"+Policy+"/")
		err := device.Try(j.stage(phase), func() error {
			return change(variable, func(values []float64) {
				phase.Perturb(path, values, seed.Stream(j.Seed, "perturb", number, path))
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// change replaces the values of a float32 variable.
func change(variable *model.Variable, by func(values []float64)) error {
	value, err := variable.Value()
	if err != nil {
		return err
	}
	flat, err := tensors.CopyFlatData[float32](value)
	if err != nil {
		return fmt.Errorf("%s: %w", variable.Path(), err)
	}
	wide := make([]float64, len(flat))
	for i, v := range flat {
		wide[i] = float64(v)
	}
	by(wide)
	for i, v := range wide {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: the value %v: %w", variable.Path(), v, train.ErrDiverged)
		}
		flat[i] = float32(v)
	}
	return variable.SetValue(tensors.FromFlatDataAndDimensions(flat, variable.Shape().Dimensions...))
}
