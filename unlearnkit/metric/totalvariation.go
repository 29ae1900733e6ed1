package metric

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// TotalVariation returns the total variation distance between two distributions over the same categories,
//
//	½ Σ |p_i − q_i|,
//
// which equals the earth mover's distance if moving to any other category costs 1.
//
// Special cases are the same as for [EMD1D].
func TotalVariation(p, q []float64) (float64, error) {
	if len(p) != len(q) {
		return math.NaN(), fmt.Errorf("total variation: %d and %d categories", len(p), len(q))
	}
	if err := sameMass(p, q); err != nil {
		return math.NaN(), fmt.Errorf("total variation: %w", err)
	}
	return floats.Distance(p, q, 1) / 2, nil
}

// sameMass returns an error unless p and q are distributions with the same total mass.
func sameMass(p, q []float64) error {
	if len(p) == 0 || len(q) == 0 {
		return errors.New("no masses")
	}
	for _, masses := range [2][]float64{p, q} {
		for i, m := range masses {
			if !(m >= 0) || math.IsInf(m, 0) {
				return fmt.Errorf("mass %d is %v, want a finite number of at least 0", i, m)
			}
		}
	}
	if a, b := floats.Sum(p), floats.Sum(q); !(math.Abs(a-b) <= massTolerance*max(a, b)) {
		return fmt.Errorf("total masses %v and %v differ", a, b)
	}
	return nil
}

// massTolerance is the relative difference between masses that counts as rounding.
const massTolerance = 1e-9
