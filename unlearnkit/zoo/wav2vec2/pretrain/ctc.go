package pretrain

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// CTC is the objective for transcribed speech (Graves et al., 2006): the model spells the text frame by frame, with
// blanks and repetitions, and the probabilities of all spellings are summed. It turns a pre-trained encoder into a
// recogniser such as wav2vec2-large-xlsr-53-italian.
//
// Its tensors, below lm_head, have the same names as in Wav2Vec2ForCTC.
type CTC struct {
	Alphabet Alphabet
	// Mean divides each clip's loss by the number of letters and returns the mean over clips. Otherwise, the losses are
	// summed, which is the default in transformers.
	Mean bool
}

// Logits returns the logits [B, frames, letters] of the model whose tensors are below scope.
func (c CTC) Logits(scope *model.Scope, encoder wav2vec2.Config, in wav2vec2.Input) *graph.Node {
	hidden := wav2vec2.Forward(scope, encoder, in).Hidden
	head, letters := scope.At("lm_head"), c.Alphabet.Size()
	nn.Parameter(head, hidden, "weight", nn.Normal(encoder.InitializerRange), letters, encoder.HiddenSize)
	nn.Parameter(head, hidden, "bias", nn.Constant(0), letters)
	return nn.Linear(head, hidden, letters, true)
}

// Loss returns the loss of a batch, with frames and labels as in [CTCLosses].
func (c CTC) Loss(logits, frames, labels *graph.Node) *graph.Node {
	losses := CTCLosses(logits, frames, labels)
	if !c.Mean {
		return graph.ReduceAllSum(losses)
	}
	letters := graph.ReduceSum(graph.ConvertDType(notPadding(labels), losses.DType()), -1)
	return graph.ReduceAllMean(graph.Div(losses, graph.Max(letters, graph.ScalarOne(losses.Graph(), losses.DType()))))
}

func notPadding(labels *graph.Node) *graph.Node {
	return graph.GreaterOrEqual(labels, graph.ScalarZero(labels.Graph(), labels.DType()))
}

// CTCLosses returns the negative log-probability [B] of each text. The probability is the sum over all spellings of the
// labels [B, letters] in the clip's first frames [B], with the softmax of the logits [B, frames, letters]. 0 is the
// blank, and labels below 0 are padding at the end of a text. The loss is infinite if a text has more letters than fit
// in its frames.
//
// The gradient is computed from the probability of each letter in each frame, given the text, as in Graves et al. So
// the forward and backward sums over frames need no gradient.
func CTCLosses(logits, frames, labels *graph.Node) *graph.Node {
	l := newLattice(logits, frames, labels)
	quiet := l.withoutGradient()
	forwards, backwards := quiet.sums()
	likelihood := quiet.final(at(forwards, forwards.Shape().Dimensions[1]-1))
	together := graph.Sub(graph.Add(forwards, backwards), graph.InsertAxes(likelihood, -1, -1))
	impossible := graph.LessThan(likelihood, graph.ConstAs(likelihood, unreachable/2))
	counted := graph.LogicalAnd(l.within, graph.LogicalNot(graph.InsertAxes(impossible, -1, -1)))
	counted = graph.BroadcastToDims(counted, together.Shape().Dimensions...)
	occupied := graph.Where(counted, graph.Exp(together), graph.ZerosLike(together))
	surrogate := graph.Neg(graph.ReduceSum(graph.Mul(graph.StopGradient(occupied), l.emissions), 1, 2))
	losses := graph.Where(impossible, graph.ConstAs(likelihood, math.Inf(1)), graph.Neg(likelihood))
	// has the value of losses and the gradient of surrogate
	return graph.Add(losses, graph.Sub(surrogate, graph.StopGradient(surrogate)))
}
