package audit

import (
	"fmt"
	"math"
)

// interval is the closed set of reals from lo to hi. It is empty if lo > hi. Every operation returns an enclosure: it
// contains the results for all values of the operands, including floating-point rounding errors.
type interval struct{ lo, hi float64 }

var nothing = interval{math.Inf(1), math.Inf(-1)}

func point(x float64) interval { return interval{x, x} }

// roundings is the amount by which an enclosure is widened, in units in the last place of an end, or of 1 for ends
// below 1. The enclosed functions take at most a dozen operations on numbers of about this size, and each operation has
// an error of at most one unit.
const roundings = 16

// outward widens x to include rounding errors of its ends.
func outward(x interval) interval {
	unit := func(v float64) float64 {
		v = max(1, math.Abs(v))
		return roundings * (math.Nextafter(v, math.Inf(1)) - v)
	}
	if x.empty() || math.IsInf(x.lo, 0) || math.IsInf(x.hi, 0) {
		return x
	}
	return interval{x.lo - unit(x.lo), x.hi + unit(x.hi)}
}

func (x interval) empty() bool                   { return x.lo > x.hi }
func (x interval) contains(v float64) bool       { return x.lo <= v && v <= x.hi }
func (x interval) meets(y interval) bool         { return !x.intersect(y).empty() }
func (x interval) intersect(y interval) interval { return interval{max(x.lo, y.lo), min(x.hi, y.hi)} }
func (x interval) hull(y interval) interval      { return interval{min(x.lo, y.lo), max(x.hi, y.hi)} }

func (x interval) add(y interval) interval { return outward(interval{x.lo + y.lo, x.hi + y.hi}) }
func (x interval) sub(y interval) interval { return outward(interval{x.lo - y.hi, x.hi - y.lo}) }

// abs encloses |v|.
func (x interval) abs() interval {
	if x.contains(0) {
		return interval{0, max(-x.lo, x.hi)}
	}
	return interval{min(math.Abs(x.lo), math.Abs(x.hi)), max(math.Abs(x.lo), math.Abs(x.hi))}
}

// corners encloses f over a box if f is monotone in each argument when the others are fixed. The extremes of f are then
// in corners of the box.
func corners(f func(v []float64) float64, box ...interval) interval {
	all, v := nothing, make([]float64, len(box))
	for corner := range 1 << len(box) {
		for i, side := range box {
			v[i] = side.lo
			if corner>>i&1 == 1 {
				v[i] = side.hi
			}
		}
		all = all.hull(point(f(v)))
	}
	return outward(all)
}

// text formats both ends with the given number of decimals. It rounds outwards, but ignores the tiny widening by
// [outward].
func (x interval) text(decimals int) string {
	scale, widening := math.Pow10(decimals), 1e-6
	return fmt.Sprintf("[%.*f, %.*f]", decimals, math.Floor(x.lo*scale+widening)/scale, decimals,
		math.Ceil(x.hi*scale-widening)/scale)
}
