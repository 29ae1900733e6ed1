package classifying

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// checkedLabels is a stream that checks its labels: an unknown class would silently contribute no loss.
type checkedLabels struct {
	unlearn.Stream
	classes int
}

// Batch implements [unlearn.Stream].
func (l checkedLabels) Batch(rows []int) ([]*tensors.Tensor, error) {
	columns, err := l.Stream.Batch(rows)
	at := slices.Index(l.Columns(), Label)
	if err != nil || at < 0 || at >= len(columns) {
		return columns, err
	}
	if shape := columns[at].Shape(); shape.DType != dtypes.Int32 || shape.Rank() != 1 || shape.Dim(0) != len(rows) {
		return nil, fmt.Errorf("column %s: the shape %v for %d rows, it must be one Int32 each", Label, shape,
			len(rows))
	}
	labels, err := tensors.CopyFlatData[int32](columns[at])
	if err != nil {
		return nil, err
	}
	for i, label := range labels {
		if label < 0 || int(label) >= l.classes {
			return nil, fmt.Errorf("row %d: the label %d, the model has the %d classes from 0 on", rows[i], label,
				l.classes)
		}
	}
	return columns, nil
}
