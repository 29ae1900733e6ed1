package stat

import (
	"math"
	"slices"
)

// exact returns the p-value over all splits of the values into two samples. ok is false if the computation would take
// too long.
func (g rankSumGroups) exact(r MannWhitneyResult, s settings) (p float64, ok bool) {
	if r.Ties == 0 {
		return r.exactUntied(s)
	}
	return g.exactTied(r, s)
}

// exactUntied returns the exact p-value of samples without ties. The distribution then depends only on the sizes and is
// symmetric.
func (r *MannWhitneyResult) exactUntied(s settings) (p float64, ok bool) {
	small, large := min(r.N1, r.N2), max(r.N1, r.N2)
	low := min(r.U1, r.U2)
	if low >= rankExactCells || 2*low*float64(small) > rankExactBudget {
		return 0, false
	}
	mass := s.scratch.floatsOf(int(low) + 1)
	rankSumMass(mass, small, large)
	atMost := 0.
	for _, m := range mass {
		atMost += m
	}
	return rankTailP(atMost, mass[int(low)], r.U2 < r.U1, s.alternative), true
}

// rankSumMass stores in mass[u] the probability of U = u for samples without ties of sizes n and m. Its generating
// function is the Gaussian binomial coefficient
//
//	Π_{i=1..n} (1 − q^{m+i})/(1 − q^i) · i/(m+i)
//
// The factors are applied one by one. After factor i, the coefficients are the probabilities for the sizes i and m.
func rankSumMass(mass []float64, n, m int) {
	clear(mass)
	mass[0] = 1
	for i := 1; i <= n; i++ {
		for u := len(mass) - 1; u >= m+i; u-- {
			mass[u] -= mass[u-m-i]
		}
		for u := i; u < len(mass); u++ {
			mass[u] += mass[u-i]
		}
		scale := float64(i) / float64(m+i)
		for u := range mass {
			mass[u] *= scale
		}
	}
}

// exactTied returns the exact p-value of samples with ties. It counts splits by going through the groups of equal
// values.
func (g rankSumGroups) exactTied(r MannWhitneyResult, s settings) (p float64, ok bool) {
	small := min(r.N1, r.N2)
	low := int(2 * min(r.U1, r.U2))
	cells := (small + 1) * (low + 1)
	if cells >= rankExactCells || float64(cells)*float64(r.N) > rankExactBudget {
		return 0, false
	}
	upper := r.U2 < r.U1
	sizes := g.sizes(s.scratch.intsOf(r.N), upper == (r.N1 <= r.N2))
	counts := s.scratch.floatsOf(cells)
	rankSumCounts(counts, sizes, small, low)
	last := counts[small*(low+1):]
	splits, atMost := 1., 0.
	for i := 1; i <= small; i++ {
		splits *= float64(r.N-small+i) / float64(i)
	}
	if math.IsInf(splits, 1) {
		return 0, false
	}
	for _, c := range last {
		atMost += c
	}
	return rankTailP(atMost/splits, last[low]/splits, upper, s.alternative), true
}

// sizes stores the sizes of the groups of equal values in dst and returns the used part of dst. Groups are in ascending
// order of their values, or in descending order if descending is set.
func (g rankSumGroups) sizes(dst []int, descending bool) []int {
	dst = dst[:0]
	for {
		inX, inY := g.next()
		if inX+inY == 0 {
			break
		}
		dst = append(dst, inX+inY)
	}
	if descending {
		slices.Reverse(dst)
	}
	return dst
}

// rankSumCounts stores in counts[k(low+1)+u] the number of ways to choose k of the pooled values such that u/2 pairs
// consist of a chosen value and an earlier unchosen one, with equal pairs counting ½. Choosing j of t equal values,
// after k−j of the b values before them, adds j(2(b−k+j) + t−j) to u.
func rankSumCounts(counts []float64, sizes []int, small, low int) {
	clear(counts)
	counts[0] = 1
	row := low + 1
	before := 0
	for _, t := range sizes {
		for k := min(small, before+t); k >= 1; k-- {
			ways := 1.
			for j := 1; j <= min(t, k); j++ {
				ways *= float64(t-j+1) / float64(j)
				shift := j * (2*(before-k+j) + t - j)
				if k-j > before || shift > low {
					continue
				}
				to, from := counts[k*row+shift:(k+1)*row], counts[(k-j)*row:]
				for u := range to {
					to[u] += ways * from[u]
				}
			}
		}
		before += t
	}
}
