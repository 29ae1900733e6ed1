package metric

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// RetrainRow is a printed row of a table from which a retraining time is inferred. The times of its GUMInput are not
// read.
type RetrainRow struct {
	GUMInput
	Speedup float64 // printed T_g/T_u
	Printed float64 // printed GUM
}

// At returns the row's GUM if retraining took the given number of seconds.
func (r RetrainRow) At(seconds float64, variant GUMVariant) GUMResult {
	in := r.GUMInput
	in.SecondsGold, in.SecondsUnlearned = seconds, seconds/r.Speedup
	return GUM(in, variant)
}

// RetrainFit is the retraining time that explains a column of printed GUMs.
type RetrainFit struct {
	Seconds     float64 // the time that minimises MaxResidual
	MaxResidual float64 // largest |computed − printed| at that time
	Lo, Hi      float64 // times at which every row is within the tolerance; both NaN when there is none
	Rows        int     // rows used: those with a printed GUM above 0
}

// The search is over these times in seconds; results at a bound mean that the printed numbers do not limit the time on
// that side.
const (
	shortestRetrain = 1e-3
	longestRetrain  = 1e12
)

// FitRetrainTime finds the one retraining time T_g of a (data set, model) pair that best explains its printed GUMs and
// speed-ups,
//
//	min over T_g of max over rows of |GUM(T_g, T_g/speed-up) − printed|,
//
// and the interval of T_g that leaves every row within tolerance. GUM falls as T_g grows at a fixed speed-up, so the
// largest positive residual falls, the largest negative one rises, and all three times are found by bisection.
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
	// residuals returns the largest of computed − printed and of printed − computed.
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

// firstTime returns the least time at which a condition holds that stays true from there on, the longest time if it
// never does.
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
