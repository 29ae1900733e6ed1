package metric

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// RetrainRow is a printed row of a table, from which a retraining time is inferred. The times in its GUMInput are
// ignored.
type RetrainRow struct {
	GUMInput
	Speedup float64 // printed speed-up T_g/T_u
	Printed float64 // printed GUM
}

// At returns the row's GUM for a retraining time in seconds.
func (r RetrainRow) At(seconds float64, variant GUMVariant) GUMResult {
	in := r.GUMInput
	in.SecondsGold, in.SecondsUnlearned = seconds, seconds/r.Speedup
	return GUM(in, variant)
}

// RetrainFit is the result of inferring a retraining time from a column of printed GUMs.
type RetrainFit struct {
	Seconds     float64 // time that minimises MaxResidual
	MaxResidual float64 // largest |computed − printed| for this time
	Lo, Hi      float64 // range of times for which every row is within the tolerance; NaN if none exist
	Rows        int     // number of rows used; rows with a printed GUM of 0 are skipped
}

// Limits of the search in seconds. If a result equals a limit, the printed numbers do not bound the time on that side.
const (
	shortestRetrain = 1e-3
	longestRetrain  = 1e12
)

// FitRetrainTime finds the retraining time T_g that best explains the printed GUMs and speed-ups of a data set and
// model,
//
//	min over T_g of max over rows of |GUM(T_g, T_g/speed-up) − printed|,
//
// and the interval of T_g in which every row is within the tolerance. At a fixed speed-up GUM decreases as T_g grows.
// Therefore the largest positive residual falls and the largest negative residual rises, and all three times can be
// found by bisection.
//
// Special cases are:
//
//	no row with a printed GUM above 0  →  all NaN, Rows = 0
//	a row with NaN                     →  all NaN
func FitRetrainTime(rows []RetrainRow, variant GUMVariant, tolerance float64) RetrainFit {
	var used []RetrainRow
	for _, r := range rows {
		if !(r.Printed <= 0) {
			used = append(used, r)
		}
	}
	fit := RetrainFit{Seconds: math.NaN(), MaxResidual: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Rows: len(used)}
	// residuals returns the largest computed − printed and the largest printed − computed.
	residuals := func(seconds float64) (above, below float64) {
		above, below = math.Inf(-1), math.Inf(-1)
		for _, r := range used {
			d := r.At(seconds, variant).GUM - r.Printed
			above, below = math.Max(above, d), math.Max(below, -d)
		}
		return above, below
	}
	if above, _ := residuals(1); len(used) == 0 || math.IsNaN(above) {
		return fit
	}
	fit.Seconds = firstTime(func(t float64) bool { above, below := residuals(t); return above <= below })
	fit.MaxResidual = math.Max(residuals(fit.Seconds))
	lo := firstTime(func(t float64) bool { above, _ := residuals(t); return above <= tolerance })
	hi := firstTime(func(t float64) bool { _, below := residuals(t); return below > tolerance })
	if lo <= hi && fit.MaxResidual <= tolerance {
		fit.Lo, fit.Hi = lo, hi
	}
	return fit
}

// firstTime returns the smallest time at which a condition holds, or the longest time if the condition never holds.
// Once the condition holds, it must hold at all later times.
func firstTime(holds func(seconds float64) bool) float64 {
	lo, hi := math.Log(shortestRetrain), math.Log(longestRetrain)
	if holds(shortestRetrain) {
		return shortestRetrain
	}
	for range 60 {
		if middle := (lo + hi) / 2; holds(vectorstate.Exp(middle)) {
			hi = middle
		} else {
			lo = middle
		}
	}
	return vectorstate.Exp(hi)
}
