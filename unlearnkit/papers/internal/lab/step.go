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
	// Precision is empty for float32, and "bfloat16" for bfloat16 with float32 values of what is trained.
	Precision string
	// Costs compiles the step of each phase on a device of [device.OpenCompiler].
	Costs func(ctx context.Context, d *device.Device) ([]unlearn.PhaseCost, error)
}

// MethodOf returns a method of a catalogue entry, and the rows of a step in its setting "batch". It panics if there is no
// such method: the catalogue and the methods have the same names.
func MethodOf[V any](methods []unlearn.Method[V], name string) (unlearn.Method[V], int) {
	method, err := unlearn.Find(methods, name)
	if err != nil {
		panic(err)
	}
	batch, err := method.Setting("batch")
	if err != nil {
		panic(err)
	}
	return method, int(batch.Default)
}

// Zeros returns a tensor of zeros.
func Zeros(t dtypes.DType, dimensions ...int) *tensors.Tensor {
	return tensors.FromShape(shapes.Make(t, dimensions...))
}
