package stat

import (
	"math"
	"slices"
)

// Bonferroni stores in dst the Bonferroni-adjusted p-values min(1, m pᵢ) of a family of m hypotheses, in the order of
// p, and returns dst. A hypothesis is rejected at α if its adjusted value is at most α, see [Reject].
//
// A NaN in p remains NaN and is not counted in m, as in R's p.adjust. A value outside [0, 1] becomes NaN and is not
// counted either. If dst is nil, it is allocated. dst may be p. Bonferroni panics with "stat: slice length mismatch" if
// dst has another length. The only option is a [*Scratch]. With a dst and a Scratch, repeated calls allocate nothing.
// The same rules apply to the other adjustments.
func Bonferroni(dst, p []float64, _ ...Option) []float64 {
	dst = multipleDst(dst, p)
	m := 0.
	for _, e := range p {
		if isProbability(e) {
			m++
		}
	}
	for i, e := range p {
		if dst[i] = math.NaN(); isProbability(e) {
			dst[i] = min(1, m*e)
		}
	}
	return dst
}

// Holm stores the p-values adjusted by Holm's (1979) step-down method,
//
//	p̃₍ᵢ₎ = max_{j≤i} min(1, (m−j+1) p₍ⱼ₎),
//
// which controls the family-wise error rate under any dependence. See [Bonferroni] for dst, NaN and options.
func Holm(dst, p []float64, opts ...Option) []float64 {
	dst, order := multipleStart(dst, p, opts)
	highest := 0.
	for i, at := range order {
		highest = max(highest, min(1, float64(len(order)-i)*p[at]))
		dst[at] = highest
	}
	return dst
}

// Hochberg stores the p-values adjusted by Hochberg's (1988) step-up method,
//
//	p̃₍ᵢ₎ = min_{j≥i} (m−j+1) p₍ⱼ₎,
//
// which controls the family-wise error rate of independent and some positively dependent tests. See [Bonferroni] for
// dst, NaN and options.
func Hochberg(dst, p []float64, opts ...Option) []float64 {
	dst, order := multipleStart(dst, p, opts)
	return multipleStepUp(dst, p, order, func(rank int) float64 { return float64(len(order) - rank + 1) })
}

// BenjaminiHochberg stores the p-values adjusted by Benjamini and Hochberg's (1995) step-up method,
//
//	p̃₍ᵢ₎ = min_{j≥i} (m/j) p₍ⱼ₎,
//
// which controls the false discovery rate of independent and positively dependent tests. See [Bonferroni] for dst, NaN
// and options.
func BenjaminiHochberg(dst, p []float64, opts ...Option) []float64 {
	dst, order := multipleStart(dst, p, opts)
	return multipleStepUp(dst, p, order, func(rank int) float64 { return float64(len(order)) / float64(rank) })
}

// BenjaminiYekutieli stores the p-values adjusted by Benjamini and Yekutieli's (2001) step-up method,
//
//	p̃₍ᵢ₎ = min(1, min_{j≥i} (m/j) p₍ⱼ₎ Σ_{k≤m} 1/k),
//
// which controls the false discovery rate under any dependence. See [Bonferroni] for dst, NaN and options.
func BenjaminiYekutieli(dst, p []float64, opts ...Option) []float64 {
	dst, order := multipleStart(dst, p, opts)
	harmonic := 0.
	for k := range order {
		harmonic += 1 / float64(k+1)
	}
	return multipleStepUp(dst, p, order, func(rank int) float64 {
		return harmonic * float64(len(order)) / float64(rank)
	})
}

// Reject stores in dst which hypotheses are rejected at level alpha, and returns dst. A hypothesis is rejected if its
// adjusted p-value is at most alpha, and never if it is NaN. If dst is nil, it is allocated.
func Reject(dst []bool, adjusted []float64, alpha float64) []bool {
	if dst == nil {
		dst = make([]bool, len(adjusted))
	}
	mustMatch(len(dst), len(adjusted))
	for i, e := range adjusted {
		dst[i] = e <= alpha
	}
	return dst
}

// multipleStart returns dst, in which invalid p-values are NaN, and the indices of the valid p-values in ascending
// order.
func multipleStart(dst, p []float64, opts []Option) (out []float64, order []int) {
	out = multipleDst(dst, p)
	s := resolve(opts, false)
	order = s.scratch.intsOf(len(p))[:0]
	for i, e := range p {
		if isProbability(e) {
			order = append(order, i)
		} else {
			out[i] = math.NaN()
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		switch { // faster than cmp.Compare, which also checks for NaN
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return 0
	})
	return out, order
}

// multipleStepUp stores the running minimum of factor(rank)·p, starting at the largest p-value, whose rank is
// len(order).
func multipleStepUp(dst, p []float64, order []int, factor func(rank int) float64) []float64 {
	lowest := 1.
	for i, at := range slices.Backward(order) {
		lowest = min(lowest, factor(i+1)*p[at])
		dst[at] = lowest
	}
	return dst
}

// multipleDst returns dst, or a new slice as long as p if dst is nil.
func multipleDst(dst, p []float64) []float64 {
	if dst == nil {
		return make([]float64, len(p))
	}
	mustMatch(len(dst), len(p))
	return dst
}
