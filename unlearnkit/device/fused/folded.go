package fused

import (
	"cmp"
	"slices"

	"github.com/gomlx/compute"
)

// foldedDetail is the detail of a product whose elements are added into a result. places locates the product's elements
// in the result.
type foldedDetail struct {
	dotDetail
	places view
}

// tap is a slice of a product and the padding around it.
type tap struct {
	slice   sliceDetail
	padding []compute.PadAxis
}

// fold turns a sum of padded slices of a product into a folded product, which is never stored. This is the input
// gradient of a convolution, where each slice belongs to a tap of the kernel.
func (w *rewriter) fold(n *node) {
	terms := w.terms(n, n)
	if terms[0].op != pad || terms[0].inputs[0].op != slice {
		return
	}
	piece, whole := terms[0].inputs[0], terms[0].inputs[0].inputs[0]
	product, readers := whole, len(terms)
	for (product.op == alias || isShuffle(product)) && w.users[product] == readers {
		product, readers = product.inputs[0], 1
	}
	if product.op != dot || w.users[product] != readers {
		return
	}
	taps := make([]tap, len(terms))
	for i, term := range terms {
		if term.op != pad || !isZero(term.inputs[1]) || w.users[term] > 1 {
			return
		}
		cut := term.inputs[0]
		if cut.op != slice || w.users[cut] > 1 || cut.inputs[0] != whole ||
			!slices.Equal(cut.shape.Dimensions, piece.shape.Dimensions) {
			return
		}
		taps[i] = tap{slice: cut.detail.(sliceDetail), padding: term.detail.([]compute.PadAxis)}
	}
	loops, first, ok := placesOf(taps, n.shape.Dimensions, whole.shape.Dimensions, piece.shape.Dimensions)
	if !ok {
		return
	}
	axes, ok := regroup(loops, product.shape.Dimensions)
	if !ok {
		return
	}
	n.op, n.inputs, n.detail = foldedDot, product.inputs,
		foldedDetail{product.detail.(dotDetail), view{of: n, first: first, axes: axes}}
}

// terms returns the terms of the sum n. It does not split sums that other nodes read too.
func (w *rewriter) terms(n, root *node) []*node {
	if n.op != add || n != root && w.users[n] > 1 {
		return []*node{n}
	}
	return append(w.terms(n.inputs[0], root), w.terms(n.inputs[1], root)...)
}

// isZero reports whether n is the float32 constant zero.
func isZero(n *node) bool {
	n = storage(n)
	return n.op == constant && n.shape.Size() == 1 && *(*float32)(n.detail.(*memory).first) == 0
}

// placesOf returns where taps put the elements of the array whole in the result. The taps have one size and together
// cover whole along one axis.
func placesOf(taps []tap, result, whole, piece []int) (loops pattern, first int, ok bool) {
	steps := rowMajor(result)
	along := 0
	for along < len(whole)-1 && piece[along] == whole[along] {
		along++
	}
	if !slices.Equal(piece[along+1:], whole[along+1:]) || len(taps)*piece[along] != whole[along] {
		return nil, 0, false
	}
	slices.SortFunc(taps, func(a, b tap) int { return cmp.Compare(a.slice.starts[along], b.slice.starts[along]) })
	offsets := make([]int, len(taps))
	for i, t := range taps {
		if t.slice.starts[along] != i*piece[along] || slices.Max(t.slice.strides) > 1 {
			return nil, 0, false
		}
		for j, p := range t.padding {
			if p.Start < 0 || p.End < 0 || p.Interior != taps[0].padding[j].Interior {
				return nil, 0, false
			}
			offsets[i] += p.Start * steps[j]
		}
	}
	between, ok := evenLoops(offsets)
	for i, size := range piece {
		if i == along {
			loops = append(loops, between...)
		}
		loops = append(loops, axis{size, steps[i] * (taps[0].padding[i].Interior + 1)})
	}
	return loops, offsets[0], ok && loops[len(loops)-1].stride == 1
}
