package answering

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// answered are the log-probabilities [B, T-1] that logits give the tokens after the first, 0 for those of no answer,
// and 1 for those of answers, 0 for the others.
func (x Rows) answered(logits *graph.Node) (logProbs, counted *graph.Node) {
	counted = x.answers(logits)
	return graph.Mul(llava.LogProbs(logits, x.Text), counted), counted
}

// answers is 1 for the tokens after the first, [B, T-1], that are of answers, 0 for the others.
func (x Rows) answers(logits *graph.Node) *graph.Node {
	of := graph.Sub(x.before(x.End), x.before(x.Begin))
	return graph.ConvertDType(graph.Slice(of, graph.AxisRange(), graph.AxisRange(1)), logits.DType())
}

// CrossEntropy is the mean of -log p over all tokens of the answers of rows, those of longer answers counting more, as
// transformers' models compute it. Rows may be of several streams.
func CrossEntropy(v View, rows ...Rows) *graph.Node {
	var sum, tokens *graph.Node
	for i, x := range rows {
		logProbs, counted := x.answered(v.Logits(x))
		if i == 0 {
			sum, tokens = graph.ReduceAllSum(logProbs), graph.ReduceAllSum(counted)
			continue
		}
		sum, tokens = graph.Add(sum, graph.ReduceAllSum(logProbs)), graph.Add(tokens, graph.ReduceAllSum(counted))
	}
	return graph.Neg(graph.Div(sum, tokens))
}

// LogLikelihood is Σ log p over the tokens of each row's answer, [B].
func LogLikelihood(v View, x Rows) *graph.Node {
	logProbs, _ := x.answered(v.Logits(x))
	return graph.ReduceSum(logProbs, -1)
}

// Divergence is the mean over places of KL(reference ‖ model) = Σ q log(q/p), where q and p are what the two expect
// next there. Places are all of the rows', those of questions, pictures and padding too, or those alone where a token
// of an answer is next.
func Divergence(v, reference View, x Rows, answersAlone bool) *graph.Node {
	logits := v.Logits(x)
	p, q := graph.LogSoftmax(logits, -1), graph.LogSoftmax(reference.Logits(x), -1)
	at := graph.ReduceSum(graph.Mul(graph.Exp(q), graph.Sub(q, p)), -1)
	if !answersAlone {
		return graph.ReduceAllMean(at)
	}
	counted := x.answers(logits)
	before := graph.Slice(at, graph.AxisRange(), graph.AxisRange(0, at.Shape().Dim(1)-1))
	return graph.Div(graph.ReduceAllSum(graph.Mul(before, counted)), graph.ReduceAllSum(counted))
}
