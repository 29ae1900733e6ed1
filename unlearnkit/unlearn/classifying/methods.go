package classifying

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Methods are UnSLU-BENCH's, in the order of its tables and of the catalogue.
func Methods() []Method {
	return []Method{
		Finetuning(), NegativeGradient(), NegativeGradientPlus(), CFk(), UNSIR(), BadTeaching(), BadTeachingLight(),
		SCRUB(),
	}
}

// loss is what a phase descends.
type loss func(m Models, b unlearn.Batch) *graph.Node

// phase descends a loss by PyTorch's AdamW, which decays every tensor. Every stream of it has inputs with labels.
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

// alone are the phases of a method that has one.
func alone(of Phase, err error) ([]Phase, error) {
	if err != nil {
		return nil, err
	}
	return []Phase{of}, nil
}
