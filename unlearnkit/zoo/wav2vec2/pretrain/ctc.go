package pretrain

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// CTC is the training on transcribed speech (Graves et al., 2006): the model spells the text frame by frame, with
// blanks and repetitions, and all the ways to spell it count together. It is what makes recognisers such as
// wav2vec2-large-xlsr-53-italian of a pre-trained encoder.
//
// Its tensors, below lm_head, are those of Wav2Vec2ForCTC.
type CTC struct {
	Alphabet Alphabet
	// Mean divides each clip's loss by the number of its letters and takes the mean over clips; else losses are summed,
	// which is transformers' rule where a config.json is silent.
	Mean bool
}

// Logits are [B, frames, letters] of the model whose tensors stand below scope.
func (c CTC) Logits(scope *model.Scope, encoder wav2vec2.Config, in wav2vec2.Input) *graph.Node {
	hidden := wav2vec2.Forward(scope, encoder, in).Hidden
	head, letters := scope.At("lm_head"), c.Alphabet.Size()
	nn.Parameter(head, hidden, "weight", nn.Normal(encoder.InitializerRange), letters, encoder.HiddenSize)
	nn.Parameter(head, hidden, "bias", nn.Constant(0), letters)
	return nn.Linear(head, hidden, letters, true)
}

// Loss is that of a batch; see [CTCLosses] for frames and labels.
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

// CTCLosses returns minus the logarithm of each text's probability, [B]: of all the ways to spell the labels [B, letters]
// in the clip's first frames [B] by the softmax of logits [B, frames, letters]. 0 is the blank; labels below 0 are
// padding, behind a text. A text that has more letters than fit into its frames has an infinite loss.
//
// The gradient is computed as Graves et al. have it, from how likely each letter is at each frame given the text: the
// sums forwards and backwards over the frames need no gradient of their own, which keeps the graph small.
func CTCLosses(logits, frames, labels *graph.Node) *graph.Node {
	l := newLattice(logits, frames, labels)
	quiet := l.stopped()
	forwards, backwards := quiet.forwards(), quiet.backwards()
	likelihood := quiet.final(forwards[len(forwards)-1])
	together := graph.Sub(graph.Add(graph.Concatenate(forwards, 1), graph.Concatenate(backwards, 1)),
		graph.InsertAxes(likelihood, -1, -1))
	impossible := graph.LessThan(likelihood, graph.ConstAs(likelihood, unreachable/2))
	counted := graph.LogicalAnd(l.within, graph.LogicalNot(graph.InsertAxes(impossible, -1, -1)))
	counted = graph.BroadcastToDims(counted, together.Shape().Dimensions...)
	occupied := graph.Where(counted, graph.Exp(together), graph.ZerosLike(together))
	surrogate := graph.Neg(graph.ReduceSum(graph.Mul(graph.StopGradient(occupied), l.emissions), 1, 2))
	losses := graph.Where(impossible, graph.ConstAs(likelihood, math.Inf(1)), graph.Neg(likelihood))
	// the value of the one and the gradient of the other
	return graph.Add(losses, graph.Sub(surrogate, graph.StopGradient(surrogate)))
}

// unreachable is the logarithm of what cannot be; an infinity would make NaN of differences.
const unreachable = -1e30

// lattice is the text with blanks around its letters, state by state, over the frames.
type lattice struct {
	emissions *graph.Node // [B, frames, states]: the logarithm of a state's letter's probability
	within    *graph.Node // bool [B, frames, 1]: the clip's own frames
	skips     *graph.Node // [B, 1, states]: 0 where a state follows the one before its blank, else unreachable
	last      *graph.Node // [B, 1, states]: 0 at the text's last letter and the blank behind it, else unreachable
}

func newLattice(logits, frames, labels *graph.Node) lattice {
	g, t := logits.Graph(), logits.DType()
	batch, count, letters := logits.Shape().Dimensions[0], logits.Shape().Dimensions[1], logits.Shape().Dimensions[2]
	if labels.Rank() != 2 || labels.Shape().Dimensions[0] != batch || frames.Rank() != 1 ||
		frames.Shape().Dimensions[0] != batch || labels.Shape().Dimensions[1] == 0 {
		panic(fmt.Errorf("CTC: logits %s, frames %s and labels %s do not belong together", logits.Shape(), frames.Shape(),
			labels.Shape()))
	}
	labels = graph.ConvertDType(labels, dtypes.Int32)
	longest := labels.Shape().Dimensions[1]
	states := 2*longest + 1
	real := notPadding(labels)
	spelled := graph.Where(real, labels, graph.ZerosLike(labels))
	blanks := graph.ZerosLike(labels)
	// blank, letter, blank, letter … blank
	text := graph.Reshape(graph.Stack([]*graph.Node{blanks, spelled}, 2), batch, 2*longest)
	text = graph.Concatenate([]*graph.Node{text, graph.Slice(blanks, graph.AxisRange(), graph.AxisRange(0, 1))}, 1)
	l := lattice{}
	l.emissions = graph.Einsum("btv,bsv->bts", graph.LogSoftmax(logits, -1), graph.OneHot(text, letters, t))

	places := graph.Iota(g, shapes.Make(dtypes.Int32, batch, count, 1), 1)
	l.within = graph.LessThan(places, graph.InsertAxes(graph.ConvertDType(frames, dtypes.Int32), -1, -1))

	state := graph.Iota(g, shapes.Make(dtypes.Int32, batch, 1, states), 2)
	end := graph.MulScalar(graph.ReduceSum(graph.ConvertDType(real, dtypes.Int32), 1), 2)
	end = graph.InsertAxes(end, -1, -1)
	atEnd := graph.LogicalOr(graph.Equal(state, end), graph.Equal(state, graph.AddScalar(end, -1)))
	l.last = allowed(atEnd, t)

	text = graph.InsertAxes(text, 1)
	earlier := graph.Concatenate([]*graph.Node{graph.ZerosLike(graph.Slice(text, graph.AxisRange(), graph.AxisRange(),
		graph.AxisRange(0, 2))), graph.Slice(text, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, -2))}, 2)
	zero := graph.ScalarZero(g, dtypes.Int32)
	l.skips = allowed(graph.LogicalAnd(graph.NotEqual(text, zero), graph.NotEqual(text, earlier)), t)
	return l
}

