package fused

import (
	"slices"
	"sync"
	"unsafe"
)

// tileRows points to the rows of a tile.
type tileRows [4]unsafe.Pointer

// innerBlock is the number of terms of a sum that are added before its value is stored: a panel of the right matrix
// with this length fits the first-level cache.
const innerBlock = 256

// stripRows is the number of rows of the result that are computed together.
const stripRows = 64

// matrix locates the elements of a batch of matrices in memory: element (i, j) of matrix n is at first plus offset n of
// batch, offset i of rows and offset j of columns.
type matrix struct {
	first                int
	batch, rows, columns pattern
}

// gemm multiplies batches of float32 matrices.
type gemm struct {
	batch, rows, inner, columns int
	left, right, result         matrix
	accumulates                 bool // elements of the result overlap, so their values are added
}

// transpose swaps the operands, so that the transposed product is computed.
func (g *gemm) transpose() {
	for _, m := range []*matrix{&g.left, &g.right, &g.result} {
		m.rows, m.columns = m.columns, m.rows
	}
	g.left, g.right = g.right, g.left
	g.rows, g.columns = g.columns, g.rows
}

// tileKernel multiplies four rows of the left matrix by a panel of the right one that has the given number of columns.
type tileKernel struct {
	columns int
	run     func(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, c *tileRows)
}

