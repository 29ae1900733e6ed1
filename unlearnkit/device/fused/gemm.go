package fused

import (
	"sync"
	"unsafe"
)

// tileRows are the rows of a tile.
type tileRows [4]unsafe.Pointer

// innerBlock is how many terms of a sum are added before its value is stored: a panel of the right matrix so long stays in the first cache.
const innerBlock = 256

// strided is a matrix in memory, or a batch of them: element (i, j) of number n lies at batch's n-th place + i*row + j*column.
type strided struct {
	row, column int
	batch       pattern
}

// gemm multiplies batches of matrices of float32 whose elements may lie apart; the result's lie in order.
type gemm struct {
	batch, rows, inner, columns int
	left, right                 strided
}

// panels is the number of panels that the right matrix is packed in; each has tileColumns columns, the last one filled up with zeros.
func (g *gemm) panels() int { return (g.columns + tileColumns - 1) / tileColumns }

var packs = sync.Pool{New: func() any { return new([]float32) }}

func packing(size int) *[]float32 {
	packed := packs.Get().(*[]float32)
	if cap(*packed) < size {
		*packed = make([]float32, size)
	}
	*packed = (*packed)[:size]
	return packed
}

// run computes the product into to.
func (g *gemm) run(to *memory, from []*memory) {
	left, right, result := from[0].pointer(), from[1].pointer(), to.pointer()
	work := g.rows * g.columns * g.inner / 64 // in units of what an element-wise operation costs
	one := func(n int, parallelly func(elements, pieces int, f func(int))) {
		a, b := unsafe.Add(left, 4*g.left.at(n)), unsafe.Add(right, 4*g.right.at(n))
		c := unsafe.Add(result, 4*n*g.rows*g.columns)
		packed := packing(g.panels() * tileColumns * g.inner)
		defer packs.Put(packed)
		parallelly(len(*packed), g.panels(), func(panel int) { g.pack(*packed, b, panel) })
		const strip = 64
		parallelly(work, (g.rows+strip-1)/strip, func(i int) { g.strip(a, *packed, c, i*strip, min(strip, g.rows-i*strip)) })
	}
	if g.batch >= 8 {
		parallel(g.batch*work, g.batch, func(n int) { one(n, alone) })
		return
	}
	for n := range g.batch {
		one(n, parallel)
	}
}

func alone(_, pieces int, f func(int)) {
	for i := range pieces {
		f(i)
	}
}

// at is the place of the first element of matrix n.
func (s *strided) at(n int) int {
	offset := 0
	for i := len(s.batch) - 1; i >= 0; i-- {
		offset += n % s.batch[i].size * s.batch[i].stride
		n /= s.batch[i].size
	}
	return offset
}

// pack brings the columns of a panel together: for each block of terms, the terms one after another.
func (g *gemm) pack(packed []float32, b unsafe.Pointer, panel int) {
	first := panel * tileColumns
	width := min(tileColumns, g.columns-first)
	b = unsafe.Add(b, 4*first*g.right.column)
	for start := 0; start < g.inner; start += innerBlock {
		terms := min(innerBlock, g.inner-start)
		into := packed[start*g.panels()*tileColumns+panel*terms*tileColumns:][:terms*tileColumns]
		if width < tileColumns {
			clear(into)
		}
		source := unsafe.Add(b, 4*start*g.right.row)
		if g.right.column == 1 {
			for k := range terms {
				copy(into[k*tileColumns:][:width], elements[float32](unsafe.Add(source, 4*k*g.right.row), width))
			}
			continue
		}
		for j := range width {
			column := unsafe.Add(source, 4*j*g.right.column)
			for k := range terms {
				into[k*tileColumns+j] = *(*float32)(unsafe.Add(column, 4*k*g.right.row))
			}
		}
	}
}

// strip computes some rows of the result.
func (g *gemm) strip(a unsafe.Pointer, packed []float32, c unsafe.Pointer, first, rows int) {
	var tile [4 * 32]float32
	var left, into tileRows
	for i := range into {
		into[i] = unsafe.Pointer(&tile[i*tileColumns])
	}
	for start := 0; start < g.inner; start += innerBlock {
		terms := min(innerBlock, g.inner-start)
		for panel := range g.panels() {
			b := unsafe.Pointer(&packed[start*g.panels()*tileColumns+panel*terms*tileColumns])
			width := min(tileColumns, g.columns-panel*tileColumns)
			for row := first; row < first+rows; row += len(left) {
				for i := range left {
					left[i] = unsafe.Add(a, 4*(min(row+i, first+rows-1)*g.left.row+start*g.left.column))
				}
				tileKernel(terms, &left, 4*g.left.column, b, &into)
				for i := range min(len(left), first+rows-row) {
					target := elements[float32](unsafe.Add(c, 4*((row+i)*g.columns+panel*tileColumns)), width)
					values := tile[i*tileColumns:][:width]
					if start == 0 {
						copy(target, values)
					} else {
						addTo(target, values)
					}
				}
			}
		}
	}
}
