package unlearn

import (
	"errors"
	"maps"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Table is a stream in memory: it maps the names of columns to tensors with one row per example.
type Table map[string]*tensors.Tensor

// Rows implements [Stream].
func (t Table) Rows() int {
	for _, column := range t {
		return column.Shape().Dimensions[0]
	}
	return 0
}

// Columns implements [Stream].
func (t Table) Columns() []string { return slices.Sorted(maps.Keys(t)) }

// Batch implements [Stream].
func (t Table) Batch(rows []int) ([]*tensors.Tensor, error) {
	var columns []*tensors.Tensor
	for _, name := range t.Columns() {
		picked, err := Pick(t[name], rows)
		if err != nil {
			return nil, err
		}
		columns = append(columns, picked)
	}
	return columns, nil
}

// Pick returns the given rows of a tensor, in the given order.
func Pick(whole *tensors.Tensor, rows []int) (*tensors.Tensor, error) {
	dimensions := slices.Clone(whole.Shape().Dimensions)
	count := dimensions[0]
	dimensions[0] = len(rows)
	picked := tensors.FromShape(shapes.Make(whole.DType(), dimensions...))
	var inner error
	err := whole.ConstBytes(func(from []byte) {
		width := len(from) / count
		inner = picked.MutableBytes(func(to []byte) {
			for i, row := range rows {
				copy(to[i*width:(i+1)*width], from[row*width:])
			}
		})
	})
	return picked, errors.Join(err, inner)
}
