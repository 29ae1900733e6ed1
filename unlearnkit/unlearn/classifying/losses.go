package classifying

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// CrossEntropy returns the mean negative log-probability of the labels in a stream's rows.
func CrossEntropy(m View, b unlearn.Batch, stream string) *graph.Node {
	return crossEntropy(m.Logits(RowsOf(b, stream)), b.Of(stream, Label))
}

func crossEntropy(logits, labels *graph.Node) *graph.Node {
	right := graph.OneHot(labels, logits.Shape().Dim(-1), logits.DType())
	return graph.Neg(graph.ReduceAllMean(graph.ReduceSum(graph.Mul(graph.LogSoftmax(logits, -1), right), -1)))
}

// Divergence returns the mean over rows of KL(teacher ‖ student) = Σ q log(q/p), where q and p are the softmax of the
// logits divided by a temperature.
func Divergence(student, teacher *graph.Node, temperature float64) *graph.Node {
	p := graph.LogSoftmax(graph.DivScalar(student, temperature), -1)
	q := graph.LogSoftmax(graph.DivScalar(teacher, temperature), -1)
	return graph.ReduceAllMean(graph.ReduceSum(graph.Mul(graph.Exp(q), graph.Sub(q, p)), -1))
}
