package unlearn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Union joins the rows of two streams into one, First's before Second's. It has the columns that both have, and the
// column Mark, which is 1 for the rows of First and 0 for the rows of Second.
type Union struct {
	First, Second Stream
	Mark          string
}

// Rows implements [Stream].
func (u Union) Rows() int { return u.First.Rows() + u.Second.Rows() }

// Columns implements [Stream].
func (u Union) Columns() []string {
	others := u.Second.Columns()
	shared := slices.DeleteFunc(slices.Clone(u.First.Columns()), func(name string) bool {
		return !slices.Contains(others, name)
	})
	return append(shared, u.Mark)
}

// Batch implements [Stream].
func (u Union) Batch(rows []int) ([]*tensors.Tensor, error) {
	marks := make([]int32, len(rows))
	order := make([]int, len(rows)) // position of each row when First's rows precede Second's
	var first, second []int
	for i, row := range rows {
		if row < u.First.Rows() {
			marks[i], order[i] = 1, len(first)
			first = append(first, row)
		}
	}
	for i, row := range rows {
		if marks[i] == 0 {
			order[i] = len(first) + len(second)
			second = append(second, row-u.First.Rows())
		}
	}
	names := u.Columns()
	names = names[:len(names)-1]
	above, err := selectColumns(u.First, first, names)
	if err != nil {
		return nil, err
	}
	below, err := selectColumns(u.Second, second, names)
	if err != nil {
		return nil, err
	}
	var columns []*tensors.Tensor
	for i, name := range names {
		both, err := stack(above[i], below[i])
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", name, err)
		}
		picked, err := Pick(both, order)
		if err != nil {
			return nil, err
		}
		columns = append(columns, picked)
	}
	return append(columns, tensors.FromFlatDataAndDimensions(marks, len(marks))), nil
}

// selectColumns returns some columns of some rows of a stream, or nil columns if there are no rows.
func selectColumns(s Stream, rows []int, names []string) ([]*tensors.Tensor, error) {
	columns := make([]*tensors.Tensor, len(names))
	if len(rows) == 0 {
		return columns, nil
	}
	all, err := s.Batch(rows)
	if err != nil {
		return nil, err
	}
	if len(all) != len(s.Columns()) {
		return nil, fmt.Errorf("a batch of %d columns, not of %s", len(all), strings.Join(s.Columns(), ", "))
	}
	for i, name := range names {
		columns[i] = all[slices.Index(s.Columns(), name)]
	}
	return columns, nil
}

// stack concatenates the rows of two tensors; either may be nil.
func stack(above, below *tensors.Tensor) (*tensors.Tensor, error) {
	if above == nil || below == nil {
		if above == nil {
			return below, nil
		}
		return above, nil
	}
	a, b := above.Shape(), below.Shape()
	if a.Rank() == 0 || a.DType != b.DType || !slices.Equal(a.Dimensions[1:], b.Dimensions[min(1, b.Rank()):]) {
		return nil, fmt.Errorf("the shapes %v and %v cannot be concatenated", a, b)
	}
	dimensions := slices.Clone(a.Dimensions)
	dimensions[0] += b.Dimensions[0]
	whole := tensors.FromShape(shapes.Make(a.DType, dimensions...))
	var inner error
	err := whole.MutableBytes(func(to []byte) {
		for _, part := range []*tensors.Tensor{above, below} {
			inner = errors.Join(inner, part.ConstBytes(func(from []byte) { to = to[copy(to, from):] }))
		}
	})
	return whole, errors.Join(err, inner)
}
