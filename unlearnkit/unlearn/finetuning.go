package unlearn

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

// Finetuning trains on, without the forget set. A pass is one over the retain sample.
func Finetuning() Method {
	return Method{
		Name: "finetuning", Title: "Finetuning", Version: 1, Source: "SALMUBench",
		Settings: []Setting{rate(5e-7), {"batch", 32, "SALMUBench, appendix"},
			{"decay", 0.001, "SALMUBench, appendix"}},
		Phases: func(p Plan) []Phase { return []Phase{finetune(p)} },
	}
}

func finetune(p Plan) Phase {
	return Phase{
		Name: "finetuning", Streams: []string{Retain}, Batch: p.batch(),
		Loss: func(m Models, b Batch) *graph.Node {
			return Contrast(m.Policy, b.Of(Retain, Image), b.Of(Retain, Caption))
		},
		Optimizer: adamW(p.Value("decay")), Rate: optim.Constant(p.Value("rate")),
	}
}
