package answering

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// gain is by how much a model finds the answer of each row more likely than it did, S - S_ref [B], where S is
// [LogLikelihood].
func gain(m Models, x Rows) *graph.Node {
	return graph.Sub(LogLikelihood(m.Policy, x), LogLikelihood(m.Reference, x))
}

// DPO prefers a refusal, drawn for each record, to the answer to be forgotten: with u of the one and v of the other, by
// which the model finds them more likely than it did,
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
			return drawing(p, func(m Models, b unlearn.Batch) *graph.Node {
				forget := RowsOf(b, unlearn.Forget)
				apart := graph.Sub(gain(m, forget.Refusing(b, refusal)), gain(m, forget))
				return preference(apart, beta, scale)
			}, refusal)
		},
	}
}

// preference is mean -s log σ(β z).
func preference(z *graph.Node, beta, scale float64) *graph.Node {
	return graph.MulScalar(graph.ReduceAllMean(graph.Softplus(graph.MulScalar(z, -beta))), scale)
}

// NPO is negative preference optimisation: with u by which the model finds an answer to be forgotten more likely than
// it did,
//
//	mean -(2/β) log σ(-β u).
//
// Where the model has not moved, its gradient is that of the answer's log-likelihood itself, and so it is everywhere as
// β goes to 0. The setting "mean" makes u one number of a batch, the mean over all tokens of its answers.
func NPO() Method {
	return Method{
		Entry: catalogue.Answering.Entry("npo"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			beta, mean := p.Value("beta"), p.Value("mean") != 0
			return drawing(p, func(m Models, b unlearn.Batch) *graph.Node {
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

// PO learns a refusal, drawn for each record to be forgotten, and a record that is kept, in one batch: the mean of
// -log p over all tokens of both kinds of answers.
func PO() Method {
	return Method{
		Entry: catalogue.Answering.Entry("po"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			return drawing(p, func(m Models, b unlearn.Batch) *graph.Node {
				refused := RowsOf(b, unlearn.Forget).Refusing(b, refusal)
				return CrossEntropy(m.Policy, refused, RowsOf(b, partner))
			}, refusal, partner)
		},
	}
}
