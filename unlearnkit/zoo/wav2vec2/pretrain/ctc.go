package pretrain

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// CTC is the training on transcribed speech (Graves et al., 2006): the model spells the text frame by frame, with
// blanks and repetitions, and the probabilities of all spellings are summed. It turns a pre-trained encoder into a
// recogniser such as wav2vec2-large-xlsr-53-italian.
//
// Its tensors, below lm_head, have the names of Wav2Vec2ForCTC.
type CTC struct {
	Alphabet Alphabet
	// Mean divides each clip's loss by its number of letters and averages over clips. Otherwise losses are summed,
	// which is transformers' default.
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

// Loss returns the loss of a batch; see [CTCLosses] for frames and labels.
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

// CTCLosses returns minus the log-probability of each text, [B]: the sum over all spellings of the labels [B, letters]
// in the clip's first frames [B], by the softmax of logits [B, frames, letters]. 0 is the blank; labels below 0 are
// padding at the end of a text. The loss is infinite if a text has more letters than fit into its frames.
//
// The gradient follows Graves et al.: it is computed from the probability of each letter at each frame given the text,
// so the forward and backward sums over the frames need no gradient.
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
	// the value of losses with the gradient of surrogate
	return graph.Add(losses, graph.Sub(surrogate, graph.StopGradient(surrogate)))
}