// allowed is 0 where a condition holds, else unreachable.
func allowed(condition *graph.Node, t dtypes.DType) *graph.Node {
	zeros := graph.Zeros(condition.Graph(), shapes.Make(t, condition.Shape().Dimensions...))
	return graph.Where(condition, zeros, graph.AddScalar(zeros, unreachable))
}

// stopped is the lattice without gradients.
func (l lattice) stopped() lattice {
	l.emissions = graph.StopGradient(l.emissions)
	return l
}

// at is a frame of an array over frames.
func at(x *graph.Node, frame int) *graph.Node {
	return graph.Slice(x, graph.AxisRange(), graph.AxisElem(frame), graph.AxisRange())
}

// forwards returns for each frame the logarithm of the probability of what is spelled up to it, by the state it ends in
// [B, 1, states]. Behind a clip's last frame it stays as it is.
func (l lattice) forwards() []*graph.Node {
	frames, states := l.emissions.Shape().Dimensions[1], l.emissions.Shape().Dimensions[2]
	g, t, batch := l.emissions.Graph(), l.emissions.DType(), l.emissions.Shape().Dimensions[0]
	first := graph.LessThan(graph.Iota(g, shapes.Make(dtypes.Int32, batch, 1, states), 2), graph.Const(g, int32(2)))
	now := graph.Add(at(l.emissions, 0), allowed(first, t))
	all := []*graph.Node{now}
	for frame := 1; frame < frames; frame++ {
		next := graph.Add(at(l.emissions, frame),
			logSum(now, later(now, 1), graph.Add(later(now, 2), l.skips)))
		now = l.hold(frame, next, now)
		all = append(all, now)
	}
	return all
}

// backwards returns for each frame the logarithm of the probability of what is left to be spelled behind it, by the
// state that the frame is in. At a clip's last frame, and behind it, nothing is.
func (l lattice) backwards() []*graph.Node {
	frames := l.emissions.Shape().Dimensions[1]
	all := make([]*graph.Node, frames)
	now := l.last
	all[frames-1] = now
	for frame := frames - 2; frame >= 0; frame-- {
		from := graph.Add(now, at(l.emissions, frame+1))
		next := logSum(from, sooner(from, 1), sooner(graph.Add(from, l.skips), 2))
		now = l.hold(frame+1, next, now)
		all[frame] = now
	}
	return all
}

// hold is next where the frame is the clip's own, else now.
func (l lattice) hold(frame int, next, now *graph.Node) *graph.Node {
	own := graph.BroadcastToDims(at(l.within, frame), next.Shape().Dimensions...)
	return graph.Where(own, next, now)
}

// final is the logarithm of the text's probability [B].
func (l lattice) final(forwards *graph.Node) *graph.Node {
	ends := graph.Squeeze(graph.Add(forwards, l.last), 1)
	largest := graph.ReduceAndKeep(ends, graph.ReduceMax, -1)
	sum := graph.Log(graph.ReduceSum(graph.Exp(graph.Sub(ends, largest)), -1))
	return graph.Add(sum, graph.Squeeze(largest, -1))
}

// later moves the values to states further on; nothing comes from before the first.
func later(x *graph.Node, by int) *graph.Node {
	kept := graph.Slice(x, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, -by))
	return graph.Concatenate([]*graph.Node{nowhere(x, by), kept}, 2)
}

// sooner moves the values to earlier states.
func sooner(x *graph.Node, by int) *graph.Node {
	kept := graph.Slice(x, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(by))
	return graph.Concatenate([]*graph.Node{kept, nowhere(x, by)}, 2)
}

func nowhere(x *graph.Node, states int) *graph.Node {
	zeros := graph.Zeros(x.Graph(), shapes.Make(x.DType(), x.Shape().Dimensions[0], 1, states))
	return graph.AddScalar(zeros, unreachable)
}

// logSum is log(exp a + exp b + exp c).
func logSum(a, b, c *graph.Node) *graph.Node {
	largest := graph.Max(a, graph.Max(b, c))
	exp := func(x *graph.Node) *graph.Node { return graph.Exp(graph.Sub(x, largest)) }
	return graph.Add(largest, graph.Log(graph.Add(exp(a), graph.Add(exp(b), exp(c)))))
}
