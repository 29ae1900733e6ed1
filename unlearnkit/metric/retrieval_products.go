package metric

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas32"
)

const (
	// lanes is the multiple to which the lengths of rows are padded with zeros. All rows then have the same alignment
	// to 16 bytes, which determines the order of the sums in gonum's assembly. Otherwise equal rows could have unequal
	// products.
	lanes = 16
	// imageRows and captionRows are the numbers of rows in the blocks that are multiplied. At 512 dimensions the blocks
	// take 128 KiB and 512 KiB, which fit in a core's second-level cache.
	imageRows   = 64
	captionRows = 256
)

// packed is a block of normalised rows, each padded with zeros to the length stride.
type packed struct {
	rows, stride int
	data         []float32
}

func newPacked(rows, dim int) packed {
	stride := (dim + lanes - 1) / lanes * lanes
	return packed{stride: stride, data: make([]float32, rows*stride)}
}

// fill reads and normalises the rows from, from+1, ... of e. It stops at the end of e or after limit rows.
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

// slice returns the rows from (inclusive) to to (exclusive).
func (p *packed) slice(from, to int) packed {
	return packed{rows: to - from, stride: p.stride, data: p.data[from*p.stride : to*p.stride]}
}

// pack reads and normalises all rows of e.
func pack(e Embeddings) packed {
	rows, dim := e.Dims()
	p := newPacked(rows, dim)
	p.fill(e, 0, rows)
	return p
}

// inBlocks calls work for each block of up to imageRows of n rows, on all processors. One goroutine processes a block,
// so that results do not depend on the number of goroutines. Each goroutine calls start for its own function, which may
// therefore own buffers.
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

// eachProduct passes the products of every image with all captions to visit, in pieces: the products with captions
// from, from+1, ... The pieces of an image have ascending from.
func eachProduct(images, captions packed, buffer []float32, visit func(image, from int, products []float32)) {
	for from := 0; from < captions.rows; from += captionRows {
		piece := captions.slice(from, min(captions.rows, from+captionRows))
		products(images, piece, buffer)
		for i := range images.rows {
			visit(i, from, buffer[i*piece.rows:(i+1)*piece.rows])
		}
	}
}

// products stores the inner products of all rows of x with all rows of y in out, row by row.
//
// Each product is summed in the same order wherever a row is in a block, so that equal rows have equal products. A
// general matrix product (blas32.Gemm) would sum in different orders for small and large matrices.
func products(x, y packed, out []float32) {
	for i := range x.rows {
		a := blas32.Vector{N: x.stride, Inc: 1, Data: x.row(i)}
		for j := range y.rows {
			out[i*y.rows+j] = blas32.Dot(a, blas32.Vector{N: y.stride, Inc: 1, Data: y.row(j)})
		}
	}
}
