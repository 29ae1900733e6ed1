package contrastive

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Finetuning returns the method that continues training without the forget set. A pass covers the retain sample.
func Finetuning() Method {
	return Method{
		Entry:  catalogue.Contrastive.Entry("finetuning"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) { return []Phase{finetune(p)}, nil },
	}
}

func finetune(p *unlearn.Plan) Phase {
	tuning := phase(p, func(m Models, b unlearn.Batch) *graph.Node {
		return Contrast(m.Policy, b.Of(unlearn.Retain, Image), b.Of(unlearn.Retain, Caption))
	}, unlearn.Retain)
	tuning.Name = "finetuning"
	return tuning
}
