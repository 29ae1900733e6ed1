package classifying

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Methods returns UnSLU-BENCH's methods, in the order of its tables and of the catalogue.
func Methods() []Method {
	return []Method{
		Finetuning(), NegativeGradient(), NegativeGradientPlus(), CFk(), UNSIR(), BadTeaching(), BadTeachingLight(),
		SCRUB(),
	}
}

// loss builds a phase's loss on a batch.
type loss func(m Models, b unlearn.Batch) *graph.Node

// phase descends a loss by PyTorch's AdamW, which decays every tensor. All its streams need inputs with labels.
func phase(p *unlearn.Plan, of loss, streams ...string) (Phase, error) {
	for _, name := range streams {
		if _, err := p.Stream(name, Input, Label); err != nil {
			return Phase{}, err
		}
	}
	return Phase{
		Streams: streams, Batch: p.Whole("batch"), Loss: of, Rate: optim.Constant(p.Value("rate")),
		Optimizer: optim.Optimizer{Rule: optim.AdamW{WeightDecay: p.Value("decay")}},
	}, nil
}

// onePhase returns the phases of a method with a single phase.
func onePhase(of Phase, err error) ([]Phase, error) {
	if err != nil {
		return nil, err
	}
	return []Phase{of}, nil
}
