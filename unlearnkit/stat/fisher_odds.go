package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// fisherConditional returns the conditional odds ratio of a table without empty margins: the ψ under which E(X) is the
// observed a when
//
//	P(X = k) ∝ C(row1, k) C(row2, column−k) ψ^k,
//
// with the exact interval whose limits solve P(X ≥ a) = tail and P(X ≤ a) = tail. ok is false if an iteration did not
// converge. The interval is missing when the level is outside (0, 1).
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
		// The variance is small far from the root, where a full step would overshoot.
		step := max(-1, min(1, (float64(a)-m.mean)/m.variance))
		logOdds += step
		if math.Abs(step) < 1e-10*(1+math.Abs(logOdds)) { // the next step would be its square
			return logOdds, true
		}
	}
	return logOdds, false
}

// fisherLimit returns the logarithm of the odds ratio at which P(X ≥ a) = tail, −Inf when a is the least count
// possible.
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
			// The step went so far that float64 no longer sees the tail.
			step /= 2
			logOdds += step
			continue
		}
		step = math.Log(m.tail/tail) / (m.tailMean - m.mean)
		logOdds -= step
		if math.Abs(step) < 1e-10*(1+math.Abs(logOdds)) { // the next step would be its square
			return logOdds, true
		}
	}
	return logOdds, false
}

// fisherStart returns the log odds ratio with ½ added to each cell.
func fisherStart(t [2][2]int) float64 {
	return math.Log(float64(t[0][0])+.5) +
		math.Log(float64(t[1][1])+.5) - math.Log(float64(t[0][1])+.5) - math.Log(float64(t[1][0])+.5)
}

// fisherMoments returns the mean and variance of X, and of X given X ≥ from.
type fisherMoments struct {
	mean, variance float64
	tail           float64 // P(X ≥ from)
	tailMean       float64 // E(X | X ≥ from)
}

// moments sums over the counts around the mode whose weight is not negligible.
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
