package stat

import "slices"

// permutationTolerance is the difference, as a share of Σ|values|, up to which sums count as equal. Rounding errors are
// much smaller.
const permutationTolerance = 1e-14

// permutationThreshold is the observed sum, and the tolerance within which other sums count as equal to it.
type permutationThreshold struct{ sum, tolerance float64 }

// permutationCount counts arrangements whose sum is at most, or at least, the observed sum.
type permutationCount struct{ atMost, atLeast, all uint64 }

// add counts one arrangement by its sum.
func (c *permutationCount) add(sum float64, t permutationThreshold) {
	c.all++
	if sum <= t.sum+t.tolerance {
		c.atMost++
	}
	if sum >= t.sum-t.tolerance {
		c.atLeast++
	}
}

// pairs counts the sums of each element of u with each element of v. It sorts both and counts len(u)·len(v)
// arrangements in len(u)+len(v) steps (Horowitz and Sahni 1974; for permutation tests, Pagano and Tritchler 1983).
func (c *permutationCount) pairs(u, v []float64, t permutationThreshold) {
	slices.Sort(u)
	slices.Sort(v)
	below, notAbove := len(v), len(v) // numbers of values in v below the lower limit, and not above the upper limit
	for _, e := range u {
		for below > 0 && e+v[below-1] >= t.sum-t.tolerance {
			below--
		}
		for notAbove > 0 && e+v[notAbove-1] > t.sum+t.tolerance {
			notAbove--
		}
		c.atMost += uint64(notAbove)
		c.atLeast += uint64(len(v) - below)
	}
	c.all += uint64(len(u)) * uint64(len(v))
}

// permutationFlips appends to dst the 2^len(v) sums of v under all choices of signs. Bit i of a sum's index is set if
// v[i] keeps its sign.
func permutationFlips(dst, v []float64) []float64 {
	start := len(dst)
	dst = append(dst, 0)
	for _, e := range v {
		for _, sum := range dst[start:] {
			dst = append(dst, sum+e)
		}
		kept := dst[start : start+(len(dst)-start)/2]
		for i := range kept {
			kept[i] -= e
		}
	}
	return dst
}

// permutationSubsets returns the sums of all subsets of v, grouped by the size of the subset.
func permutationSubsets(v []float64) [][]float64 {
	bySize := make([][]float64, len(v)+1)
	bySize[0] = []float64{0}
	for i, e := range v {
		for size := i; size >= 0; size-- {
			for _, sum := range bySize[size] {
				bySize[size+1] = append(bySize[size+1], sum+e)
			}
		}
	}
	return bySize
}

// allDivisions counts all samples of n1 values from pool, by combining subsets of two halves.
func (c *permutationCount) allDivisions(pool []float64, n1 int, t permutationThreshold) {
	half := len(pool) / 2
	low, high := permutationSubsets(pool[:half]), permutationSubsets(pool[half:])
	for size, sums := range low {
		if rest := n1 - size; rest >= 0 && rest < len(high) {
			c.pairs(sums, high[rest], t)
		}
	}
}

// fewDivisions counts the same samples one by one. It is for large pools from which few values, or all but few, are
// drawn.
func (c *permutationCount) fewDivisions(pool []float64, n1 int, sum float64, t permutationThreshold) {
	if n1 == 0 {
		c.add(sum, t)
		return
	}
	for i := range len(pool) - n1 + 1 {
		c.fewDivisions(pool[i+1:], n1-1, sum+pool[i], t)
	}
}

// permutationDivisions returns the binomial coefficient C(n, k).
func permutationDivisions(n, k int) float64 {
	c := 1.
	for i := range min(k, n-k) {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
}
