package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// EMD1D returns the earth mover's distance between two distributions over positions 1, 2, …, n on a line,
//
//	Σ_i |P_i − Q_i|,
//
// where P and Q are the cumulated masses (Unlearning or Concealment, eq. 12, in one dimension). The example in the
// paper's appendix, [.2 .1 .7] to [.3 .4 .3], has the distance .5. The printed .7 is the cost of a plan that does not
// result in the second distribution.
//
// Special cases are:
//
//	total masses differ by more than rounding  →  error
//	a mass is negative, NaN or infinite        →  error
//	no masses, or different numbers of them    →  error
//
// If there is an error, the distance is NaN.
func EMD1D(p, q []float64) (float64, error) {
	if len(p) != len(q) {
		return math.NaN(), fmt.Errorf("EMD: %d and %d positions", len(p), len(q))
	}
	if err := sameMass(p, q); err != nil {
		return math.NaN(), fmt.Errorf("EMD: %w", err)
	}
	distance, ahead := 0.0, 0.0
	for i := range len(p) - 1 {
		ahead += p[i] - q[i]
		distance += math.Abs(ahead)
	}
	return distance, nil
}

// EMDOnLine returns the earth mover's distance between mass p_i at the positions u_i and mass q_j at the positions v_j
// of a line,
//
//	∫ |P(t) − Q(t)| dt,
//
// which is the first Wasserstein distance. Positions may be unsorted and may repeat. If p or q is nil, all its
// positions have the same mass, with sum 1.
//
// Special cases are the same as for [EMD1D], and
//
//	a position is NaN or infinite  →  error
func EMDOnLine(u, p, v, q []float64) (float64, error) {
	if p == nil {
		p = evenly(len(u))
	}
	if q == nil {
		q = evenly(len(v))
	}
	if len(u) != len(p) || len(v) != len(q) {
		return math.NaN(), fmt.Errorf("EMD: %d positions of %d masses to %d positions of %d masses", len(u), len(p),
			len(v), len(q))
	}
	if err := sameMass(p, q); err != nil {
		return math.NaN(), fmt.Errorf("EMD: %w", err)
	}
	type change struct{ at, mass float64 }
	changes := make([]change, 0, len(u)+len(v))
	for i, at := range u {
		changes = append(changes, change{at, p[i]})
	}
	for j, at := range v {
		changes = append(changes, change{at, -q[j]})
	}
	for _, c := range changes {
		if math.IsNaN(c.at) || math.IsInf(c.at, 0) {
			return math.NaN(), fmt.Errorf("EMD: a position is %v", c.at)
		}
	}
	// Masses at the same position are sorted, too, so that the given order cannot change the rounding.
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.mass, b.mass))
	})
	distance, ahead := 0.0, 0.0
	for i := range len(changes) - 1 {
		ahead += changes[i].mass
		distance += math.Abs(ahead) * (changes[i+1].at - changes[i].at)
	}
	return distance, nil
}

func evenly(n int) []float64 {
	masses := make([]float64, n)
	for i := range masses {
		masses[i] = 1 / float64(n)
	}
	return masses
}
