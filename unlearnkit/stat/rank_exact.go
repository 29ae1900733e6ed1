package stat

// rankExactBudget limits the number of additions for an exact null distribution, and rankExactCells its length.
const (
	rankExactBudget = 4e9
	rankExactCells  = 1 << 26
)

// rankTailP returns the p-value of a statistic from one tail of its null distribution. atMost is the probability of the
// observed value and all values farther out on that side. at is the probability of the observed value. upper means that
// the tail is the upper one. The two-sided p-value is twice the smaller tail.
func rankTailP(atMost, at float64, upper bool, a Alternative) float64 {
	other := 1 - (atMost - at)
	switch {
	case a == TwoSided:
		return min(2*min(atMost, other), 1)
	case upper == (a == Greater):
		return min(atMost, 1)
	}
	return other
}

// rankDivisor returns the greatest common divisor of a and b. They must not both be zero.
func rankDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
