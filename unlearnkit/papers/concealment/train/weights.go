package train

import (
	"maps"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
)

// weights maps the paths of a model's tensors to their values.
type weights map[string][]float32

func (p *painter) weights() (weights, error) {
	all := weights{}
	for variable := range p.scope().IterVariables() {
		value, err := variable.Value()
		if err != nil {
			return nil, err
		}
		if all[variable.Path()], err = tensors.CopyFlatData[float32](value); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// distances returns ‖after - before‖/‖before‖ over all tensors, and over the tensors that differ. It also returns the
// number of values in the tensors that differ.
func (before weights) distances(after weights) (all, moved float64, parameters int) {
	var squares, moves, movedSquares float64
	for _, path := range slices.Sorted(maps.Keys(before)) {
		var square, move float64
		for i, value := range before[path] {
			difference := float64(after[path][i]) - float64(value)
			square += float64(float64(value) * float64(value))
			move += float64(difference * difference)
		}
		squares += square
		moves += move
		if move > 0 {
			movedSquares += square
			parameters += len(before[path])
		}
	}
	return math.Sqrt(moves / squares), math.Sqrt(moves / movedSquares), parameters
}
