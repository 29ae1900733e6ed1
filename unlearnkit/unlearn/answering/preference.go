package answering

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// gain returns how much more likely a model finds the answer of each row than the reference, S - S_ref [B], where S is
// [LogLikelihood].
func gain(m Models, x Rows) *graph.Node {
	return graph.Sub(LogLikelihood(m.Policy, x), LogLikelihood(m.Reference, x))
}

// DPO returns the method that prefers a refusal, drawn for each record, to the answer to forget. With the gains u of
// the refusal and v of the answer over the original model, the loss is
//
//	mean -(2/β) log σ(β (u - v)).
//
// The setting "plain" leaves out 2/β, as the original does.
func DPO() Method {
	return Method{
		Entry: catalogue.Answering.Entry("dpo"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			beta := p.Value("beta")
			scale := 2 / beta
			if p.Value("plain") != 0 {
				scale = 1
			}
			return phaseWithDraws(p, func(m Models, b unlearn.Batch) *graph.Node {
				forget := RowsOf(b, unlearn.Forget)
				apart := graph.Sub(gain(m, forget.Refusing(b, refusal)), gain(m, forget))
				return preference(apart, beta, scale)
			}, refusal)
		},
	}
}

// preference returns mean -s log σ(β z).
func preference(z *graph.Node, beta, scale float64) *graph.Node {
	return graph.MulScalar(graph.ReduceAllMean(graph.Softplus(graph.MulScalar(z, -beta))), scale)
}

// NPO returns negative preference optimisation. With the gain u of an answer to forget over the original model, the
// loss is
//
//	mean -(2/β) log σ(-β u).
//
// Where the model equals the original, the gradient equals the gradient of the answer's log-likelihood itself; as β
// goes to 0, this holds everywhere. The setting "mean" makes u one number per batch, the mean over all tokens of its
// answers.
func NPO() Method {
	return Method{
		Entry: catalogue.Answering.Entry("npo"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			beta, mean := p.Value("beta"), p.Value("mean") != 0
			return phaseWithDraws(p, func(m Models, b unlearn.Batch) *graph.Node {
				forget := RowsOf(b, unlearn.Forget)
				if mean {
					lost := graph.Sub(CrossEntropy(m.Policy, forget), CrossEntropy(m.Reference, forget))
					return preference(lost, beta, 2/beta)
				}
				return preference(graph.Neg(gain(m, forget)), beta, 2/beta)
			})
		},
	}
}

// PO returns the method that learns a refusal, drawn for each record to forget, and a retained record, in one batch:
// the mean of -log p over all tokens of both kinds of answers.
func PO() Method {
	return Method{
		Entry: catalogue.Answering.Entry("po"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			return phaseWithDraws(p, func(m Models, b unlearn.Batch) *graph.Node {
				refused := RowsOf(b, unlearn.Forget).Refusing(b, refusal)
				return CrossEntropy(m.Policy, refused, RowsOf(b, partner))
			}, refusal, partner)
		},
	}
}
