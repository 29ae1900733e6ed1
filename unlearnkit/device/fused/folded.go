package fused

import (
	"cmp"
	"slices"

	"github.com/gomlx/compute"
)

// folded is the detail of a product whose elements are added up in places of the result, of which places says where
// they are; its axes are the product's.
type folded struct {
	dotted
	places view
}

// tap is a slice of a product and the padding around it.
type tap struct {
	slice   sliced
	padding []compute.PadAxis
}

// fold turns a sum of padded slices of a product into a folded product, which is never stored: the gradient of a
// convolution by its input, whose slices belong to the taps of the kernel.
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
		taps[i] = tap{slice: cut.detail.(sliced), padding: term.detail.([]compute.PadAxis)}
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
		folded{product.detail.(dotted), view{of: n, first: first, axes: axes}}
}

// terms are what the sum n adds up, apart from sums that something else reads too.
func (w *rewriter) terms(n, root *node) []*node {
	if n.op != add || n != root && w.users[n] > 1 {
		return []*node{n}
	}
	return append(w.terms(n.inputs[0], root), w.terms(n.inputs[1], root)...)
}

// isZero reports whether n is the constant zero, of float32.
func isZero(n *node) bool {
	n = stored(n)
	return n.op == constant && n.shape.Size() == 1 && *(*float32)(n.detail.(*memory).first) == 0
}

// placesOf finds where the elements of a whole array, in order, are put in a result by taps of one size that make up
// the whole along one axis.
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
	between, ok := evenly(offsets)
	for i, size := range piece {
		if i == along {
			loops = append(loops, between...)
		}
		loops = append(loops, axis{size, steps[i] * (taps[0].padding[i].Interior + 1)})
	}
	return loops, offsets[0], ok && loops[len(loops)-1].stride == 1
}
