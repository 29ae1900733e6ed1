package arrays_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/arrays"
)

var wanted = []arrays.Input{
	{Name: "pixel_values", Type: dtypes.Float32, Shape: []int{0, 3, 2, 2}},
	{Name: "input_ids", Type: dtypes.Int32, Shape: []int{0, 0}, Below: 5, Optional: true},
}

func TestArrays_Misfit(t *testing.T) {
	pixels := func(dimensions ...int) *tensors.Tensor {
		size := 1
		for _, n := range dimensions {
			size *= n
		}
		return tensors.FromFlatDataAndDimensions(make([]float32, size), dimensions...)
	}
	ids := func(values ...int32) *tensors.Tensor {
		return tensors.FromFlatDataAndDimensions(values, 1, len(values))
	}
	tests := []struct {
		inputs map[string]*tensors.Tensor
		want   string
	}{
		{map[string]*tensors.Tensor{"pixel_values": pixels(4, 3, 2, 2)}, ""},
		{map[string]*tensors.Tensor{"pixel_values": pixels(1, 3, 2, 2), "input_ids": ids(0, 4)}, ""},
		{map[string]*tensors.Tensor{"input_ids": ids(0)}, "the input pixel_values is missing"},
		{map[string]*tensors.Tensor{"pixel_values": pixels(1, 1, 2, 2)},
			"the input pixel_values has the shape [1 1 2 2] and should have [any 3 2 2]"},
		{map[string]*tensors.Tensor{"pixel_values": pixels(3, 2, 2)}, "[any 3 2 2]"},
		{map[string]*tensors.Tensor{"pixel_values": ids(1)}, "is of type Int32 and should be Float32"},
		{map[string]*tensors.Tensor{"pixel_values": pixels(1, 3, 2, 2), "input_ids": ids(0, 5)},
			"has the id 5; ids are from 0 to 4"},
		{map[string]*tensors.Tensor{"pixel_values": pixels(1, 3, 2, 2), "input_ids": ids(-1)}, "has the id -1"},
		{map[string]*tensors.Tensor{"pixel_values": pixels(1, 3, 2, 2), "pixels": ids(1)},
			"the input pixels is not known; the model takes pixel_values, input_ids"},
	}
	for _, test := range tests {
		err := arrays.Check(test.inputs, wanted...)
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("the check of %v says %q, want %q", test.inputs, got, test.want)
		}
	}
}
