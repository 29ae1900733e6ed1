package pretrain

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Steps returns the steps for pre-training with this objective. The loss of a step is the mean over its masked frames.
func (c Contrastive) Steps(plan Plan) (Steps, error) {
	for _, check := range []func() error{c.Check, plan.check, plan.checkMasks} {
		if err := check(); err != nil {
			return Steps{}, err
		}
	}
	walk := train.NewWalk(plan.Seed, "contrastive", len(plan.Clips.Samples))
	return Steps{
		Loss: func(root *model.Scope, inputs []*graph.Node) *graph.Node {
			in, rest := plan.take(inputs)
			loss := c.Loss(root.At("%s", plan.Scope), plan.Encoder, ContrastiveInput{in, rest[0], rest[1], rest[2]})
			return graph.Div(loss.Total, loss.Masked)
		},
		Batch: func(step int) (train.Batch, error) {
			random := seed.Stream(plan.Seed, "contrastive", "step", step)
			inputs, _ := plan.soundInputs(walk.Rows(step*plan.Rows, plan.Rows), random)
			frames := plan.Encoder.Frames(len(plan.Clips.Samples[0]))
			negatives := DrawNegatives(random, plan.masked(inputs), frames, c.Negatives)
			shape := c.gumbelShape(plan.Rows, frames)
			noise := gumbel(random, shape.Size())
			inputs = append(inputs, tensors.FromFlatDataAndDimensions(negatives, plan.Rows, frames, frames),
				tensors.FromFlatDataAndDimensions(noise, shape.Dimensions...),
				tensors.FromScalar(float32(c.Gumbel.At(step))))
			return train.Batch{Inputs: inputs, Examples: plan.Rows}, nil
		},
	}, nil
}

// DrawNegatives uniformly draws a number of other masked frames in the same row for each masked frame. It returns how
// many times each frame was drawn, [rows, frames, frames]. A row with only one masked frame has no negatives.
func DrawNegatives(random *rand.Rand, masked []bool, frames, count int) []float32 {
	counts := make([]float32, len(masked)*frames)
	for first := 0; first < len(masked); first += frames {
		var places []int
		for frame := range frames {
			if masked[first+frame] {
				places = append(places, frame)
			}
		}
		if len(places) < 2 {
			continue
		}
		for own, place := range places {
			for range count {
				other := random.IntN(len(places) - 1)
				if other >= own {
					other++
				}
				counts[(first+place)*frames+places[other]]++
			}
		}
	}
	return counts
}

// gumbel draws from the standard Gumbel distribution.
func gumbel(random *rand.Rand, count int) []float32 {
	values := make([]float32, count)
	for i := range values {
		values[i] = float32(-math.Log(max(random.ExpFloat64(), 1e-12))) // one number in 2³² is 0
	}
	return values
}
