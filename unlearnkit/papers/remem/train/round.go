package train

import (
	"math"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
)

// round rounds the weights of the decoder's linear layers to a number of bits. Each row of a layer has its own scale,
// as in weight-only quantisation. Rounding undoes changes of weights that are smaller than a step.
func (w *witness) round(bits int) error {
	most := math.Exp2(float64(bits-1)) - 1
	for v := range w.scope.At("language_model").IterVariables() {
		if v.Shape().Rank() != 2 || !strings.HasSuffix(v.Path(), "_proj/weight") {
			continue
		}
		value, err := v.Value()
		if err != nil {
			return err
		}
		weights := tensors.MustCopyFlatData[float32](value)
		rows, columns := v.Shape().Dimensions[0], v.Shape().Dimensions[1]
		for row := range rows {
			roundRow(weights[row*columns:(row+1)*columns], most)
		}
		if err := v.SetValue(tensors.FromFlatDataAndDimensions(weights, rows, columns)); err != nil {
			return err
		}
	}
	return nil
}

// roundRow rounds values to multiples of a step, chosen so that the largest magnitude is most steps.
func roundRow(values []float32, most float64) {
	largest := 0.
	for _, v := range values {
		largest = math.Max(largest, math.Abs(float64(v)))
	}
	if largest == 0 {
		return
	}
	step := largest / most
	for i, v := range values {
		values[i] = float32(math.Round(float64(v)/step) * step)
	}
}
