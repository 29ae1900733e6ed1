package certify

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is the value of a quantity with its uncertainty.
type Estimate struct {
	Value  float64
	Lo, Hi float64 // 95 % interval
	Basis  Basis
	Each   []float64 // value of each repetition; empty if nothing is repeated

	// sampling is the observed spread. down and up are the spreads below and above the estimate. They also include the
	// uncertainty of means without observed variance.
	sampling, down, up spread
	sources            []source         // parts of the observed variance
	share              *share           // nil unless the quantity is a single share
	apart              *shareDifference // nil unless the quantity is a difference of shares
	correlation        bool             // the quantity is a correlation, see [Correlated]
}

// spread is a standard error with its degrees of freedom.
type spread struct{ deviation, freedom float64 }

// AtMost returns the p-value of the null hypothesis that the quantity is at most bound.
func (e Estimate) AtMost(bound float64) float64 {
	if e.correlation {
		return e.fisher().AtMost(math.Atanh(bound))
	}
	if e.share != nil {
		return e.share.at(bound).tail(bound - e.Value)
	}
	distance := bound - e.Value
	return max(e.apart.at(e.sampling, distance).tail(distance), e.apart.at(e.down, distance).tail(distance))
}

// AtLeast returns the p-value of the null hypothesis that the quantity is at least bound.
func (e Estimate) AtLeast(bound float64) float64 {
	if e.correlation {
		return e.fisher().AtLeast(math.Atanh(bound))
	}
	if e.share != nil {
		return e.share.at(bound).tail(e.Value - bound)
	}
	distance := bound - e.Value
	return max(e.apart.at(e.sampling, distance).tail(-distance), e.apart.at(e.up, distance).tail(-distance))
}

// TwoSided returns the p-value of the null hypothesis that the quantity equals size.
func (e Estimate) TwoSided(size float64) float64 {
	return min(1, 2*min(e.AtMost(size), e.AtLeast(size)))
}

// Agree returns the number of repetitions that are on the estimate's side of size, and the number of all repetitions.
func (e Estimate) Agree(size float64) (agree, of int) {
	for _, value := range e.Each {
		if value > size && e.Value > size || value < size && e.Value < size {
			agree++
		}
	}
	return agree, len(e.Each)
}

// rounding is the largest relative difference at which two numbers count as equal.
const rounding = 1e-13

// estimate returns the value with its interval. If the value is NaN, everything is NaN. If nothing is sampled,
// everything except the value is NaN.
func (l *linear) estimate() Estimate {
	nan := math.NaN()
	unknown := spread{nan, 0}
	e := Estimate{Value: l.value, Lo: nan, Hi: nan, sampling: unknown, down: unknown, up: unknown}
	all, most := l.sources(), l.mostFreedom()
	switch {
	case math.IsNaN(l.value):
	case !l.varies:
		certain := spread{0, 1}
		e.Lo, e.Hi, e.sampling, e.down, e.up = e.Value, e.Value, certain, certain, certain
	case len(all) > 0:
		if math.Abs(e.Value) < rounding*l.scale {
			e.Value = 0
		}
		e.sampling, e.sources = combine(all, rounding*l.scale).within(most), all
		if l.share != nil {
			e.sampling.freedom = min(most, l.satterthwaite(all, e.sampling))
		}
		e.down, e.up = e.sampling, e.sampling
		if len(l.lower) > 0 {
			e.down = combine(slices.Concat(all, l.lower), rounding*l.scale).within(most)
		}
		if len(l.upper) > 0 {
			e.up = combine(slices.Concat(all, l.upper), rounding*l.scale).within(most)
		}
		if l.share != nil {
			e.share = e.sampling.share(e.Value, l.share, most)
		}
		e.apart = l.apart
		e.Lo, e.Hi = e.interval(alpha)
	}
	e.Basis = l.basis(e.sampling.freedom)
	return e
}

// combine adds the variances of all sources. It chooses the degrees of freedom so that Student's 95 % interval has the
// root of the summed squared half-widths. A standard deviation up to least is a rounding error and counts as zero.
func combine(all []source, least float64) spread {
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
	for range 20 { // quantiles decrease with the degrees of freedom
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

// within limits the degrees of freedom to most.
func (s spread) within(most float64) spread { return spread{s.deviation, min(s.freedom, most)} }

// fisher returns a correlation on Fisher's scale. By the delta method its spread is divided by 1 - r².
func (e Estimate) fisher() Estimate {
	scaled := func(s spread) spread { return spread{s.deviation / (1 - e.Value*e.Value), s.freedom} }
	return Estimate{Value: math.Atanh(e.Value), sampling: scaled(e.sampling), down: scaled(e.down), up: scaled(e.up)}
}

// interval returns the interval with coverage 1 - out, with probability out/2 on each side.
func (e *Estimate) interval(out float64) (lo, hi float64) {
	if e.correlation {
		z := e.fisher()
		lo, hi = z.interval(out)
		return math.Tanh(lo), math.Tanh(hi)
	}
	if e.share != nil {
		return e.share.interval(e.Value, out)
	}
	lower := max(e.apart.reach(e.sampling, out, -1), e.apart.reach(e.down, out, -1))
	upper := max(e.apart.reach(e.sampling, out, 1), e.apart.reach(e.up, out, 1))
	return e.Value - lower, e.Value + upper
}

// half returns the half-width of the interval with coverage 1 - out.
func (s spread) half(out float64) float64 {
	if s.deviation > 0 {
		return s.deviation * quantile(1-out/2, s.freedom)
	}
	return s.deviation
}

// tail returns the lower-tail probability of a distance under Student's distribution, but at least leastP/2.
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

// normalFrom is the number of degrees of freedom from which the normal distribution replaces Student's, with an error
// of 1e-6. At higher degrees of freedom the quantiles of Student's distribution are inaccurate.
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

// variance returns the unbiased variance around the mean, or 0 for one value.
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
