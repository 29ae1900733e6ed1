package train

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// reading maps embeddings before they are compared.
type reading struct {
	pictures, captions func(metric.Matrix) metric.Matrix
	mapped             bool // pictures are no longer the model's own
}

// asIs reads the model's own embeddings.
var asIs = reading{pictures: same, captions: same}

func same(m metric.Matrix) metric.Matrix { return m }

// orthogonal returns the rotation that brings pictures nearest to their captions, both without their means
// (Schönemann, 1966). It has no other setting than the pairs.
func orthogonal(pictures, captions metric.Matrix) (reading, error) {
	x, fromX := centred(pictures)
	y, fromY := centred(captions)
	var product, turn mat.Dense
	product.Mul(x.T(), y)
	var svd mat.SVD
	if !svd.Factorize(&product, mat.SVDThin) {
		return reading{}, errors.New("the singular values of pictures and captions did not converge")
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	turn.Mul(&u, v.T())
	return reading{
		pictures: func(m metric.Matrix) metric.Matrix { return mapped(m, fromX, &turn, nil) },
		captions: func(m metric.Matrix) metric.Matrix { return mapped(m, fromY, nil, nil) }, mapped: true}, nil
}

// ridgeShare is the penalty of [ridge] for a dimension, as a multiple of the pairs per dimension.
const ridgeShare = .1

// ridge returns the linear map that predicts captions from pictures, with a penalty on its size.
func ridge(pictures, captions metric.Matrix) (reading, error) {
	x, fromX := centred(pictures)
	y, fromY := centred(captions)
	pairs, width := x.Dims()
	var product, target, solved mat.Dense
	product.Mul(x.T(), x)
	for i := range width {
		product.Set(i, i, product.At(i, i)+ridgeShare*float64(pairs)/float64(width))
	}
	target.Mul(x.T(), y)
	if err := solved.Solve(&product, &target); err != nil {
		return reading{}, err
	}
	return reading{
		pictures: func(m metric.Matrix) metric.Matrix { return mapped(m, fromX, &solved, fromY) }, captions: same,
		mapped: true}, nil
}

func firstRows(m metric.Matrix, count int) metric.Matrix {
	return metric.Matrix{Dim: m.Dim, Data: m.Data[:count*m.Dim]}
}

// unit returns the rows of a matrix with length one.
func unit(m metric.Matrix) *mat.Dense {
	rows := len(m.Data) / m.Dim
	out := mat.NewDense(rows, m.Dim, nil)
	for i := range rows {
		length := 0.
		for _, value := range m.Data[i*m.Dim : (i+1)*m.Dim] {
			length += float64(value) * float64(value)
		}
		for k, value := range m.Data[i*m.Dim : (i+1)*m.Dim] {
			out.Set(i, k, float64(value)/math.Sqrt(length))
		}
	}
	return out
}

// centred returns the normalised rows less their mean, and the mean.
func centred(m metric.Matrix) (rows *mat.Dense, middle []float64) {
	rows, middle = unit(m), make([]float64, m.Dim)
	count, _ := rows.Dims()
	for i := range count {
		for k := range middle {
			middle[k] += rows.At(i, k) / float64(count)
		}
	}
	shift(rows, middle, -1)
	return rows, middle
}

// shift adds a multiple of a vector to every row.
func shift(rows *mat.Dense, by []float64, times float64) {
	count, _ := rows.Dims()
	for i := range count {
		for k, value := range by {
			rows.Set(i, k, rows.At(i, k)+times*value)
		}
	}
}

// mapped returns (m - from) times by, plus to. by and to may be nil.
func mapped(m metric.Matrix, from []float64, by *mat.Dense, to []float64) metric.Matrix {
	rows := unit(m)
	shift(rows, from, -1)
	if by != nil {
		var turned mat.Dense
		turned.Mul(rows, by)
		rows = &turned
	}
	shift(rows, to, 1)
	out := metric.Matrix{Dim: m.Dim, Data: make([]float32, len(m.Data))}
	for i := range out.Data {
		out.Data[i] = float32(rows.At(i/m.Dim, i%m.Dim))
	}
	return out
}
