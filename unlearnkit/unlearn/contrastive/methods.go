package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Methods returns SALMUBench's methods, in the order of its tables and of the catalogue.
func Methods() []Method {
	return []Method{
		GenericCaptions(), ShuffledCaptions(), DirectSimilarity(), NegativeGradient(), Finetuning(), DescentToDelete(),
		VLUnlearn(), DELETE(), CLIPErase(),
	}
}

// loss builds a phase's loss on a batch.
type loss func(m Models, b unlearn.Batch) *graph.Node

// descent returns a method with one loss over the forget set.
func descent(name string, of loss) Method {
	return Method{
		Entry:  catalogue.Contrastive.Entry(name),
		Phases: func(p *unlearn.Plan) ([]Phase, error) { return []Phase{phase(p, of, unlearn.Forget)}, nil },
	}
}

// pairedDescent returns a method with one loss over the forget set and as many rows of the retain set. The loss reads
// the frozen model.
func pairedDescent(name string, of loss) Method {
	return Method{
		Entry: catalogue.Contrastive.Entry(name), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			return []Phase{phase(p, of, unlearn.Forget, unlearn.Retain)}, nil
		},
	}
}

// phase descends a loss by PyTorch's AdamW, which decays every tensor.
func phase(p *unlearn.Plan, of loss, streams ...string) Phase {
	return Phase{
		Streams: streams, Batch: p.Whole("batch"), Loss: of, Rate: optim.Constant(p.Value("rate")),
		Optimizer: optim.Optimizer{Rule: optim.AdamW{WeightDecay: p.Value("decay")}},
	}
}
