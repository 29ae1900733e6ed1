package classifying

import (
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Finetuning returns FT, which continues training without the forget set. A pass covers the retain set.
func Finetuning() Method {
	return Method{
		Entry:  catalogue.Classifying.Entry("finetuning"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) { return onePhase(phase(p, retainLoss, unlearn.Retain)) },
	}
}

// retainLoss returns the cross-entropy on the retain set.
func retainLoss(m Models, b unlearn.Batch) *graph.Node {
	return CrossEntropy(m.Policy, b, unlearn.Retain)
}

// CFk returns catastrophic forgetting in the last k parts (Goel et al., 2022): [Finetuning] with everything before them
// frozen. With k = 1 it trains only the classifier's last layer.
//
// For a [Headed] model the frozen parts run once for each row of the retain set, and every pass trains the last parts
// on the resulting features. The features are kept in memory. For a speech encoder and k = 1 they are one vector per
// clip, a kilobyte at full size. For k = 2 they are one vector per frame, 1.5 megabytes for ten seconds. Above 2²⁸
// numbers, a gigabyte in float32, the frozen parts run in every step instead, with the same result.
func CFk() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("cf-k"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			count := p.Whole("layers")
			last, err := phase(p, retainLossOfLast(count), unlearn.Retain)
			last.Fit = func(phase *Phase, policy View) (err error) {
				parts := policy.model.Parts()
				if count > len(parts) {
					return fmt.Errorf(`the setting "layers" is %d: the model has the %d parts %s`, count, len(parts),
						strings.Join(parts, ", "))
				}
				phase.Optimizer.Select = selectParts(parts[len(parts)-count:])
				phase.Precomputed, err = features(p, policy.model, count)
				return err
			}
			return onePhase(last, err)
		},
	}
}

// selectParts returns a function that is 1 for the tensors of the named parts and 0 for all others.
func selectParts(parts []string) func(path string) float64 {
	return func(path string) float64 {
		for _, part := range parts {
			if strings.HasPrefix(path, part+"/") {
				return 1
			}
		}
		return 0
	}
}
