package fused

import (
	"math"
	"unsafe"

	"github.com/gomlx/compute/dtypes"
)

// canReduce reports whether there is a kernel for the reduction.
func canReduce(n *node) bool {
	switch n.shape.DType {
	case dtypes.Float32, dtypes.Float64, dtypes.Int32, dtypes.Int64:
		return n.inputs[0].shape.Size() > 0
	}
	return false
}

// fold reduces the values of a chain.
type fold struct {
	chain   *chain
	pattern pattern // offset in the result of each element
	size    int     // elements of the result
	op      operation
	kind    dtypes.DType
}

// reduction returns the run function of a reduction whose operand c computes.
func reduction(n *node, c *chain) func(*memory, []*memory) {
	axes := n.detail.([]int)
	if len(axes) == 0 { // all axes
		for i := range n.inputs[0].shape.Dimensions {
			axes = append(axes, i)
		}
	}
	f := &fold{c, reducedPattern(n.inputs[0].shape.Dimensions, axes), n.shape.Size(), n.op, n.shape.DType}
	if f.pattern.straight() {
		return c.store
	}
	switch f.kind {
	case dtypes.Float32:
		return func(to *memory, from []*memory) { run(f, accumulateFloat32, to, from) }
	case dtypes.Float64:
		return func(to *memory, from []*memory) { run(f, accumulate[float64], to, from) }
	case dtypes.Int32:
		return func(to *memory, from []*memory) { run(f, accumulate[int32], to, from) }
	}
	return func(to *memory, from []*memory) { run(f, accumulate[int64], to, from) }
}

// pieces returns the number of pieces and the number of elements per piece. If apart, each piece has its own range of
// the result; otherwise each has a copy of the whole result, and the copies are merged at the end. The pieces depend
// only on sizes, so that sums do not depend on the number of processors.
func (f *fold) pieces() (count, length int, apart bool) {
	if outer := f.pattern[0]; outer.stride > 0 {
		each := f.chain.size / outer.size
		rows := max(1, grain/each)
		return (outer.size + rows - 1) / rows, rows * each, true
	}
	length = f.chain.size
	if outer := f.pattern[0].size; outer > 1 {
		each := f.chain.size / outer
		rows := max(1, (outer+7)/8, grain/each)
		length = rows * each
	}
	return (f.chain.size + length - 1) / length, length, false
}

// accumulator merges n values of the operand, from start on, into the result of a piece.
type accumulator[T any] func(f *fold, result []T, values unsafe.Pointer, start, n int)

func run[T number](f *fold, add accumulator[T], to *memory, from []*memory) {
	sources := pointers(from)
	count, length, apart := f.pieces()
	result := elements[T](to.first, f.size)
	if apart || count == 1 {
		fill(f.op, result)
		parallel(f.chain.size, count, func(piece int) { gather(f, add, result, sources, piece*length, length) })
		return
	}
	parts := make([]T, count*f.size)
	fill(f.op, parts)
	parallel(f.chain.size, count, func(piece int) {
		gather(f, add, parts[piece*f.size:(piece+1)*f.size], sources, piece*length, length)
	})
	fill(f.op, result)
	for piece := range count {
		merge(f.op, result, parts[piece*f.size:(piece+1)*f.size])
	}
}

// gather reduces the elements from start to start+n.
func gather[T number](f *fold, add accumulator[T], result []T, sources []unsafe.Pointer, start, n int) {
	s := f.chain.scratch()
	defer scratches.Put(s)
	for end := min(start+n, f.chain.size); start < end; start += block {
		some := min(block, end-start)
		add(f, result, f.chain.compute(s, sources, start, some, nil), start, some)
	}
}

func fill[T number](op operation, values []T) {
	var first T
	switch op {
	case reduceMax:
		first = lowest[T]()
	case reduceMin:
		first = highest[T]()
	}
	for i := range values {
		values[i] = first
	}
}

func lowest[T number]() T {
	var value any = *new(T)
	switch value.(type) {
	case float32:
		return T(math.Inf(-1))
	case float64:
		return T(math.Inf(-1))
	case int32:
		value = int32(math.MinInt32)
	case int64:
		value = int64(math.MinInt64)
	}
	return value.(T)
}

func highest[T number]() T {
	var value any = *new(T)
	switch value.(type) {
	case float32:
		return T(math.Inf(1))
	case float64:
		return T(math.Inf(1))
	case int32:
		value = int32(math.MaxInt32)
	case int64:
		value = int64(math.MaxInt64)
	}
	return value.(T)
}

func merge[T number](op operation, result, values []T) {
	switch op {
	case reduceSum:
		for i, value := range values {
			result[i] += value
		}
	case reduceMax:
		for i, value := range values {
			result[i] = max(result[i], value)
		}
	case reduceMin:
		for i, value := range values {
			result[i] = min(result[i], value)
		}
	}
}

func accumulate[T number](f *fold, result []T, values unsafe.Pointer, start, n int) {
	from := elements[T](values, n)
	stride := f.pattern[len(f.pattern)-1].stride
	f.pattern.runs(start, n, func(at, offset, length int) {
		piece := from[at : at+length]
		if stride == 1 {
			merge(f.op, result[offset:offset+length], piece)
			return
		}
		for i, value := range piece {
			merge(f.op, result[offset+i*stride:offset+i*stride+1], []T{value})
		}
	})
}

func accumulateFloat32(f *fold, result []float32, values unsafe.Pointer, start, n int) {
	if f.op != reduceSum {
		extremes(f, result, values, start, n)
		return
	}
	from := elements[float32](values, n)
	switch f.pattern[len(f.pattern)-1].stride {
	case 0:
		f.pattern.runs(start, n, func(at, offset, length int) { result[offset] += float32(sum(from[at : at+length])) })
	case 1:
		f.pattern.runs(start, n, func(at, offset, length int) {
			addTo(result[offset:offset+length], from[at:at+length])
		})
	default:
		accumulate(f, result, values, start, n)
	}
}

func extremes(f *fold, result []float32, values unsafe.Pointer, start, n int) {
	from := elements[float32](values, n)
	if f.pattern[len(f.pattern)-1].stride != 0 {
		accumulate(f, result, values, start, n)
		return
	}
	f.pattern.runs(start, n, func(at, offset, length int) {
		best := result[offset]
		if f.op == reduceMax {
			for _, value := range from[at : at+length] {
				best = max(best, value)
			}
		} else {
			for _, value := range from[at : at+length] {
				best = min(best, value)
			}
		}
		result[offset] = best
	})
}
