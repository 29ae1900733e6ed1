package membership

import (
	"errors"
	"fmt"
	"slices"
)

// fit holds a normal distribution of logits for each example.
type fit struct {
	means, squares []float64 // sums of the squared distances from the mean
	freedom        []int     // number of logits minus 1
}

func newFit(n int) fit { return fit{make([]float64, n), make([]float64, n), make([]int, n)} }

func (f fit) add(example int, logits []float64) {
	for _, x := range logits {
		f.means[example] += x / float64(len(logits))
	}
	f.freedom[example] = len(logits) - 1
	if slices.Min(logits) == slices.Max(logits) {
		return // the rounding error of the mean is not a spread
	}
	for _, x := range logits {
		d := x - f.means[example]
		f.squares[example] += float64(d * d)
	}
}

func (f fit) variances(how Variance) ([]float64, error) {
	variances := make([]float64, len(f.means))
	total, freedom := 0., 0
	for i, squares := range f.squares {
		total, freedom = total+squares, freedom+f.freedom[i]
		variances[i] = squares / float64(f.freedom[i])
		if how == Separate && !(variances[i] > 0) {
			return nil, fmt.Errorf("membership: example %d: its losses under the shadows are all equal; share the "+
				"variance", i+1)
		}
	}
	if how == Separate {
		return variances, nil
	}
	shared := total / float64(freedom)
	if !(shared > 0) {
		return nil, errors.New("membership: the shadows' losses of each example are equal, or there is only one; give " +
			"more shadows")
	}
	for i := range variances {
		variances[i] = shared
	}
	return variances, nil
}
