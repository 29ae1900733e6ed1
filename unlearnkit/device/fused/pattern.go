package fused

import "slices"

// axis is a loop of a pattern: its number of steps and the distance between them in elements.
type axis struct{ size, stride int }

// pattern locates the elements of one array in another one by nested loops, the innermost last. A stride of zero
// repeats an element or, in a reduction, reduces to one.
type pattern []axis

// compact drops loops with one step and joins loops that continue evenly.
func compact(axes pattern) pattern {
	var joined pattern
	for _, a := range axes {
		if a.size == 1 {
			continue
		}
		if last := len(joined) - 1; last >= 0 && joined[last].stride == a.stride*a.size {
			joined[last] = axis{joined[last].size * a.size, a.stride}
			continue
		}
		joined = append(joined, a)
	}
	if len(joined) == 0 {
		return pattern{{1, 1}}
	}
	return joined
}

// rowMajor returns the strides of a contiguous array.
func rowMajor(dimensions []int) []int {
	strides := make([]int, len(dimensions))
	step := 1
	for i := len(dimensions) - 1; i >= 0; i-- {
		strides[i] = step
		step *= dimensions[i]
	}
	return strides
}

// broadcastPattern locates each element of an array with dimensions to in an array with dimensions from. axes[i] is the
// axis of to that axis i of from becomes.
func broadcastPattern(from, to, axes []int) pattern {
	loops := make(pattern, len(to))
	for i, size := range to {
		loops[i] = axis{size, 0}
	}
	for i, stride := range rowMajor(from) {
		if from[i] > 1 {
			loops[axes[i]].stride = stride
		}
	}
	return compact(loops)
}

// operandPattern returns the pattern of an operand of an element-wise operation: a scalar, or an array whose axes of
// size one repeat.
func operandPattern(from, to []int) pattern {
	axes := make([]int, len(from))
	for i := range axes {
		axes[i] = i
	}
	return broadcastPattern(from, to, axes)
}

// reducedPattern returns, for each element of an array, the offset of the element to which it is reduced.
func reducedPattern(from, reduced []int) pattern {
	kept := slices.Clone(from)
	for _, a := range reduced {
		kept[a] = 1
	}
	loops := make(pattern, len(from))
	for i, stride := range rowMajor(kept) {
		loops[i] = axis{from[i], stride}
		if slices.Contains(reduced, i) {
			loops[i].stride = 0
		}
	}
	return compact(loops)
}

// straight reports whether the elements are contiguous.
func (p pattern) straight() bool { return len(p) == 1 && p[0].stride == 1 }

// single reports whether all positions have the same element.
func (p pattern) single() bool { return len(p) == 1 && p[0].stride == 0 }

// runs calls f for the positions from start to start+n in pieces with the stride of the innermost loop. at counts from
// start, and offset locates the piece's first element.
func (p pattern) runs(start, n int, f func(at, offset, length int)) {
	inner := p[len(p)-1]
	var counters [16]int
	offset, rest := 0, start
	for i := len(p) - 1; i >= 0; i-- {
		counters[i] = rest % p[i].size
		rest /= p[i].size
		offset += counters[i] * p[i].stride
	}
	last := len(p) - 1
	for done := 0; done < n; {
		length := min(inner.size-counters[last], n-done)
		f(done, offset, length)
		done += length
		counters[last] += length
		offset += length * inner.stride
		for i := last; i > 0 && counters[i] == p[i].size; i-- {
			offset += p[i-1].stride - counters[i]*p[i].stride
			counters[i] = 0
			counters[i-1]++
		}
	}
}

// offsets fills into with the offsets of the positions from start on.
func (p pattern) offsets(start int, into []int) {
	stride := p[len(p)-1].stride
	p.runs(start, len(into), func(at, offset, length int) {
		for i := range length {
			into[at+i] = offset + i*stride
		}
	})
}
