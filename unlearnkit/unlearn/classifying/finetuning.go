package classifying

import (
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Finetuning is FT: training goes on without the forget set. A pass is one over the retain set.
func Finetuning() Method {
	return Method{
		Entry:  catalogue.Classifying.Entry("finetuning"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) { return alone(phase(p, kept, unlearn.Retain)) },
	}
}

// kept is the loss of a model that is to know the retain set.
func kept(m Models, b unlearn.Batch) *graph.Node { return CrossEntropy(m.Policy, b, unlearn.Retain) }

// CFk is catastrophic forgetting in the last k parts (Goel et al., 2022): [Finetuning] in which everything before them
// is frozen. With k = 1 that is the classifier's last layer.
func CFk() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("cf-k"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			last, err := phase(p, kept, unlearn.Retain)
			count := p.Whole("layers")
			last.Fit = func(phase *Phase, policy View) error {
				parts := policy.model.Parts()
				if count > len(parts) {
					return fmt.Errorf(`the setting "layers" is %d: the model has the %d parts %s`, count, len(parts),
						strings.Join(parts, ", "))
				}
				phase.Optimizer.Select = within(parts[len(parts)-count:])
				return nil
			}
			return alone(last, err)
		},
	}
}

// within selects what stands below some parts of a model.
func within(parts []string) func(path string) float64 {
	return func(path string) float64 {
		for _, part := range parts {
			if strings.HasPrefix(path, part+"/") {
				return 1
			}
		}
		return 0
	}
}
