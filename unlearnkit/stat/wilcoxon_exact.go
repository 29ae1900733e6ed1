package stat

// exact returns the p-value over all assignments of signs to the ranks. ok is false if the computation would take too
// long.
func (w *signedRanks) exact(s settings) (p float64, ok bool) {
	ranks := s.scratch.intsOf(len(w.keys))
	unit := w.doubledRanks(ranks)
	low := int(min(w.plus, w.minus)) / unit
	if low >= rankExactCells || float64(low)*float64(len(ranks)) > rankExactBudget {
		return 0, false
	}
	mass := s.scratch.floatsOf(low + 1)
	signFlipMass(mass, ranks)
	atMost := 0.
	for _, m := range mass {
		atMost += m
	}
	return rankTailP(atMost, mass[low], w.minus < w.plus, s.alternative), true
}

// doubledRanks stores in ranks the ranks of the sorted differences times 2, divided by their greatest common divisor.
// It returns the divisor.
func (w *signedRanks) doubledRanks(ranks []int) (unit int) {
	for lo := 0; lo < len(ranks); {
		hi := lo
		for ; hi < len(ranks) && w.keys[hi]>>1 == w.keys[lo]>>1; hi++ {
		}
		doubled := 2*w.offset + lo + 1 + hi
		for i := lo; i < hi; i++ {
			ranks[i] = doubled
		}
		unit = rankDivisor(unit, doubled)
		lo = hi
	}
	for i := range ranks {
		ranks[i] /= unit
	}
	return unit
}

// signFlipMass stores in mass[j] the probability that the ranks in a random subset have the sum j. The subset contains
// each rank with probability ½.
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
