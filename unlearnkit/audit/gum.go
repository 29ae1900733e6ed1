package audit

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// The functions below enclose the quantities of UnSLU-BENCH §2.3, see [metric.GUM], if the printed inputs vary within
// their rounding intervals.

// efficacy returns E for the accuracies of membership inference on the unlearned, the gold and the original model.
func efficacy(unlearned, gold, original float64) float64 {
	return metric.GUM(metric.GUMInput{MIAUnlearned: unlearned, MIAGold: gold, MIAOriginal: original},
		metric.GUMOnAccuracy).E
}

// efficacySpan encloses efficacy. E increases in each of the first two arguments up to u = g and decreases beyond. It
// increases in the third argument. Its smallest value is therefore in a corner of the box. Its largest value is 1 if u
// = g is possible, and otherwise also in a corner.
func efficacySpan(unlearned, gold, original interval) interval {
	e := corners(func(v []float64) float64 { return efficacy(v[0], v[1], v[2]) }, unlearned, gold, original)
	if peak := unlearned.intersect(gold); !peak.empty() && original.hi > peak.lo {
		e.hi = 1
	}
	return e.intersect(interval{0, 1})
}

// utilitySpan encloses the utility U = 1 − |gold − unlearned|.
func utilitySpan(gold, unlearned interval) interval {
	return point(1).sub(gold.sub(unlearned).abs())
}

// efficiency returns the efficiency T of a method that is speedup times faster than a retraining of the given seconds.
// T decreases with the seconds and increases with the speed-up.
func efficiency(seconds, speedup float64) float64 {
	return metric.GUM(metric.GUMInput{SecondsGold: seconds, SecondsUnlearned: seconds / speedup},
		metric.GUMOnAccuracy).T
}

func efficiencySpan(seconds, speedup interval) interval {
	return corners(func(v []float64) float64 { return efficiency(v[0], v[1]) }, seconds, speedup)
}

// gum returns the harmonic mean of utility, efficacy and efficiency (α = β = 1), or 0 if one of them is 0.
func gum(utility, efficacy, efficiency float64) float64 {
	if utility <= 0 || efficacy <= 0 || efficiency <= 0 {
		return 0
	}
	return 3 / (1/utility + 1/efficacy + 1/efficiency)
}

func gumSpan(utility, efficacy, efficiency interval) interval {
	return corners(func(v []float64) float64 { return gum(v[0], v[1], v[2]) }, utility, efficacy, efficiency)
}

// impliedEfficiency encloses the efficiency that a printed GUM implies, 1/T = 3/GUM − 1/U − 1/E, where U is the utility
// and E the efficacy. It returns an empty interval if no T in [0, 1] is possible.
func impliedEfficiency(printed, utility, efficacy interval) interval {
	t := interval{0, 1}
	if printed.lo > 0 {
		need := 3/printed.lo - 1/utility.hi - 1/efficacy.hi
		if need < 1 {
			return nothing
		}
		t.lo = 1 / need
	}
	if need := 3/printed.hi - 1/utility.lo - 1/efficacy.lo; need > 1 {
		t.hi = 1 / need
	}
	return outward(t).intersect(interval{0, 1})
}

// longest is the longest retraining time that the search considers, in seconds: about thirty years.
const longest = 1e9

// retraining encloses the retraining times in seconds for which a method with this speed-up has this efficiency.
func retraining(efficiency, speedup interval) interval {
	if efficiency.empty() {
		return nothing
	}
	return interval{secondsFor(efficiency.hi, speedup.lo) * (1 - 1e-12),
		secondsFor(efficiency.lo, speedup.hi) * (1 + 1e-12)}
}

// secondsFor solves efficiency(seconds, speedup) = wanted by bisection. The search limits are needed, because the
// solution is 0 or infinite at the ends of the efficiency's range, (0, 1 − 1/speedup).
func secondsFor(wanted, speedup float64) float64 {
	lo, hi := 1e-6, longest
	switch {
	case efficiency(lo, speedup) <= wanted:
		return lo
	case efficiency(hi, speedup) >= wanted:
		return hi
	}
	for hi/lo > 1+1e-13 {
		middle := math.Sqrt(lo * hi)
		if efficiency(middle, speedup) > wanted {
			lo = middle
		} else {
			hi = middle
		}
	}
	return math.Sqrt(lo * hi)
}
