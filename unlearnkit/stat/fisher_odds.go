package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// fisherConditional returns the conditional odds ratio of a table without empty margins: the ψ for which E(X) equals
// the observed a under
//
//	P(X = k) ∝ C(row1, k) C(row2, column−k) ψ^k.
//
// It also returns the exact interval, whose limits solve P(X ≥ a) = tail and P(X ≤ a) = tail. ok is false if an
// iteration did not converge. The interval is missing if the level is outside (0, 1).
func fisherConditional(table [2][2]int, s settings) (e Effect, ok bool) {
	swapped := fisherSwapped(table)
	logOdds, ok := fisherEstimate(table)
	e = bare("odds ratio", vectorstate.Exp(logOdds))
	if !s.validLevel() {
		return e, ok
	}
	tail := s.alternative.outside(s.level)
	e.Lo, e.Hi, e.Level = 0, math.Inf(1), s.level
	if s.alternative != Less {
		limit, converged := fisherLimit(table, tail)
		e.Lo, ok = vectorstate.Exp(limit), ok && converged
	}
	if s.alternative != Greater {
		limit, converged := fisherLimit(swapped, tail)
		e.Hi, ok = vectorstate.Exp(-limit), ok && converged
	}
	return e, ok
}

// fisherEstimate returns the logarithm of the conditional maximum-likelihood odds ratio, by Newton's method on E(X) =
// a.
func fisherEstimate(t [2][2]int) (logOdds float64, ok bool) {
	h, a := fisherMargins(t), t[0][0]
	switch {
	case h.lo == h.hi:
		return math.NaN(), true
	case a == h.lo:
		return math.Inf(-1), true
	case a == h.hi:
		return math.Inf(1), true
	}
	logOdds = fisherStart(t)
	for range 100 {
		m := h.moments(logOdds, a)
		// Far from the root the variance is small and a full step would overshoot.
		step := max(-1, min(1, (float64(a)-m.mean)/m.variance))
		logOdds += step
		if math.Abs(step) < 1e-10*(1+math.Abs(logOdds)) { // the next step would be about the square of this one
			return logOdds, true
		}
	}
	return logOdds, false
}

// fisherLimit returns the logarithm of the odds ratio at which P(X ≥ a) = tail, or −Inf if a is the smallest possible
// count.
//
// P(X ≥ a) is log-concave in the log odds ratio, where its logarithm has the slope E(X | X ≥ a) − E(X), so that
// Newton's method converges.
func fisherLimit(t [2][2]int, tail float64) (logOdds float64, ok bool) {
	h, a := fisherMargins(t), t[0][0]
	if a == h.lo {
		return math.Inf(-1), true
	}
	logOdds = fisherStart(t)
	step := 0.
	for range 200 {
		m := h.moments(logOdds, a)
		if m.tail == 0 {
			// If the tail underflows, the step was too long.
			step /= 2
			logOdds += step
			continue
		}
		step = math.Log(m.tail/tail) / (m.tailMean - m.mean)
		logOdds -= step
		if math.Abs(step) < 1e-10*(1+math.Abs(logOdds)) { // the next step would be about the square of this one
			return logOdds, true
		}
	}
	return logOdds, false
}

// fisherStart returns the log odds ratio of the table with ½ added to each cell.
func fisherStart(t [2][2]int) float64 {
	return math.Log(float64(t[0][0])+.5) +
		math.Log(float64(t[1][1])+.5) - math.Log(float64(t[0][1])+.5) - math.Log(float64(t[1][0])+.5)
}

// fisherMoments holds the mean and variance of X, and the mean of X given X ≥ from.
type fisherMoments struct {
	mean, variance float64
	tail           float64 // P(X ≥ from)
	tailMean       float64 // E(X | X ≥ from)
}

// moments returns the moments for the given log odds ratio. It sums from the mode outwards and leaves out negligible
// weights.
func (h fisherHypergeometric) moments(logOdds float64, from int) fisherMoments {
	odds := vectorstate.Exp(logOdds)
	mode := h.mode(odds)
	var zeroth, first, second, tailZeroth, tailFirst float64
	add := func(k int, weight float64) {
		offset := float64(k - mode)
		moment := float64(weight * offset)
		zeroth += weight
		first += moment
		second += float64(moment * offset)
		if k >= from {
			tailZeroth += weight
			tailFirst += moment
		}
	}
	const negligible = 1e-60
	for k, weight := mode, 1.; ; k++ {
		add(k, weight)
		if k == h.hi || weight < negligible {
			break
		}
		weight *= odds * h.ratio(k)
	}
	for k, weight := mode, 1.; k > h.lo && weight > negligible; k-- {
		weight /= odds * h.ratio(k-1)
		add(k-1, weight)
	}
	offset := first / zeroth
	return fisherMoments{
		mean:     float64(mode) + offset,
		variance: second/zeroth - float64(offset*offset),
		tail:     tailZeroth / zeroth,
		tailMean: float64(mode) + tailFirst/tailZeroth,
	}
}
