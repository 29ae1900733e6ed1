package stat

import (
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// summarise sets Distribution, Resamples, Undefined, Bias and SE from the resampled statistics.
func (r *BootstrapResult) summarise(values []float64) {
	defined := bootWithoutNaN(values)
	r.Resamples, r.Undefined = len(defined), len(values)-len(defined)
	if r.Undefined > 0 {
		r.Warnings |= WarnUndefinedResamples
	}
	if r.Resamples == 0 {
		return
	}
	slices.Sort(defined)
	r.Distribution = defined
	lo, hi := defined[0], defined[len(defined)-1]
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		r.Warnings |= WarnInf
		return
	}
	m := momentsOf(defined, 1)
	r.Bias = m.mean - r.Estimate
	if len(defined) > 1 {
		r.SE = math.Sqrt(m.variance())
	}
	if hi-lo <= bootRounding*r.magnitude() {
		r.Warnings |= WarnNoVariance
	}
}

// bootRounding is the relative difference up to which two statistics count as equal, because sums of the same numbers
// in different orders differ by rounding.
const bootRounding = 1e-14

// magnitude returns the largest absolute value of the distribution.
func (r *BootstrapResult) magnitude() float64 {
	return math.Max(math.Abs(r.Distribution[0]), math.Abs(r.Distribution[len(r.Distribution)-1]))
}

// read computes an interval from the distribution, for every kind except Studentised.
func (r *BootstrapResult) read(alternative Alternative) {
	if r.Resamples == 0 || r.Kind == BCa && r.Warnings.Has(WarnNoVariance) {
		return
	}
	lo := alternative.outside(r.Level)
	hi := 1 - lo
	if r.Kind == BCa {
		lo, hi = r.corrected(lo), r.corrected(hi)
		if math.IsNaN(lo) || math.IsNaN(hi) {
			r.Warnings |= WarnDegenerateResamples
			return
		}
	}
	r.Lo, r.Hi = bootQuantile(r.Distribution, lo), bootQuantile(r.Distribution, hi)
	if r.Kind == Basic {
		r.Lo, r.Hi = 2*r.Estimate-bootQuantile(r.Distribution, 1-lo), 2*r.Estimate-bootQuantile(r.Distribution, 1-hi)
	}
	r.bound(alternative)
}

// bound makes the interval infinite on the open side of a one-sided alternative.
func (r *BootstrapResult) bound(alternative Alternative) {
	if math.IsNaN(r.Lo) || math.IsNaN(r.Hi) {
		r.Lo, r.Hi = math.NaN(), math.NaN()
		r.Warnings |= WarnDegenerateResamples
		return
	}
	r.Lo, r.Hi = alternative.open(r.Lo, r.Hi)
}

// correctBias computes z₀. A resample that is a permutation of the data counts as a tie with the estimate, even if its
// sum was rounded differently. If there are few rows, many resamples are permutations.
func (r *BootstrapResult) correctBias() {
	if r.Resamples == 0 {
		return
	}
	rounding := bootRounding * r.magnitude()
	below, _ := slices.BinarySearch(r.Distribution, r.Estimate-rounding)
	upTo, _ := slices.BinarySearch(r.Distribution, math.Nextafter(r.Estimate+rounding, math.Inf(1)))
	r.BiasCorrection = -normalQuantile(float64(below+upTo) / float64(2*r.Resamples))
}

// bootAcceleration returns a by Efron and Tibshirani's eq. (15.36),
//
//	a = Σₛ Σᵢ Uᵢ³/nₛ³ / (6 (Σₛ Σᵢ Uᵢ²/nₛ²)^(3/2)),   Uᵢ = (nₛ − 1)(mean of stratum s − θ without i),
//
// which equals (14.15) if there is one stratum. It skips strata with one cluster, for which the jackknife is undefined.
func bootAcceleration(jackknife []float64, strata []int) float64 {
	cubes, squares := 0., 0.
	for s := range strata {
		start, end := bootSpan(strata, s)
		n := float64(end - start)
		if end-start < 2 {
			continue
		}
		mean := momentsOf(jackknife[start:end], 1).mean
		for _, v := range jackknife[start:end] {
			u := (n - 1) * (mean - v) / n
			cubes += u * u * u
			squares += u * u
		}
	}
	return cubes / (6 * vectorstate.Pow(squares, 1.5))
}

// corrected returns the BCa probability for a nominal probability p, eq. (14.10).
func (r *BootstrapResult) corrected(p float64) float64 {
	z := r.BiasCorrection - normalQuantile(p)
	return normalCDF(r.BiasCorrection + z/(1-r.Acceleration*z))
}

// studentise computes the bootstrap-t interval from the pivots.
func (r *BootstrapResult) studentise(pivots []float64, se float64, alternative Alternative) {
	resamples := len(pivots)
	if pivots = bootWithoutNaN(pivots); len(pivots) < resamples {
		r.Warnings |= WarnUndefinedResamples
	}
	if r.Warnings.Has(WarnNoVariance) || len(pivots) == 0 || !(se > 0) || math.IsInf(se, 1) {
		r.Warnings |= WarnDegenerateResamples
		return
	}
	slices.Sort(pivots)
	lo := alternative.outside(r.Level)
	hi := 1 - lo
	r.Lo, r.Hi = r.Estimate-bootQuantile(pivots, hi)*se, r.Estimate-bootQuantile(pivots, lo)*se
	r.bound(alternative)
}

// bootQuantile returns the p-quantile of sorted values, interpolated linearly at position p(n−1).
func bootQuantile(sorted []float64, p float64) float64 {
	position := p * float64(len(sorted)-1)
	i := int(position)
	if i >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	share := position - float64(i)
	if share == 0 || sorted[i] == sorted[i+1] {
		return sorted[i]
	}
	return (1-share)*sorted[i] + share*sorted[i+1]
}

// bootWithoutNaN moves the values that are not NaN to the front of x and returns them.
func bootWithoutNaN(x []float64) []float64 {
	return slices.DeleteFunc(x, math.IsNaN)
}
