package certify

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is a quantity with what is known of it.
type Estimate struct {
	Value  float64
	Lo, Hi float64 // of 95 %
	Basis  Basis
	Each   []float64 // the value by each repetition alone; none where nothing is repeated

	// How far the truth may lie below the estimate, or above it: by what the outcomes show, and beside that by what
	// means that show no variance leave open.
	shown, down, up spread
	share           *share // nil of what is no mean of shares
	apart           *apart // nil of what is no difference of shares
}

// spread is a standard error with its degrees of freedom.
type spread struct{ deviation, freedom float64 }

// AtMost is the p-value against a quantity of at most bound.
func (e Estimate) AtMost(bound float64) float64 {
	if e.share != nil {
		return e.share.at(bound).tail(bound - e.Value)
	}
	distance := bound - e.Value
	return max(e.apart.at(e.shown, distance).tail(distance), e.apart.at(e.down, distance).tail(distance))
}

// AtLeast is the p-value against a quantity of at least bound.
func (e Estimate) AtLeast(bound float64) float64 {
	if e.share != nil {
		return e.share.at(bound).tail(e.Value - bound)
	}
	distance := bound - e.Value
	return max(e.apart.at(e.shown, distance).tail(-distance), e.apart.at(e.up, distance).tail(-distance))
}

// TwoSided is the p-value against a quantity of just that size.
func (e Estimate) TwoSided(size float64) float64 {
	return min(1, 2*min(e.AtMost(size), e.AtLeast(size)))
}

// Agree returns how many repetitions lie on the same side of a size as the estimate, and how many there are.
func (e Estimate) Agree(size float64) (agree, of int) {
	for _, value := range e.Each {
		if value > size && e.Value > size || value < size && e.Value < size {
			agree++
		}
	}
	return agree, len(e.Each)
}

// rounding is the part of their size within which numbers are equal.
const rounding = 1e-13

// estimate is NaN but for the value where nothing could have been otherwise, and all NaN where the value is.
func (l *linear) estimate() Estimate {
	nan := math.NaN()
	unknown := spread{nan, 0}
	e := Estimate{Value: l.value, Lo: nan, Hi: nan, shown: unknown, down: unknown, up: unknown}
	all, most := l.sources(), l.mostFreedom()
	switch {
	case math.IsNaN(l.value):
	case !l.varies:
		certain := spread{0, 1}
		e.Lo, e.Hi, e.shown, e.down, e.up = e.Value, e.Value, certain, certain, certain
	case len(all) > 0:
		if math.Abs(e.Value) < rounding*l.scale {
			e.Value = 0
		}
		e.shown = together(all, rounding*l.scale).within(most)
		if l.share != nil {
			e.shown.freedom = min(most, l.counted(all, e.shown))
		}
		e.down, e.up = e.shown, e.shown
		if len(l.lower) > 0 {
			e.down = together(slices.Concat(all, l.lower), rounding*l.scale).within(most)
		}
		if len(l.upper) > 0 {
			e.up = together(slices.Concat(all, l.upper), rounding*l.scale).within(most)
		}
		if l.share != nil {
			e.share = e.shown.share(e.Value, l.share, most)
		}
		e.apart = l.apart
		e.Lo, e.Hi = e.interval(alpha)
	}
	e.Basis = l.basis(e.shown.freedom)
	return e
}

// together is the sum of parts, with the degrees of freedom at which Student's interval of 95 % is as wide as the
// squared half-widths of the parts make it together. What is below the least is rounding.
func together(all []source, least float64) spread {
	v, squared, fewest, most := 0.0, 0.0, math.Inf(1), 0.0
	for _, s := range all {
		if v += s.variance; s.variance > 0 {
			t := quantile(1-alpha/2, s.freedom)
			squared += t * t * s.variance
			fewest, most = min(fewest, s.freedom), max(most, s.freedom)
		}
	}
	if !(v > least*least) {
		return spread{0, all[len(all)-1].freedom}
	}
	wanted := math.Sqrt(squared / v)
	for range 20 { // quantiles fall as the degrees of freedom grow
		if fewest == most {
			break
		}
		middle := math.Sqrt(fewest * most)
		if quantile(1-alpha/2, middle) > wanted {
			fewest = middle
		} else {
			most = middle
		}
	}
	return spread{math.Sqrt(v), math.Sqrt(fewest * most)}
}

// within returns the spread with no more than most degrees of freedom.
func (s spread) within(most float64) spread { return spread{s.deviation, min(s.freedom, most)} }

// interval leaves a part out, half of it on either side.
func (e *Estimate) interval(out float64) (lo, hi float64) {
	if e.share != nil {
		return e.share.interval(e.Value, out)
	}
	lower := max(e.apart.reach(e.shown, out, -1), e.apart.reach(e.down, out, -1))
	upper := max(e.apart.reach(e.shown, out, 1), e.apart.reach(e.up, out, 1))
	return e.Value - lower, e.Value + upper
}

// half is how far an interval goes to one side.
func (s spread) half(out float64) float64 {
	if s.deviation > 0 {
		return s.deviation * quantile(1-out/2, s.freedom)
	}
	return s.deviation
}

// tail is the chance of such a distance where there is none.
func (s spread) tail(distance float64) float64 {
	switch {
	case math.IsNaN(s.deviation + distance):
		return math.NaN()
	case s.deviation > 0:
		return max(leastP/2, distribution(distance/s.deviation, s.freedom))
	case distance == 0:
		return 0.5
	}
	return max(leastP/2, math.Copysign(0.5, distance)+0.5)
}

// normalFrom is from how many degrees of freedom on Student's distribution is taken for the normal one, 1e-6 away from
// it; of more its quantiles are not computed well.
const normalFrom = 1e6

func quantile(q, freedom float64) float64 {
	if freedom > normalFrom {
		return distuv.UnitNormal.Quantile(q)
	}
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(q)
}

func distribution(t, freedom float64) float64 {
	if freedom > normalFrom || math.IsInf(t, 0) {
		return distuv.UnitNormal.CDF(t)
	}
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.CDF(t)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// variance is about the mean, without bias; 0 for one value.
func variance(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	middle, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - middle) * (v - middle)
	}
	return sum / float64(len(values)-1)
}
