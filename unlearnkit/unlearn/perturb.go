package unlearn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// perturb changes the policy's trainable tensors by a phase without steps.
func (j Job) perturb(phase Phase, number int) error {
	for _, variable := range slices.Collect(j.Store.Scope("/" + Policy).IterVariables()) {
		if !variable.Trainable {
			continue
		}
		path := strings.TrimPrefix(variable.Path(), "/"+Policy+"/")
		err := change(variable, func(values []float64) { phase.Perturb(path, values, seed.Stream(j.Seed, "perturb", number, path)) })
		if err != nil {
			return fmt.Errorf("method %s: %w", j.Method.Name, err)
		}
	}
	return nil
}

// change replaces the values of a variable in float32.
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
		flat[i] = float32(v)
	}
	return variable.SetValue(tensors.FromFlatDataAndDimensions(flat, variable.Shape().Dimensions...))
}
