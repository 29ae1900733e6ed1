package pretrain

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// unreachable is the logarithm of the probability of something impossible. With an infinity, differences would be NaN.
const unreachable = -1e30

// lattice represents the text with blanks around its letters as states for each frame.
type lattice struct {
	emissions *graph.Node // log-probability of a state's letter, [B, frames, states]
	within    *graph.Node // frames of the clip without padding, bool [B, frames, 1]
	skips     *graph.Node // 0 if a state may follow the state before its blank, else unreachable, [B, 1, states]
	last      *graph.Node // 0 for the last letter and the blank after it, else unreachable, [B, 1, states]
	beyond    *graph.Node // unreachable, for states shifted in from outside, [B, 1, 2]
}

func newLattice(logits, frames, labels *graph.Node) lattice {
	g, t := logits.Graph(), logits.DType()
	batch, count, letters := logits.Shape().Dimensions[0], logits.Shape().Dimensions[1], logits.Shape().Dimensions[2]
	if labels.Rank() != 2 || labels.Shape().Dimensions[0] != batch || frames.Rank() != 1 ||
		frames.Shape().Dimensions[0] != batch || labels.Shape().Dimensions[1] == 0 {
		panic(fmt.Errorf("CTC: the shapes of logits %s, frames %s and labels %s do not match", logits.Shape(),
			frames.Shape(), labels.Shape()))
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
	l.beyond = graph.AddScalar(graph.Zeros(g, shapes.Make(t, batch, 1, 2)), unreachable)

	text = graph.InsertAxes(text, 1)
	earlier := graph.Concatenate([]*graph.Node{graph.ZerosLike(graph.Slice(text, graph.AxisRange(), graph.AxisRange(),
		graph.AxisRange(0, 2))), graph.Slice(text, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, -2))}, 2)
	zero := graph.ScalarZero(g, dtypes.Int32)
	l.skips = allowed(graph.LogicalAnd(graph.NotEqual(text, zero), graph.NotEqual(text, earlier)), t)
	return l
}

// allowed returns 0 where a condition is true, else unreachable.
func allowed(condition *graph.Node, t dtypes.DType) *graph.Node {
	zeros := graph.Zeros(condition.Graph(), shapes.Make(t, condition.Shape().Dimensions...))
	return graph.Where(condition, zeros, graph.AddScalar(zeros, unreachable))
}

func (l lattice) withoutGradient() lattice {
	l.emissions = graph.StopGradient(l.emissions)
	return l
}

// at returns one frame in an array over frames.
func at(x *graph.Node, frame int) *graph.Node {
	return graph.Slice(x, graph.AxisRange(), graph.AxisElem(frame), graph.AxisRange())
}

// sums returns the logarithms of two probabilities for each frame and state [B, frames, states]: that of the spelling
// up to the frame, and that of the rest after the frame. After a clip's last frame, both remain the same.
func (l lattice) sums() (forwards, backwards *graph.Node) {
	if nn.Compiled(l.emissions.Graph()) {
		return l.looped()
	}
	return l.unrolled()
}

// unrolled computes the sums with nodes for each frame. The Go backend plans these nodes in milliseconds, but cannot
// fuse the nodes in a loop.
func (l lattice) unrolled() (forwards, backwards *graph.Node) {
	count := l.emissions.Shape().Dimensions[1]
	first, last := l.starts()
	before, behind := []*graph.Node{first}, []*graph.Node{last}
	for frame := 1; frame < count; frame++ {
		first = l.forward(first, at(l.emissions, frame), at(l.within, frame))
		last = l.backward(last, at(l.emissions, count-frame), at(l.within, count-frame))
		before, behind = append(before, first), append(behind, last)
	}
	slices.Reverse(behind)
	return graph.Concatenate(before, 1), graph.Concatenate(behind, 1)
}

