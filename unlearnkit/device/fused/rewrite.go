package fused

import (
	"slices"

	"github.com/gomlx/compute"
)

// rewrite replaces the many operations that GoMLX builds for a convolution and its gradient with single ones.
func (f *function) rewrite() {
	w := rewriter{users: map[*node]int{}}
	needed, _ := reachable(f)
	for n := range needed {
		for _, input := range n.inputs {
			w.users[input]++
		}
	}
	for _, output := range f.outputs {
		w.users[output]++
	}
	for _, n := range f.nodes {
		switch n.op {
		case concatenate:
			w.growth(n)
		case slice:
			w.sliceOfSlice(n)
		}
	}
	for _, n := range slices.Backward(f.nodes) {
		if n.op == add && n.shape.DType == float32Type && canMultiply() {
			w.fold(n)
		}
	}
}

type rewriter struct {
	users map[*node]int
}

// growth turns a concatenation with a repeated constant into a pad, and joins the pads of several axes into one.
func (w *rewriter) growth(n *node) {
	if len(n.inputs) != 2 {
		return
	}
	for i, x := range n.inputs {
		fill := filler(n.inputs[1-i])
		if fill == nil || filler(x) != nil {
			continue
		}
		along, grown := n.detail.(int), n.inputs[1-i].shape.Dimensions
		axes := make([]compute.PadAxis, n.shape.Rank())
		if i == 1 {
			axes[along].Start = grown[along]
		} else {
			axes[along].End = grown[along]
		}
		if x.op == pad && x.inputs[1] == fill && w.users[x] == 1 {
			for j, before := range x.detail.([]compute.PadAxis) {
				axes[j].Start += before.Start
				axes[j].End += before.End
				axes[j].Interior += before.Interior
			}
			x = x.inputs[0]
		}
		n.op, n.inputs, n.detail = pad, []*node{x, fill}, axes
		return
	}
}

// filler returns the constant that n repeats, or nil.
func filler(n *node) *node {
	n = storage(n)
	if n.op != broadcast {
		return nil
	}
	if from := storage(n.inputs[0]); from.op == constant && from.shape.Size() == 1 {
		return from
	}
	return nil
}

// sliceOfSlice joins a slice of a slice into one slice.
func (w *rewriter) sliceOfSlice(n *node) {
	x := n.inputs[0]
	if x.op != slice || w.users[x] > 1 {
		return
	}
	outer, inner := n.detail.(sliceDetail), x.detail.(sliceDetail)
	made := sliceDetail{make([]int, len(outer.starts)), make([]int, len(outer.starts))}
	for i := range made.starts {
		made.starts[i] = inner.starts[i] + outer.starts[i]*inner.strides[i]
		made.strides[i] = inner.strides[i] * outer.strides[i]
	}
	n.inputs, n.detail = []*node{x.inputs[0]}, made
}
