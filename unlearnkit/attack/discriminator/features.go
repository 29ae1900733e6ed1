package discriminator

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Cosines returns the cosines between a picture's features and others. A zero vector has cosine 0, as in PyTorch.
func Cosines(of []float64, others [][]float64) []float64 {
	const least = 1e-8
	length := max(floats.Norm(of, 2), least)
	all := make([]float64, len(others))
	for i, other := range others {
		all[i] = floats.Dot(of, other) / (length * max(floats.Norm(other, 2), least))
	}
	return all
}

// RowsOf splits concatenated features into one row per picture.
func RowsOf(flat []float32, width int) [][]float64 {
	rows := make([][]float64, len(flat)/width)
	for i := range rows {
		for _, value := range flat[i*width : (i+1)*width] {
			rows[i] = append(rows[i], float64(value))
		}
	}
	return rows
}

// Matrix converts rows to a matrix, as distances between sets require.
func Matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}
