package classifying

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// NegativeGradient is NG: it climbs the loss on the forget set. A pass is one over that set. It alone bounds the norm
// of the gradient.
func NegativeGradient() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("negative"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			climbing, err := phase(p, func(m Models, b unlearn.Batch) *graph.Node {
				return graph.Neg(CrossEntropy(m.Policy, b, unlearn.Forget))
			}, unlearn.Forget)
			climbing.Optimizer.ClipNorm = p.Value("clip")
			return alone(climbing, err)
		},
	}
}

// NegativeGradientPlus is NG+ (Kurmanji et al., 2023): a batch of the retain set is learnt while one of the forget set
// is unlearnt,
//
//	r·CE(retain) - f·CE(forget).
//
// A pass is one over the retain set, beside which the forget set is gone through again and again; a step whose batches
// have not equally many rows is left out.
func NegativeGradientPlus() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("negative-plus"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			keep, forget := p.Value("retain-weight"), p.Value("forget-weight")
			both, err := phase(p, func(m Models, b unlearn.Batch) *graph.Node {
				return graph.Sub(graph.MulScalar(kept(m, b), keep),
					graph.MulScalar(CrossEntropy(m.Policy, b, unlearn.Forget), forget))
			}, unlearn.Retain, unlearn.Forget)
			both.Pairing = unlearn.Cycled
			return alone(both, err)
		},
	}
}
