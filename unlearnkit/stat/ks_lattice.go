package stat

import "math"

// latticeP returns the exact two-sample p-value for sizes m ≥ n. ok is false if the computation would take too long.
func latticeP(d float64, m, n int, s settings) (p float64, ok bool) {
	divisor := rankDivisor(m, n)
	multiple := float64(m/divisor) * float64(n)
	steps := math.RoundToEven(d * multiple)
	switch {
	case steps <= 0:
		return 1, true
	case steps > multiple:
		return 0, true
	case m == n:
		return squarePathsP(n, int(steps), s.alternative), true
	case float64(m/divisor)*float64(n/divisor) >= math.MaxInt32:
		return 0, false
	case s.alternative == TwoSided && 2*steps/multiple*float64(m)*float64(n) > rankExactBudget,
		s.alternative != TwoSided && float64(m)*float64(n) > rankExactBudget:
		return 0, false
	}
	return bandP(m, n, divisor, int(steps), s), true
}

// squarePathsP returns the probability that a random path from (0, 0) to (n, n) reaches |x − y| ≥ h, or x − y ≥ h for
// one side, by the reflection principle:
//
//	P = 2 A₀(1 − A₁(1 − A₂(…))),  A_k = Π_{j<h} (n − kh − j)/(n + kh + j + 1)
//
// and A₀ alone for one side. In this factored form nothing cancels.
func squarePathsP(n, h int, a Alternative) float64 {
	factor := func(k int) float64 {
		product := 1.
		for j := k * h; j < (k+1)*h; j++ {
			product *= float64(n-j) / float64(n+j+1)
		}
		return product
	}
	if a != TwoSided {
		return factor(0)
	}
	p := 0.
	for k := n / h; k >= 0; k-- {
		p = factor(k) * (1 - p)
	}
	return min(2*p, 1)
}

// bandP returns the probability that a random path from (0, 0) to (m, n) reaches |x n − y m| ≥ steps·divisor, or x n −
// y m ≥ steps·divisor for one side. The share of the paths to (x, y) that have left the band is
//
//	P(x, y) = (x P(x−1, y) + y P(x, y−1))/(x + y)
//
// inside the band and 1 outside of it (Hodges 1958). Only positive numbers are added.
func bandP(m, n, divisor, steps int, s settings) float64 {
	mg, ng := m/divisor, n/divisor
	p := s.scratch.floatsOf(n + 1)
	for y := range p {
		p[y] = 1
	}
	for x := 0; x <= m; x++ {
		// The band is lo ≤ y < hi. Both limits grow with x, so that p[y] for y ≥ hi still has its initial value 1.
		lo, hi := 0, n+1
		if x*ng >= steps {
			lo = (x*ng-steps)/mg + 1
		}
		if s.alternative == TwoSided {
			hi = min(hi, (x*ng+steps+mg-1)/mg)
		}
		if x == 0 {
			clear(p[:hi])
			continue
		}
		below := 1. // multiplied by y below, so that it has no effect at y = 0
		for y := lo; y < hi; y++ {
			below = (float64(x)*p[y] + float64(y)*below) / float64(x+y)
			p[y] = below
		}
	}
	return min(p[n], 1)
}

// tieAwareP returns the exact p-value given the observed ties. A path can leave the band only at the end of a group of
// equal values, because only there the distribution functions are compared (Schröer and Trenkler 1995). steps is the
// statistic times n1·n2.
func tieAwareP(groups rankSumGroups, steps int, s settings) (p float64, ok bool) {
	n1, n2 := len(groups.xs), len(groups.ys)
	if float64(n1)*float64(n2) > rankExactBudget {
		return 0, false
	}
	if steps == 0 {
		return 1, true
	}
	ends := s.scratch.intsOf(n1 + n2 + 1)
	groups.markEnds(ends)
	column := s.scratch.floatsOf(n2 + 1)
	for x := range n1 + 1 {
		below := 0.
		for y := range column {
			difference := x*n2 - y*n1
			if s.alternative == Less || s.alternative == TwoSided && difference < 0 {
				difference = -difference
			}
			switch {
			case ends[x+y] == 1 && difference >= steps:
				below = 1
			case x+y == 0:
				below = 0
			case x == 0: // the first column has no values yet
			default:
				below = (float64(x)*column[y] + float64(y)*below) / float64(x+y)
			}
			column[y] = below
		}
	}
	return min(column[n2], 1), true
}

// markEnds sets ends[i] to 1 if the i smallest values of both samples together end a group of equal values, and to 0
// otherwise.
func (g rankSumGroups) markEnds(ends []int) {
	clear(ends)
	ends[0] = 1
	for {
		inX, inY := g.next()
		if inX+inY == 0 {
			return
		}
		ends[g.i+g.j] = 1
	}
}
