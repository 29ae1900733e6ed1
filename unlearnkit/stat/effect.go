package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// CohenDZ returns Cohen's d of paired values, which is the mean difference in units of the standard deviation of the
// differences,
//
//	d_z = mean(x − y) / s(x − y).
//
// It also returns the interval that inverts the noncentral t distribution. If the differences are normal, d_z·√n is
// noncentral t with n − 1 degrees of freedom and noncentrality δ_z·√n. The effect is positive if x tends to be larger.
// The only option is a [Level].
//
// Special cases are:
//
//	fewer than two pairs, or NaN     →  NaN, interval NaN
//	all differences are zero         →  NaN, interval NaN
//	all differences equal, not zero  →  ±Inf, interval NaN
//	len(x) != len(y)                 →  panic("stat: slice length mismatch")
func CohenDZ(x, y []float64, opts ...Option) Effect {
	d := differences(x, y, nil)
	m := momentsOf(d, momentScale(d))
	n := float64(len(d))
	return standardisedMean("Cohen's d_z", m.mean/math.Sqrt(m.variance()), math.Sqrt(n), n-1, 1, opts)
}

// CohenD returns Cohen's d of two independent samples, the difference of their means in units of the pooled standard
// deviation,
//
//	d = (mean(x) − mean(y)) / s,  s² = (SSx + SSy)/(n + m − 2),
//
// with the interval that inverts the noncentral t distribution of d·√(nm/(n+m)), exact for normal samples of equal
// variance. It is positive if x tends to be larger. The only option is a [Level].
//
// Special cases are:
//
//	a sample is empty, fewer than three values in all, or NaN  →  NaN, interval NaN
//	no variance within the samples                             →  ±Inf, or NaN if their values are equal; interval NaN
func CohenD(x, y []float64, opts ...Option) Effect {
	return cohenD("Cohen's d", x, y, func(float64) float64 { return 1 }, opts)
}

// HedgesG returns Hedges' g, [CohenD] without its bias (Hedges 1981, eq. 6e),
//
//	g = J·d,  J = Γ(ν/2) / (√(ν/2)·Γ((ν−1)/2)),  ν = n + m − 2.
//
// The interval is J times the interval of Cohen's d. With ν = 1 there is no unbiased estimate, and g is NaN.
func HedgesG(x, y []float64, opts ...Option) Effect {
	return cohenD("Hedges' g", x, y, hedgesJ, opts)
}

// hedgesJ returns the factor that removes the bias of d, given nu degrees of freedom.
func hedgesJ(nu float64) float64 {
	if !(nu > 1) {
		return math.NaN()
	}
	a, _ := math.Lgamma(nu / 2)
	b, _ := math.Lgamma((nu - 1) / 2)
	return vectorstate.Exp(a-b) / math.Sqrt(nu/2)
}

func cohenD(name string, x, y []float64, factor func(nu float64) float64, opts []Option) Effect {
	scale := max(momentScale(x), momentScale(y))
	mx, my := momentsOf(x, scale), momentsOf(y, scale)
	n, m := float64(len(x)), float64(len(y))
	nu := n + m - 2
	d := (mx.mean - my.mean) / math.Sqrt(pooledVariance(mx, my))
	return standardisedMean(name, d, math.Sqrt(n*m/(n+m)), nu, factor(nu), opts)
}

// standardisedMean returns the effect factor·d and its interval, where d·scale has a noncentral t distribution with nu
// degrees of freedom.
func standardisedMean(name string, d, scale, nu, factor float64, opts []Option) Effect {
	s := resolve(opts, false)
	e := bare(name, factor*d)
	e.Level = s.level
	if s.validLevel() {
		lo, hi := noncentralityInterval(d*scale, nu, s.level)
		e.Lo, e.Hi = factor*lo/scale, factor*hi/scale
	}
	return e
}
