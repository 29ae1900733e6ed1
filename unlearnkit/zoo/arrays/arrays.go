// Package arrays checks the named input arrays of a model.
package arrays

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Input describes an input array of a model.
type Input struct {
	Name string
	Type dtypes.DType // Float32 or Int32
	// Shape is the size of each axis; 0 allows any positive size.
	Shape []int
	// Below is the limit of integers: token IDs must be from 0 to Below-1. 0 means no limit.
	Below    int32
	Optional bool
}

// Check returns a one-line error if the inputs do not match the wanted inputs.
func Check(inputs map[string]*tensors.Tensor, wanted ...Input) error {
	var names []string
	for _, w := range wanted {
		names = append(names, w.Name)
		tensor, ok := inputs[w.Name]
		if !ok && !w.Optional {
			return fmt.Errorf("the input %s is missing", w.Name)
		}
		if ok {
			if err := w.check(tensor); err != nil {
				return fmt.Errorf("the input %s %w", w.Name, err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("the input %s is not known; the model takes %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

func (w Input) check(tensor *tensors.Tensor) error {
	if tensor.DType() != w.Type {
		return fmt.Errorf("is of type %s and should be %s", tensor.DType(), w.Type)
	}
	dimensions := tensor.Shape().Dimensions
	fits := len(dimensions) == len(w.Shape)
	for axis := 0; fits && axis < len(dimensions); axis++ {
		fits = dimensions[axis] > 0 && (w.Shape[axis] == 0 || dimensions[axis] == w.Shape[axis])
	}
	if !fits {
		return fmt.Errorf("has the shape %v and should have %s", dimensions, shapeText(w.Shape))
	}
	if w.Below > 0 {
		for _, id := range tensors.MustCopyFlatData[int32](tensor) {
			if id < 0 || id >= w.Below {
				return fmt.Errorf("has the id %d; ids are from 0 to %d", id, w.Below-1)
			}
		}
	}
	return nil
}

// shapeText formats a shape, with 0 as "any".
func shapeText(shape []int) string {
	words := make([]string, len(shape))
	for i, n := range shape {
		words[i] = fmt.Sprint(n)
		if n == 0 {
			words[i] = "any"
		}
	}
	return "[" + strings.Join(words, " ") + "]"
}
