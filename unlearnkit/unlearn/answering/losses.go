package answering

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// answerLogProbs returns the log-probabilities [B, T-1] of the tokens after the first, set to 0 outside answers, and
// the mask of the answers' tokens.
func (x Rows) answerLogProbs(logits *graph.Node) (logProbs, counted *graph.Node) {
	counted = x.answerMask(logits)
	return graph.Mul(llava.LogProbs(logits, x.Text), counted), counted
}

// answerMask returns 1 for the tokens after the first, [B, T-1], that belong to answers, 0 for the others.
func (x Rows) answerMask(logits *graph.Node) *graph.Node {
	of := graph.Sub(x.before(x.End), x.before(x.Begin))
	return graph.ConvertDType(graph.Slice(of, graph.AxisRange(), graph.AxisRange(1)), logits.DType())
}

// CrossEntropy returns the mean of -log p over all tokens of the answers of rows. Longer answers count more, as in
// transformers' models. Rows may come from several streams.
func CrossEntropy(v View, rows ...Rows) *graph.Node {
	var sum, tokens *graph.Node
	for i, x := range rows {
		logProbs, counted := x.answerLogProbs(v.Logits(x))
		if i == 0 {
			sum, tokens = graph.ReduceAllSum(logProbs), graph.ReduceAllSum(counted)
			continue
		}
		sum, tokens = graph.Add(sum, graph.ReduceAllSum(logProbs)), graph.Add(tokens, graph.ReduceAllSum(counted))
	}
	return graph.Neg(graph.Div(sum, tokens))
}

// LogLikelihood returns Σ log p over the tokens of each row's answer, [B].
func LogLikelihood(v View, x Rows) *graph.Node {
	logProbs, _ := x.answerLogProbs(v.Logits(x))
	return graph.ReduceSum(logProbs, -1)
}

// Divergence returns the mean over positions of KL(reference ‖ model) = Σ q log(q/p), where q and p are the two models'
// predictions of the next token. If answersAlone is set, only positions before a token of an answer count; otherwise
// all positions do, including questions, pictures and padding.
func Divergence(v, reference View, x Rows, answersAlone bool) *graph.Node {
	logits := v.Logits(x)
	p, q := graph.LogSoftmax(logits, -1), graph.LogSoftmax(reference.Logits(x), -1)
	at := graph.ReduceSum(graph.Mul(graph.Exp(q), graph.Sub(q, p)), -1)
	if !answersAlone {
		return graph.ReduceAllMean(at)
	}
	counted := x.answerMask(logits)
	before := graph.Slice(at, graph.AxisRange(), graph.AxisRange(0, at.Shape().Dim(1)-1))
	return graph.Div(graph.ReduceAllSum(graph.Mul(before, counted)), graph.ReduceAllSum(counted))
}