// kernelFor returns the kernel that computes the fewest unneeded columns. A wide kernel is preferred because it takes
// less time per column.
func kernelFor(columns int) tileKernel {
	best := tileKernels[0]
	for _, k := range tileKernels[1:] {
		if 6*roundUp(columns, k.columns) < 5*roundUp(columns, best.columns) {
			best = k
		}
	}
	return best
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// segment is a part of a panel: length columns from at on, which begin at offset in a row of the result.
type segment struct{ at, offset, length, stride int }

// job is one matrix product of a batch while it runs.
type job struct {
	*gemm
	kernel   tileKernel
	a, b, c  unsafe.Pointer // the first elements
	packed   []float32      // the right matrix in panels, the last one padded with zeros
	segments [][]segment    // segments of each panel
}

// workspace is the memory that a worker needs for a strip of the result.
type workspace struct {
	tile           [4 * 32]float32
	left, into     tileRows
	sources, rows  [stripRows]int
	steps, columns [innerBlock]int
}

var (
	packs      = sync.Pool{New: func() any { return new([]float32) }}
	workspaces = sync.Pool{New: func() any { return new(workspace) }}
)

// packing returns memory for the panels. It has room for one more element, because a kernel's pointer ends one step
// after the terms of its panel.
func packing(size int) *[]float32 {
	packed := packs.Get().(*[]float32)
	if cap(*packed) <= size {
		*packed = make([]float32, size+1)
	}
	*packed = (*packed)[:size]
	return packed
}

// run computes the product into to.
func (g *gemm) run(to *memory, from []*memory) {
	if g.accumulates {
		all := elements[float32](to.first, to.bytes/4)
		spread(len(all), func(start, count int) { clear(all[start:][:count]) })
	}
	kernel := kernelFor(g.columns)
	segments := g.segments(kernel.columns)
	work := g.rows * g.columns * g.inner / 64 // in units of an element-wise operation's cost
	one := func(n, strips int, loop func(elements, pieces int, f func(int))) {
		packed := packing(len(segments) * kernel.columns * g.inner)
		defer packs.Put(packed)
		j := &job{g, kernel, g.left.at(from[0], n), g.right.at(from[1], n), g.result.at(to, n), *packed, segments}
		loop(len(*packed), len(segments), j.pack)
		pieces, rows := g.pieces(strips)
		loop(work, pieces, func(i int) {
			for first := i * rows; first < min((i+1)*rows, g.rows); first += stripRows {
				j.strip(first, min(stripRows, min((i+1)*rows, g.rows)-first))
			}
		})
	}
	if g.batch >= 8 {
		parallel(g.batch*work, g.batch, func(n int) { one(n, 1, sequential) })
		return
	}
	for n := range g.batch {
		one(n, 8, parallel)
	}
}

func sequential(_, pieces int, f func(int)) {
	for i := range pieces {
		f(i)
	}
}

// pieces returns how many parts of the rows are computed independently, at least wanted if there are enough rows, and
// how many rows a part has. If the product accumulates, parts never share an element of the result.
func (g *gemm) pieces(wanted int) (count, rows int) {
	if !g.accumulates {
		rows = min(stripRows, roundUp((g.rows+wanted-1)/wanted, len(tileRows{})))
		return (g.rows + rows - 1) / rows, rows
	}
	outer, reach := g.result.rows[0], 1
	for _, loop := range slices.Concat(g.result.rows[1:], g.result.columns) {
		reach += (loop.size - 1) * loop.stride
	}
	if outer.stride < reach {
		return 1, g.rows
	}
	return outer.size, g.rows / outer.size
}

// at returns the first element of matrix n.
func (m *matrix) at(in *memory, n int) unsafe.Pointer {
	var place [1]int
	m.batch.offsets(n, place[:])
	return unsafe.Add(in.first, 4*(m.first+place[0]))
}

// segments divides the panels where their columns are not evenly spaced in the result.
func (g *gemm) segments(width int) [][]segment {
	panels := make([][]segment, (g.columns+width-1)/width)
	for i := range panels {
		stride := g.result.columns[len(g.result.columns)-1].stride
		g.result.columns.runs(i*width, min(width, g.columns-i*width), func(at, offset, length int) {
			panels[i] = append(panels[i], segment{at, offset, length, stride})
		})
	}
	return panels
}

// pack copies the columns of a panel next to each other: for each block of terms, the terms one after another.
func (j *job) pack(panel int) {
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	width := j.kernel.columns
	columns := w.columns[:min(width, j.columns-panel*width)]
	j.right.columns.offsets(panel*width, columns)
	straight := true
	for i, column := range columns {
		straight = straight && column == columns[0]+i
	}
	for start := 0; start < j.inner; start += innerBlock {
		terms := min(innerBlock, j.inner-start)
		steps := w.steps[:terms]
		j.right.rows.offsets(start, steps)
		into := j.packed[start*len(j.segments)*width+panel*terms*width:][:terms*width]
		if len(columns) < width {
			clear(into)
		}
		if straight {
			source := unsafe.Add(j.b, 4*columns[0])
			for k, step := range steps {
				copy(into[k*width:][:len(columns)], elements[float32](unsafe.Add(source, 4*step), len(columns)))
			}
			continue
		}
		for i, column := range columns {
			source := unsafe.Add(j.b, 4*column)
			for k, step := range steps {
				into[k*width+i] = *(*float32)(unsafe.Add(source, 4*step))
			}
		}
	}
}

// strip computes some rows of the result.
func (j *job) strip(first, rows int) {
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	width := j.kernel.columns
	for i := range w.into {
		w.into[i] = unsafe.Pointer(&w.tile[i*width])
	}
	j.left.rows.offsets(first, w.sources[:rows])
	j.result.rows.offsets(first, w.rows[:rows])
	for start := 0; start < j.inner; start += innerBlock {
		terms := min(innerBlock, j.inner-start)
		j.left.columns.offsets(start, w.steps[:terms])
		for i := range terms {
			w.steps[i] *= 4
		}
		for panel, segments := range j.segments {
			b := unsafe.Pointer(&j.packed[start*len(j.segments)*width+panel*terms*width])
			for row := 0; row < rows; row += len(w.left) {
				for i := range w.left {
					w.left[i] = unsafe.Add(j.a, 4*w.sources[min(row+i, rows-1)])
				}
				j.kernel.run(terms, &w.left, &w.steps, b, &w.into)
				for i := range min(len(w.left), rows-row) {
					j.put(w.tile[i*width:], w.rows[row+i], segments, j.accumulates || start > 0)
				}
			}
		}
	}
}

// put stores the values of a row in the result.
func (j *job) put(values []float32, row int, segments []segment, add bool) {
	for _, s := range segments {
		place, from := unsafe.Add(j.c, 4*(row+s.offset)), values[s.at:][:s.length]
		switch {
		case s.stride == 1 && add:
			addTo(elements[float32](place, s.length), from)
		case s.stride == 1:
			copy(elements[float32](place, s.length), from)
		default:
			for i, value := range from {
				to := (*float32)(unsafe.Add(place, 4*i*s.stride))
				if add {
					value += *to
				}
				*to = value
			}
		}
	}
}
