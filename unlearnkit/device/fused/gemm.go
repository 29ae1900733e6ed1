package fused

import (
	"slices"
	"sync"
	"unsafe"
)

// tileRows points to the rows of a tile.
type tileRows [8]unsafe.Pointer

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

// tileKernel multiplies some rows of the left matrix by a panel of the right one.
type tileKernel struct {
	rows, columns int
	masks         bool // run reads only existing columns

	// run computes sums of inner terms. Element k of row i of the left matrix is steps[k] bytes after a[i], and row k
	// of the panel stride bytes after row k-1, which for the first is b. Bit j of columns says that column j exists;
	// its sum is stored in c[i][j] or, with add, added to it, row by row.
	run func(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, stride int, c *tileRows, columns uint32,
		add bool)
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
	packed   []float32      // the right matrix in panels, the last one padded with zeros; nil if it is read in place
	segments [][]segment    // segments of each panel
}

// workspace is the memory that a worker needs for a strip of the result. Products of one batch have the same offsets,
// so a worker keeps them from one product to the next.
type workspace struct {
	tile          [8 * 32]float32
	left          [stripRows / 4]tileRows
	into, direct  tileRows
	first         int            // the row of the left matrix and of the result where sources and rows begin
	sources, rows [stripRows]int // offsets in the left matrix and in the result
	start         int            // the term where steps begins
	steps         [innerBlock]int
	panel         int // the panel of the right matrix that columns belongs to
	columns       [32]int
	term          int // the term where terms begins
	terms         [innerBlock]int
}

// fresh forgets the offsets of another batch.
func (w *workspace) fresh() { w.first, w.start, w.panel, w.term = -1, -1, -1, -1 }

var (
	packs      = sync.Pool{New: func() any { return new([]float32) }}
	workspaces = sync.Pool{New: func() any { return new(workspace) }}
)

// packing gives the job memory for the panels. It has room for one more element, because a kernel's pointer ends one
// step after the terms of its panel.
func (j *job) packing() *[]float32 {
	size := len(j.segments) * j.kernel.columns * j.inner
	packed := packs.Get().(*[]float32)
	if cap(*packed) <= size {
		*packed = make([]float32, size+1)
	}
	j.packed = (*packed)[:size]
	return packed
}

// A batch of manyProducts or more is divided into at most mostChunks parts, and each product is computed by one worker.
const (
	manyProducts = 8
	mostChunks   = 64
)

// run computes the product into to.
func (g *gemm) run(to *memory, from []*memory) {
	if g.accumulates {
		all := elements[float32](to.first, to.bytes/4)
		spread(len(all), func(start, count int) { clear(all[start:][:count]) })
	}
	kernel := kernelFor(g.columns)
	first := job{gemm: g, kernel: kernel, segments: g.segments(kernel.columns)}
	work := g.rows * g.columns * g.inner / 64 // in units of an element-wise operation's cost
	if g.batch < manyProducts {
		for n := range g.batch {
			j := first
			j.locate(n, to, from)
			j.inParallel(work)
		}
		return
	}
	chunk := (g.batch + mostChunks - 1) / mostChunks
	parallel(g.batch*work, (g.batch+chunk-1)/chunk, func(piece int) {
		j, w := first, workspaces.Get().(*workspace)
		defer workspaces.Put(w)
		w.fresh()
		for n := piece * chunk; n < min((piece+1)*chunk, g.batch); n++ {
			j.locate(n, to, from)
			j.alone(w)
		}
	})
}

// locate sets the operands and the result to matrix n of the batch.
func (j *job) locate(n int, to *memory, from []*memory) {
	j.a, j.b, j.c = j.left.at(from[0], n), j.right.at(from[1], n), j.result.at(to, n)
}

// alone computes the product with one worker.
func (j *job) alone(w *workspace) {
	if !j.inPlace() {
		packed := j.packing()
		defer packs.Put(packed)
		for panel := range j.segments {
			j.pack(w, panel)
		}
	}
	pieces, rows := j.pieces(1)
	for i := range pieces {
		j.piece(w, i, rows)
	}
}

