package metric

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas32"
)

const (
	// lanes is the multiple of float32 to which rows are padded with zeros. It gives all rows the same alignment to 16
	// bytes, which determines the order of the sums in gonum's assembly. Without it equal rows could have unequal
	// products.
	lanes = 16
	// imageRows and captionRows are the sizes of the multiplied blocks: at 512 dimensions 128 KiB and 512 KiB, which
	// fit in a core's second-level cache.
	imageRows   = 64
	captionRows = 256
)

// packed is a block of normalised rows, each padded with zeros to stride.
type packed struct {
	rows, stride int
	data         []float32
}

func newPacked(rows, dim int) packed {
	stride := (dim + lanes - 1) / lanes * lanes
	return packed{stride: stride, data: make([]float32, rows*stride)}
}

// fill reads and normalises rows from, from+1, ... of e, as many as remain or as fit into p.
func (p *packed) fill(e Embeddings, from, limit int) {
	total, dim := e.Dims()
	p.rows = min(limit, total-from)
	for i := range p.rows {
		row := p.row(i)[:dim]
		e.Row(from+i, row)
		Normalise(row)
	}
}

func (p *packed) row(i int) []float32 { return p.data[i*p.stride : (i+1)*p.stride] }

// slice returns the rows from from up to, but not including, to.
func (p *packed) slice(from, to int) packed {
	return packed{rows: to - from, stride: p.stride, data: p.data[from*p.stride : to*p.stride]}
}

// pack reads and normalises all of e.
func pack(e Embeddings) packed {
	rows, dim := e.Dims()
	p := newPacked(rows, dim)
	p.fill(e, 0, rows)
	return p
}

// inBlocks calls work for every block of at most imageRows of n rows, on all processors. Each block is processed by one
// goroutine, so that results do not depend on the number of goroutines. Only one goroutine uses the function that start
// returns, which may therefore own buffers.
func inBlocks(n int, start func() func(from, to int)) {
	blocks := (n + imageRows - 1) / imageRows
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), blocks) {
		wait.Go(func() {
			work := start()
			for b := int(next.Add(1)) - 1; b < blocks; b = int(next.Add(1)) - 1 {
				work(b*imageRows, min(n, (b+1)*imageRows))
			}
		})
	}
	wait.Wait()
}

// eachProduct passes to visit, for every image, its products with all captions, in pieces: the products with captions
// from, from+1, ... The pieces of an image arrive in ascending order.
func eachProduct(images, captions packed, buffer []float32, visit func(image, from int, products []float32)) {
	for from := 0; from < captions.rows; from += captionRows {
		piece := captions.slice(from, min(captions.rows, from+captionRows))
		products(images, piece, buffer)
		for i := range images.rows {
			visit(i, from, buffer[i*piece.rows:(i+1)*piece.rows])
		}
	}
}

// products writes the inner products of all rows of x with all rows of y to out, row by row.
//
// Each product is summed in the same order at any position in the blocks, so that equal rows have equal products. A
// general matrix product (blas32.Gemm) sums in another order for small matrices than for large ones.
func products(x, y packed, out []float32) {
	for i := range x.rows {
		a := blas32.Vector{N: x.stride, Inc: 1, Data: x.row(i)}
		for j := range y.rows {
			out[i*y.rows+j] = blas32.Dot(a, blas32.Vector{N: y.stride, Inc: 1, Data: y.row(j)})
		}
	}
}
