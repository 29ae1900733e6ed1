package metric

import (
	"fmt"
	"math"
)

// Embeddings is a list of vectors of the same dimension. They are read row by row, so that they need not all be in
// memory.
//
// Functions of this package may call Row from several goroutines at once and in any order.
type Embeddings interface {
	// Dims returns the number of rows and the length of each row.
	Dims() (rows, dim int)
	// Row copies row i into dst, whose length is dim.
	Row(i int, dst []float32)
}

// Matrix holds embeddings in memory. Row i is Data[i*Dim : (i+1)*Dim].
type Matrix struct {
	Dim  int
	Data []float32
}

// NewMatrix copies rows, which must all have the same length, into a matrix.
func NewMatrix(rows [][]float32) Matrix {
	if len(rows) == 0 {
		return Matrix{}
	}
	m := Matrix{Dim: len(rows[0]), Data: make([]float32, 0, len(rows)*len(rows[0]))}
	for i, row := range rows {
		if len(row) != m.Dim {
			panic(fmt.Sprintf("metric: row %d has %d numbers, row 0 has %d", i, len(row), m.Dim))
		}
		m.Data = append(m.Data, row...)
	}
	return m
}

// Dims returns the number of rows and their length. It panics if Data is not a whole number of rows.
func (m Matrix) Dims() (rows, dim int) {
	if m.Dim == 0 && len(m.Data) == 0 {
		return 0, 0
	}
	if m.Dim <= 0 || len(m.Data)%m.Dim != 0 {
		panic(fmt.Sprintf("metric: %d numbers are not a matrix with rows of %d", len(m.Data), m.Dim))
	}
	return len(m.Data) / m.Dim, m.Dim
}

// Row copies row i into dst.
func (m Matrix) Row(i int, dst []float32) { copy(dst, m.Data[i*m.Dim:(i+1)*m.Dim]) }

// RowFunc computes or reads embeddings when they are needed, by calling Fill. Fill must be safe for concurrent use.
type RowFunc struct {
	Rows, Dim int
	Fill      func(i int, dst []float32)
}

// Dims returns the number of rows and their length.
func (f RowFunc) Dims() (rows, dim int) { return f.Rows, f.Dim }

// Row calls Fill.
func (f RowFunc) Row(i int, dst []float32) { f.Fill(i, dst) }

// Subset returns the rows of e with the given indices, in the order of the indices.
func Subset(e Embeddings, rows []int) Embeddings {
	_, dim := e.Dims()
	return RowFunc{Rows: len(rows), Dim: dim, Fill: func(i int, dst []float32) { e.Row(rows[i], dst) }}
}

// Normalise scales x to unit Euclidean length in place and returns its previous length.
//
// Special cases are:
//
//	all of x zero            →  x unchanged, returns 0
//	a NaN or Inf in x        →  every element becomes NaN
func Normalise(x []float32) float64 {
	var sum float64
	for _, v := range x {
		sum += float64(float64(v) * float64(v))
	}
	norm := math.Sqrt(sum)
	if norm == 0 {
		return 0
	}
	if math.IsInf(norm, 0) {
		norm = math.NaN()
	}
	for i, v := range x {
		x[i] = float32(float64(v) / norm)
	}
	return norm
}

// sameDim returns the common dimension of all embeddings. It panics if dimensions differ. Empty embeddings match any
// dimension.
func sameDim(of ...Embeddings) (dim int) {
	for _, e := range of {
		rows, d := e.Dims()
		switch {
		case rows == 0:
		case dim == 0:
			dim = d
		case d != dim:
			panic(fmt.Sprintf("metric: embeddings of dimension %d and %d", dim, d))
		}
	}
	return dim
}

// samePairs returns the common number of rows and the common dimension of a and b. It panics if they differ.
func samePairs(a, b Embeddings) (rows, dim int) {
	rows, _ = a.Dims()
	if other, _ := b.Dims(); other != rows {
		panic(fmt.Sprintf("metric: %d rows are paired with %d", rows, other))
	}
	return rows, sameDim(a, b)
}
