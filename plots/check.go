package plots

import (
	"fmt"
	"math"
)

// finite refuses values that cannot be drawn; where names them in the error.
func finite(where string, values ...float64) error {
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: value %d is %v; leave out what is not a number", where, i+1, v)
		}
	}
	return nil
}

// filled refuses an empty list.
func filled(where string, n int) error {
	if n == 0 {
		return fmt.Errorf("%s: nothing to draw", where)
	}
	return nil
}

// matching refuses a list of any length but n.
func matching(where, what string, n, got int) error {
	if got != n {
		return fmt.Errorf("%s: %d of %s for %d values; give one for each", where, got, what, n)
	}
	return nil
}

// optional refuses a list that has some values but not one for each of n.
func optional(where, what string, n, got int) error {
	if got == 0 {
		return nil
	}
	return matching(where, what, n, got)
}

// ordered refuses an interval that does not run upwards.
func ordered(where string, lo, hi float64) error {
	if lo > hi {
		return fmt.Errorf("%s: interval from %g to %g; the lower end comes first", where, lo, hi)
	}
	return nil
}

// firstError returns the first error that is not nil.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
