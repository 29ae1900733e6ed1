package diffusion

import (
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Draw draws the random inputs of [Model.Loss] for a batch of originals: noise [count, In, height, width] of a given
// type, and uniformly distributed timesteps [count]. The random streams depend on the step.
func (m Model) Draw(root uint64, step int, t dtypes.DType, count, height, width int) (noise,
	timesteps *tensors.Tensor) {
	random := seed.Stream(root, "diffusion", "timesteps", step)
	times := make([]int32, count)
	for i := range times {
		times[i] = int32(random.IntN(m.Schedule.TrainSteps))
	}
	values := normal(root, count*m.UNet.In*height*width, "diffusion", "noise", step)
	return tensorOf(t, values, count, m.UNet.In, height, width), tensors.FromFlatDataAndDimensions(times, count)
}

// DropPrompts replaces each prompt (a text or its token IDs) with an empty one with a given probability. In this way,
// the model also learns to draw without a prompt, which guidance needs.
func DropPrompts[P any](prompts []P, empty P, probability float64, random *rand.Rand) {
	for i := range prompts {
		if random.Float64() < probability {
			prompts[i] = empty
		}
	}
}
