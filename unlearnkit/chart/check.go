package chart

import (
	"fmt"
	"math"
)

// finite returns an error if a value is NaN or infinite. where describes the values in the error.
func finite(where string, values ...float64) error {
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: value %d is %v; leave out values that are not numbers", where, i+1, v)
		}
	}
	return nil
}

// filled returns an error if a list is empty.
func filled(where string, n int) error {
	if n == 0 {
		return fmt.Errorf("%s: nothing to draw", where)
	}
	return nil
}

// matching returns an error if a list does not have n elements.
func matching(where, what string, n, got int) error {
	if got != n {
		return fmt.Errorf("%s: %d of %s for %d values; give one for each", where, got, what, n)
	}
	return nil
}

// optional returns an error if a list is not empty and does not have n elements.
func optional(where, what string, n, got int) error {
	if got == 0 {
		return nil
	}
	return matching(where, what, n, got)
}

// ordered returns an error if the lower end of an interval is above the upper end.
func ordered(where string, lo, hi float64) error {
	if lo > hi {
		return fmt.Errorf("%s: interval from %g to %g; the lower end comes first", where, lo, hi)
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
