package stat

// exactBudget bounds the additions of an exact null distribution, exactCells its length.
const (
	exactBudget = 4e9
	exactCells  = 1 << 26
)

// exact returns the p-value over all assignments of signs to the ranks; ok is false when that is too much work.
func (w *signedRanks) exact(s settings) (p float64, ok bool) {
	ranks := s.scratch.intsOf(len(w.keys))
	unit := w.doubledRanks(ranks)
	low := int(min(w.plus, w.minus)) / unit
	if low >= exactCells || float64(low)*float64(len(ranks)) > exactBudget {
		return 0, false
	}
	mass := s.scratch.floatsOf(low + 1)
	signFlipMass(mass, ranks)
	atMost := 0.
	for _, m := range mass {
		atMost += m
	}
	return oneTailP(atMost, mass[low], w.minus < w.plus, s.alternative), true
}

// oneTailP is the p-value of a statistic from one tail of its null distribution: the probability atMost of values at least as far
// out as its own on that side, and the probability at of its own value. upper says that the tail is the upper one. The two-sided
// p-value is twice the smaller of the two tails.
func oneTailP(atMost, at float64, upper bool, a Alternative) float64 {
	other := 1 - (atMost - at)
	switch {
	case a == TwoSided:
		return min(2*min(atMost, other), 1)
	case upper == (a == Greater):
		return min(atMost, 1)
	}
	return other
}

// doubledRanks fills ranks with twice the ranks of the sorted differences over their greatest common divisor, which it returns.
func (w *signedRanks) doubledRanks(ranks []int) (unit int) {
	for lo := 0; lo < len(ranks); {
		hi := lo
		for ; hi < len(ranks) && w.keys[hi]>>1 == w.keys[lo]>>1; hi++ {
		}
		doubled := 2*w.offset + lo + 1 + hi
		for i := lo; i < hi; i++ {
			ranks[i] = doubled
		}
		unit = greatestDivisor(unit, doubled)
		lo = hi
	}
	for i := range ranks {
		ranks[i] /= unit
	}
	return unit
}

// greatestDivisor returns the greatest common divisor of a and b, not both zero.
func greatestDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// signFlipMass stores in mass[j] the probability that the ranks of a random subset, each rank in it or not with probability ½, sum to j.
func signFlipMass(mass []float64, ranks []int) {
	clear(mass)
	mass[0] = 1
	top := 0
	for _, r := range ranks {
		top = min(top+r, len(mass)-1)
		for j := top; j >= r; j-- {
			mass[j] = .5 * (mass[j] + mass[j-r])
		}
		for j := range mass[:min(r, top+1)] {
			mass[j] *= .5
		}
	}
}
