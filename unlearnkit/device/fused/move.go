package fused

import (
	"slices"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// word is an integer type with the size of an element.
type word interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// byWidth calls the function for elements of the given width.
func byWidth(width int, one, two, four, eight func()) {
	switch width {
	case 1:
		one()
	case 2:
		two()
	case 4:
		four()
	case 8:
		eight()
	}
}

// transposition returns the run function of a transpose.
func transposition(from shapes.Shape, permutation []int) func(*memory, []*memory) {
	strides := rowMajor(from.Dimensions)
	loops := make(pattern, len(permutation))
	for i, a := range permutation {
		loops[i] = axis{from.Dimensions[a], strides[a]}
	}
	loops = compact(loops)
	size, width := from.Size(), from.DType.Size()
	return func(to *memory, sources []*memory) {
		source := sources[0]
		byWidth(width,
			func() { permute(elements[uint8](to.first, size), elements[uint8](source.first, size), loops) },
			func() { permute(elements[uint16](to.first, size), elements[uint16](source.first, size), loops) },
			func() { permute(elements[uint32](to.first, size), elements[uint32](source.first, size), loops) },
			func() { permute(elements[uint64](to.first, size), elements[uint64](source.first, size), loops) })
	}
}

// tile is the side of the squares in which a transpose proceeds; two of them fit the first-level cache.
const tile = 32

// permute writes the elements in the order of the loops. If the innermost loop is not contiguous in the source, permute
// works in tiles over this loop and the contiguous one.
func permute[T word](to, from []T, loops pattern) {
	if len(to) == 0 {
		return
	}
	last := len(loops) - 1
	inner := loops[last]
	along := slices.IndexFunc(loops, func(a axis) bool { return a.stride == 1 })
	if inner.stride == 1 || along < 0 {
		rows(to, from, loops)
		return
	}
	// The result's rows (loop along) times its columns (the innermost loop), for each setting of the loops before and
	// between.
	steps := rowMajorOf(loops)
	outer := slices.Delete(slices.Clone(loops[:last]), along, along+1)
	outerSteps := slices.Delete(slices.Clone(steps[:last]), along, along+1)
	count := 1
	for _, a := range outer {
		count *= a.size
	}
	height := loops[along].size
	strips := (height + tile - 1) / tile
	parallel(len(to), count*strips, func(piece int) {
		at, offset := 0, 0
		rest := piece / strips
		for i := len(outer) - 1; i >= 0; i-- {
			at += rest % outer[i].size * outerSteps[i]
			offset += rest % outer[i].size * outer[i].stride
			rest /= outer[i].size
		}
		top := piece % strips * tile
		for left := 0; left < inner.size; left += tile {
			for r := top; r < min(top+tile, height); r++ {
				row := to[at+r*steps[along]:][:inner.size]
				column := from[offset+r:]
				for c := left; c < min(left+tile, inner.size); c++ {
					row[c] = column[c*inner.stride]
				}
			}
		}
	})
}

// rowMajorOf returns the strides of the result, which the loops fill in order.
func rowMajorOf(loops pattern) []int {
	sizes := make([]int, len(loops))
	for i, a := range loops {
		sizes[i] = a.size
	}
	return rowMajor(sizes)
}

// rows writes the elements in the order of the loops, one run of the innermost loop at a time.
func rows[T word](to, from []T, loops pattern) {
	stride := loops[len(loops)-1].stride
	spread(len(to), func(start, count int) {
		loops.runs(start, count, func(at, offset, length int) {
			into := to[start+at:][:length]
			if stride == 1 {
				copy(into, from[offset:])
				return
			}
			for j := range into {
				into[j] = from[offset+j*stride]
			}
		})
	})
}

// sliceRun returns the run function of a slice.
func sliceRun(n *node) func(*memory, []*memory) {
	detail := n.detail.(sliceDetail)
	from := n.inputs[0].shape
	first := 0
	loops := make(pattern, len(detail.starts))
	for i, stride := range rowMajor(from.Dimensions) {
		first += detail.starts[i] * stride
		loops[i] = axis{n.shape.Dimensions[i], stride * detail.strides[i]}
	}
	loops = compact(loops)
	size, all, width := n.shape.Size(), from.Size(), from.DType.Size()
	return func(to *memory, sources []*memory) {
		if size == 0 {
			return
		}
		s := sources[0].first
		byWidth(width,
			func() { rows(elements[uint8](to.first, size), elements[uint8](s, all)[first:], loops) },
			func() { rows(elements[uint16](to.first, size), elements[uint16](s, all)[first:], loops) },
			func() { rows(elements[uint32](to.first, size), elements[uint32](s, all)[first:], loops) },
			func() { rows(elements[uint64](to.first, size), elements[uint64](s, all)[first:], loops) })
	}
}

// concatenateRun returns the run function of a concatenation.
func concatenateRun(n *node) func(*memory, []*memory) {
	at := n.detail.(int)
	inner := n.shape.DType.Size()
	for _, d := range n.shape.Dimensions[at+1:] {
		inner *= d
	}
	outer := 1
	for _, d := range n.shape.Dimensions[:at] {
		outer *= d
	}
	whole := inner * n.shape.Dimensions[at]
	return func(to *memory, from []*memory) {
		into := unsafe.Slice((*byte)(to.first), outer*whole)
		each := max(1, grain/max(1, whole/4))
		parallel(len(into)/4, (outer+each-1)/each, func(piece int) {
			for row := piece * each; row < min(outer, (piece+1)*each); row++ {
				place := into[row*whole : (row+1)*whole]
				for i, input := range n.inputs {
					width := inner * input.shape.Dimensions[at]
					copy(place[:width], unsafe.Slice((*byte)(from[i].first), outer*width)[row*width:])
					place = place[width:]
				}
			}
		})
	}
}

// padding returns the run function of a pad: it fills the result, and then copies the elements that are not cut off.
func padding(n *node) func(*memory, []*memory) {
	x := n.inputs[0].shape
	axes := make([]compute.PadAxis, x.Rank())
	copy(axes, n.detail.([]compute.PadAxis))
	steps, strides := rowMajor(n.shape.Dimensions), rowMajor(x.Dimensions)
	// The remaining elements: where they start in x and in the result, and their strides in both.
	first, place, kept := 0, 0, 1
	source, target := make(pattern, x.Rank()), make(pattern, x.Rank())
	for i, a := range axes {
		apart := a.Interior + 1
		low := max(0, (-a.Start+apart-1)/apart)
		high := min(x.Dimensions[i], (n.shape.Dimensions[i]-1-a.Start)/apart+1)
		if n.shape.Dimensions[i]-1-a.Start < 0 {
			high = 0
		}
		count := max(0, high-low)
		first += low * strides[i]
		place += (a.Start + low*apart) * steps[i]
		kept *= count
		source[i], target[i] = axis{count, strides[i]}, axis{count, steps[i] * apart}
	}
	width, size, all := x.DType.Size(), n.shape.Size(), x.Size()
	return func(to *memory, from []*memory) {
		spread(size, func(start, count int) {
			repeat(unsafe.Add(to.first, start*width), from[1].first, width, count)
		})
		if kept == 0 {
			return
		}
		t, s := to.first, from[0].first
		byWidth(width,
			func() { put(elements[uint8](t, size)[place:], elements[uint8](s, all)[first:], target, source, kept) },
			func() { put(elements[uint16](t, size)[place:], elements[uint16](s, all)[first:], target, source, kept) },
			func() { put(elements[uint32](t, size)[place:], elements[uint32](s, all)[first:], target, source, kept) },
			func() { put(elements[uint64](t, size)[place:], elements[uint64](s, all)[first:], target, source, kept) })
	}
}

// spread calls f for ranges of n elements, in parallel.
func spread(n int, f func(start, count int)) {
	parallel(n, (n+grain-1)/grain, func(piece int) {
		start := piece * grain
		f(start, min(grain, n-start))
	})
}

// put copies n elements from the positions of source to the positions of target. The patterns have the same loops.
func put[T word](to, from []T, target, source pattern, n int) {
	last := len(source) - 1
	for last > 0 && source[last].size == 1 {
		last--
	}
	if len(source) == 0 {
		to[0] = from[0]
		return
	}
	run := source[last].size
	rows := n / run
	each := max(1, grain/run)
	parallel(n, (rows+each-1)/each, func(piece int) {
		for row := piece * each; row < min(rows, (piece+1)*each); row++ {
			at, offset, rest := 0, 0, row
			for i := last - 1; i >= 0; i-- {
				at += rest % source[i].size * target[i].stride
				offset += rest % source[i].size * source[i].stride
				rest /= source[i].size
			}
			if target[last].stride == 1 && source[last].stride == 1 {
				copy(to[at:at+run], from[offset:offset+run])
				continue
			}
			for j := range run {
				to[at+j*target[last].stride] = from[offset+j*source[last].stride]
			}
		}
	})
}
