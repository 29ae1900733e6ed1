package classifying

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// NegativeGradient returns NG, which climbs the loss on the forget set. A pass covers the forget set. It is the only
// method that bounds the norm of the gradient.
func NegativeGradient() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("negative"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			climbing, err := phase(p, func(m Models, b unlearn.Batch) *graph.Node {
				return graph.Neg(CrossEntropy(m.Policy, b, unlearn.Forget))
			}, unlearn.Forget)
			climbing.Optimizer.ClipNorm = p.Value("clip")
			return onePhase(climbing, err)
		},
	}
}

// NegativeGradientPlus returns NG+ (Kurmanji et al., 2023): each step learns a batch of the retain set and unlearns a
// batch of the forget set,
//
//	r·CE(retain) - f·CE(forget).
//
// A pass covers the retain set, while the forget set repeats. A step whose batches differ in size is skipped.
func NegativeGradientPlus() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("negative-plus"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			keep, forget := p.Value("retain-weight"), p.Value("forget-weight")
			both, err := phase(p, func(m Models, b unlearn.Batch) *graph.Node {
				return graph.Sub(graph.MulScalar(retainLoss(m, b), keep),
					graph.MulScalar(CrossEntropy(m.Policy, b, unlearn.Forget), forget))
			}, unlearn.Retain, unlearn.Forget)
			both.Pairing = unlearn.Cycled
			return onePhase(both, err)
		},
	}
}
