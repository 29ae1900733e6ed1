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
//
// Of a [Headed] model the frozen parts run once for each row of the retain set, and every pass trains the last parts on
// the features that this has given. They are held in memory: of a speech encoder a vector a clip for k = 1, which for
// the full-size ones is a kilobyte, and for k = 2 a vector a frame, which is 1.5 megabytes for ten seconds. Where that
// would be more than 2²⁸ numbers, a gigabyte in float32, the frozen parts run in every step, which has the same result.
func CFk() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("cf-k"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			count := p.Whole("layers")
			last, err := phase(p, keptByLast(count), unlearn.Retain)
			last.Fit = func(phase *Phase, policy View) (err error) {
				parts := policy.model.Parts()
				if count > len(parts) {
					return fmt.Errorf(`the setting "layers" is %d: the model has the %d parts %s`, count, len(parts),
						strings.Join(parts, ", "))
				}
				phase.Optimizer.Select = within(parts[len(parts)-count:])
				phase.Precomputed, err = features(p, policy.model, count)
				return err
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