// inParallel computes the product with all workers.
func (j *job) inParallel(work int) {
	withWorkspace := func(f func(w *workspace, i int)) func(int) {
		return func(i int) {
			w := workspaces.Get().(*workspace)
			defer workspaces.Put(w)
			w.fresh()
			f(w, i)
		}
	}
	if !j.inPlace() {
		packed := j.packing()
		defer packs.Put(packed)
		parallel(len(j.packed), len(j.segments), withWorkspace(j.pack))
	}
	pieces, rows := j.pieces(8)
	parallel(work, pieces, withWorkspace(func(w *workspace, i int) { j.piece(w, i, rows) }))
}

// piece computes the i-th part of the rows of the result.
func (j *job) piece(w *workspace, i, rows int) {
	last := min((i+1)*rows, j.gemm.rows)
	for first := i * rows; first < last; first += stripRows {
		j.strip(w, first, min(stripRows, last-first))
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

// inPlace reports whether the kernel reads the right matrix where it is. A small matrix stays in the first-level cache
// without packing.
func (j *job) inPlace() bool {
	small := j.rows <= 2*stripRows && j.inner*j.columns <= 1<<13
	return small && j.kernel.masks && j.right.columns.straight() && len(j.right.rows) == 1
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
func (j *job) pack(w *workspace, panel int) {
	width := j.kernel.columns
	columns := w.columns[:min(width, j.columns-panel*width)]
	if w.panel != panel {
		j.right.columns.offsets(panel*width, columns)
		w.panel = panel
	}
	straight := true
	for i, column := range columns {
		straight = straight && column == columns[0]+i
	}
	for start := 0; start < j.inner; start += innerBlock {
		terms := min(innerBlock, j.inner-start)
		steps := w.terms[:terms]
		if w.term != start {
			j.right.rows.offsets(start, steps)
			w.term = start
		}
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
			source, place, below := unsafe.Add(j.b, 4*column), unsafe.Pointer(&into[i]), 0
			for _, step := range steps {
				*(*float32)(unsafe.Add(place, below)) = *(*float32)(unsafe.Add(source, 4*step))
				below += 4 * width
			}
		}
	}
}

// panel returns the first element of a panel of the right matrix from term start on, and the bytes between its rows.
func (j *job) panel(number, start, terms int) (first unsafe.Pointer, stride int) {
	width := j.kernel.columns
	if j.packed == nil {
		stride := j.right.rows[0].stride
		return unsafe.Add(j.b, 4*(start*stride+number*width)), 4 * stride
	}
	return unsafe.Pointer(&j.packed[start*len(j.segments)*width+number*terms*width]), 4 * width
}

// strip computes some rows of the result.
func (j *job) strip(w *workspace, first, rows int) {
	width, height := j.kernel.columns, j.kernel.rows
	if w.first != first {
		j.left.rows.offsets(first, w.sources[:rows])
		j.result.rows.offsets(first, w.rows[:rows])
		w.first = first
	}
	for row := 0; row < rows; row += height {
		for i := range height {
			w.left[row/height][i] = unsafe.Add(j.a, 4*w.sources[min(row+i, rows-1)])
		}
	}
	for i := range height {
		w.into[i] = unsafe.Pointer(&w.tile[i*width])
	}
	for start := 0; start < j.inner; start += innerBlock {
		terms := min(innerBlock, j.inner-start)
		if w.start != start {
			j.left.columns.offsets(start, w.steps[:terms])
			for i := range terms {
				w.steps[i] *= 4
			}
			w.start = start
		}
		add := j.accumulates || start > 0
		for panel, segments := range j.segments {
			b, stride := j.panel(panel, start, terms)
			columns := min(width, j.columns-panel*width)
			kernel := j.kernel
			if narrow := tileKernels[len(tileKernels)-1]; columns <= narrow.columns {
				kernel = narrow
			}
			exist := uint32(1)<<columns - 1
			direct := len(segments) == 1 && segments[0].stride == 1
			for row := 0; row < rows; row += height {
				left, count := &w.left[row/height], min(height, rows-row)
				if direct {
					w.direct = w.into // for rows after the last
					for i := range count {
						w.direct[i] = unsafe.Add(j.c, 4*(w.rows[row+i]+segments[0].offset))
					}
					kernel.run(terms, left, &w.steps, b, stride, &w.direct, exist, add)
					continue
				}
				kernel.run(terms, left, &w.steps, b, stride, &w.into, exist, false)
				for i := range count {
					j.put(w.tile[i*width:], w.rows[row+i], segments, add)
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
