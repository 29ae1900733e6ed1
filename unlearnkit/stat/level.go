package stat

import "math"

func (s settings) validLevel() bool { return isConfidence(s.level) }

// isConfidence reports whether level is inside (0, 1).
func isConfidence(level float64) bool { return level > 0 && level < 1 }

// outside returns the probability outside each end of an interval with the given level. An interval has two ends, or
// one for a one-sided alternative.
func (a Alternative) outside(level float64) float64 {
	if a == TwoSided {
		return (1 - level) / 2
	}
	return 1 - level
}

// open returns the ends of an interval. For a one-sided alternative, it makes the end on the open side infinite.
func (a Alternative) open(lo, hi float64) (float64, float64) {
	switch a {
	case Less:
		lo = math.Inf(-1)
	case Greater:
		hi = math.Inf(1)
	}
	return lo, hi
}
