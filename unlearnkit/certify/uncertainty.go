package certify

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// uncertainty is how far an estimate may be from the truth.
type uncertainty struct {
	resampled float64 // variance of the replicates
	variance  float64 // of the estimate
	freedom   float64 // how many degrees of freedom the variance has
}

// uncertaintyOf takes the replicates of an estimate, and the variance of the estimate as the differences between worlds
// alone tell it.
//
// Drawing W worlds with replacement shows (W-1)/W of what they differ by (Davison and Hinkley, Bootstrap Methods and
// Their Application, 1997, §3.8), so a W-th of between is added. A variance between few worlds is itself uncertain:
// Student's distribution takes the place of the normal one, with the degrees of freedom of Satterthwaite (1946), where
// what the clusters within worlds add counts as known. One world alone says nothing of others: then everything is about
// that world.
func uncertaintyOf(replicates []float64, between float64, worlds int) uncertainty {
	u := uncertainty{resampled: variance(replicates), freedom: math.Inf(1)}
	u.variance = u.resampled + between/float64(worlds)
	if between > 0 {
		share := min(1, between/u.variance)
		u.freedom = float64(worlds-1) / (share * share)
	}
	return u
}

// normalFrom is from how many degrees of freedom on Student's distribution is taken for the normal one, 1e-6 away from
// it; of more its quantiles are not computed well.
const normalFrom = 1e6

// interval is the middle 95 % of the replicates, their distances from the estimate made as wide as the uncertainty is.
func (u uncertainty) interval(estimate float64, replicates []float64) (lo, hi float64) {
	lo, hi = middle95(replicates)
	if u.resampled == 0 {
		return lo, hi
	}
	wider := math.Sqrt(u.variance/u.resampled) * u.quantile(0.975) / distuv.UnitNormal.Quantile(0.975)
	return estimate - wider*(estimate-lo), estimate + wider*(hi-estimate)
}

// above is the chance of an estimate as high where the truth is zero.
func (u uncertainty) above(estimate float64) float64 {
	if estimate == 0 {
		return 0.5
	}
	t := -estimate / math.Sqrt(u.variance)
	if u.freedom > normalFrom || math.IsInf(t, 0) {
		return distuv.UnitNormal.CDF(t)
	}
	return distuv.StudentsT{Sigma: 1, Nu: u.freedom}.CDF(t)
}

func (u uncertainty) quantile(q float64) float64 {
	if u.freedom > normalFrom {
		return distuv.UnitNormal.Quantile(q)
	}
	return distuv.StudentsT{Sigma: 1, Nu: u.freedom}.Quantile(q)
}

// middle95 sorts values and returns the borders of their middle 95 %.
func middle95(values []float64) (lo, hi float64) {
	slices.Sort(values)
	at := func(q float64) float64 {
		place := q * float64(len(values)-1)
		below := int(place)
		if below+1 == len(values) {
			return values[below]
		}
		return values[below] + (place-float64(below))*(values[below+1]-values[below])
	}
	return at(0.025), at(0.975)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func minus(a, b []float64) []float64 {
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	return differences
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

// varianceOfMean is that of the mean of independent values.
func varianceOfMean(values []float64) float64 { return variance(values) / float64(len(values)) }
