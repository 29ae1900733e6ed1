package lab

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Step is a training step of a study, with zeros in place of data and weights without values.
type Step struct {
	Stage string // the study's stage, such as "salmu/unlearned"
	Name  string // the method, or what is trained
	Model string
	Rows  int // rows in each stream of a batch
	// Costs compiles the step of each phase on a device of [device.OpenCompiler].
	Costs func(ctx context.Context, d *device.Device) ([]unlearn.PhaseCost, error)
}

// Zeros returns a tensor of zeros.
func Zeros(t dtypes.DType, dimensions ...int) *tensors.Tensor {
	return tensors.FromShape(shapes.Make(t, dimensions...))
}
