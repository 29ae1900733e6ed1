package registry

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// input reads an array and converts it to the type of a model's input.
func input(file *safefile.Tensors, name string) (*tensors.Tensor, error) {
	array, _ := file.Tensor(name)
	if slices.Contains([]safefile.Type{safefile.F16, safefile.BF16, safefile.F32, safefile.F64}, array.Type) {
		values := make([]float32, array.Elements())
		if err := file.Float32(name, values); err != nil {
			return nil, err
		}
		return tensors.FromFlatDataAndDimensions(values, array.Shape...), nil
	}
	wide := make([]int64, array.Elements())
	if err := file.Int64(name, wide); err != nil {
		return nil, err
	}
	values := make([]int32, len(wide))
	for i, value := range wide {
		if value < math.MinInt32 || value > math.MaxInt32 {
			return nil, fmt.Errorf("the input %s has the number %d, which is not an int32", name, value)
		}
		values[i] = int32(value)
	}
	return tensors.FromFlatDataAndDimensions(values, array.Shape...), nil
}
