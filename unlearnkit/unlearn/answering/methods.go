package answering

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Methods returns the methods of the catalogue, in its order.
func Methods() []Method {
	return []Method{
		GradientAscent(), GradientDifference(), KL(), DPO(), NPO(), PO(), GradientDifferenceAlternating(), Finetuning(),
	}
}

// Streams that methods draw from for each row of a step.
const (
	partner = "partner" // a retained record
	refusal = "refusal"
)

// loss builds a phase's loss on a batch.
type loss func(m Models, b unlearn.Batch) *graph.Node

// phase descends a loss on a stream of records by AdamW, with a warm-up and a cosine. Biases and norms do not decay.
func phase(p *unlearn.Plan, of loss, stream string) (Phase, error) {
	if _, err := p.Stream(stream, Text, Begin, End); err != nil {
		return Phase{}, err
	}
	rate, warmup, whole, projector := p.Value("rate"), p.Value("warmup"), p.Value("whole"), p.Value("projector")
	return Phase{
		Streams: []string{stream}, Batch: p.Whole("batch"), Loss: of,
		Optimizer: optim.Optimizer{Rule: optim.AdamW{WeightDecay: p.Value("decay")}, ClipNorm: p.Value("clip"),
			NoDecay: optim.NoDecayForVectors},
		Schedule: func(steps int) optim.Schedule { return cosine(rate, warmup, steps) },
		Fit: func(phase *Phase, policy View) (err error) {
			phase.Optimizer.Select, err = policy.model.selectTensors(policy.weights.Scope(), whole != 0, projector != 0)
			return err
		},
	}, nil
}

// cosine warms up in a fraction of the steps, rounded up as in transformers.
func cosine(rate, warmup float64, steps int) optim.Schedule {
	return optim.Cosine{Peak: rate, Warmup: int(math.Ceil(warmup * float64(steps))), Steps: steps}
}

// phaseWithDraws returns a [phase] on the forget set that also draws, for each row and step, a row of the other
// streams.
func phaseWithDraws(p *unlearn.Plan, of loss, names ...string) ([]Phase, error) {
	forgetting, err := phase(p, of, unlearn.Forget)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		from, columns := unlearn.Retain, []string{Text, Begin, End}
		if name == refusal {
			from, columns = Refusals, []string{Text, End}
		}
		stream, err := p.Stream(from, columns...)
		if err != nil {
			return nil, err
		}
		forgetting.Random = append(forgetting.Random, unlearn.Random{Name: name, Columns: stream.Columns(),
			Draw: func(random *rand.Rand, rows int) ([]*tensors.Tensor, error) {
				drawn := make([]int, rows)
				for i := range drawn {
					drawn[i] = random.IntN(stream.Rows())
				}
				return stream.Batch(drawn)
			}})
	}
	return []Phase{forgetting}, nil
}