// looped computes the sums in a loop, so the size of the graph does not depend on the number of frames. XLA would take
// a minute to compile nodes for a hundred frames.
func (l lattice) looped() (forwards, backwards *graph.Node) {
	count := l.emissions.Shape().Dimensions[1]
	first, last := l.starts()
	// initially, all frames are copies of the first and the last; the loop replaces the others
	all := func(x *graph.Node) *graph.Node {
		return graph.BroadcastToDims(x, l.emissions.Shape().Dimensions...)
	}
	within := graph.ConvertDType(l.within, l.emissions.DType())
	state := []*graph.Node{first, last, all(first), all(last), l.emissions, within, l.skips, l.beyond}
	ends := nn.Repeat(count-1, state, func(frame *graph.Node, s []*graph.Node) []*graph.Node {
		in := lattice{emissions: s[4], skips: s[6], beyond: s[7]}
		mirrored := graph.Sub(graph.Const(frame.Graph(), int32(count)), frame)
		own := func(frame *graph.Node) *graph.Node {
			return graph.GreaterThan(frameOf(s[5], frame), graph.ConstAs(s[5], 0.5))
		}
		first := in.forward(s[0], frameOf(s[4], frame), own(frame))
		last := in.backward(s[1], frameOf(s[4], mirrored), own(mirrored))
		before := graph.Sub(mirrored, graph.Const(frame.Graph(), int32(1)))
		return append([]*graph.Node{first, last, setFrame(s[2], first, frame), setFrame(s[3], last, before)}, s[4:]...)
	})
	return ends[2], ends[3]
}

// frameOf returns a frame in an array over frames, given by a dynamic index.
func frameOf(x, frame *graph.Node) *graph.Node {
	zero := graph.Const(x.Graph(), int32(0))
	dimensions := x.Shape().Dimensions
	return graph.DynamicSlice(x, []*graph.Node{zero, frame, zero}, []int{dimensions[0], 1, dimensions[2]})
}

// setFrame replaces a frame in an array over frames, given by a dynamic index.
func setFrame(all, x, frame *graph.Node) *graph.Node {
	zero := graph.Const(all.Graph(), int32(0))
	return graph.DynamicUpdateSlice(all, x, []*graph.Node{zero, frame, zero})
}

// starts returns the forward sums for the first frame and the backward sums for the last frame. The first frame is in
// one of the first two states.
func (l lattice) starts() (forwards, backwards *graph.Node) {
	batch, states := l.emissions.Shape().Dimensions[0], l.emissions.Shape().Dimensions[2]
	state := graph.Iota(l.emissions.Graph(), shapes.Make(dtypes.Int32, batch, 1, states), 2)
	first := graph.LessThan(state, graph.Const(l.emissions.Graph(), int32(2)))
	return graph.Add(at(l.emissions, 0), allowed(first, l.emissions.DType())), l.last
}

// forward returns the sums for the next frame, given the sums for the current one and the next frame's emissions [B, 1,
// states].
func (l lattice) forward(now, emissions, own *graph.Node) *graph.Node {
	next := graph.Add(emissions, logSum(now, l.shiftRight(now, 1), graph.Add(l.shiftRight(now, 2), l.skips)))
	return hold(own, next, now)
}

// backward returns the sums for the previous frame, given the sums and the emissions of the current one.
func (l lattice) backward(now, emissions, own *graph.Node) *graph.Node {
	from := graph.Add(now, emissions)
	return hold(own, logSum(from, l.shiftLeft(from, 1), l.shiftLeft(graph.Add(from, l.skips), 2)), now)
}

// hold returns next if the frame is not padding, else now.
func hold(own, next, now *graph.Node) *graph.Node {
	return graph.Where(graph.BroadcastToDims(own, next.Shape().Dimensions...), next, now)
}

// final returns the log-probability of the text [B].
func (l lattice) final(forwards *graph.Node) *graph.Node {
	ends := graph.Squeeze(graph.Add(forwards, l.last), 1)
	largest := graph.ReduceAndKeep(ends, graph.ReduceMax, -1)
	sum := graph.Log(graph.ReduceSum(graph.Exp(graph.Sub(ends, largest)), -1))
	return graph.Add(sum, graph.Squeeze(largest, -1))
}

// shiftRight moves values to later states. The first states become unreachable.
func (l lattice) shiftRight(x *graph.Node, by int) *graph.Node {
	kept := graph.Slice(x, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, -by))
	return graph.Concatenate([]*graph.Node{l.outside(by), kept}, 2)
}

// shiftLeft moves values to earlier states. The last states become unreachable.
func (l lattice) shiftLeft(x *graph.Node, by int) *graph.Node {
	kept := graph.Slice(x, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(by))
	return graph.Concatenate([]*graph.Node{kept, l.outside(by)}, 2)
}

func (l lattice) outside(states int) *graph.Node {
	return graph.Slice(l.beyond, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, states))
}

// logSum returns log(exp a + exp b + exp c).
func logSum(a, b, c *graph.Node) *graph.Node {
	largest := graph.Max(a, graph.Max(b, c))
	exp := func(x *graph.Node) *graph.Node { return graph.Exp(graph.Sub(x, largest)) }
	return graph.Add(largest, graph.Log(graph.Add(exp(a), graph.Add(exp(b), exp(c)))))
}
