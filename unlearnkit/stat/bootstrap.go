package stat

import "math"

// IntervalKind selects how a bootstrap interval is computed from the resampled statistics. It is an [Option] of the
// bootstrap functions.
//
// With θ̂ the estimate, θ* the statistic of a resample, q(p) the quantiles of θ* (linear interpolation, Hyndman and
// Fan's type 7) and α = (1 − level)/2, the intervals are, in the notation of Efron and Tibshirani, "An Introduction to
// the Bootstrap" (1993):
//
//	BCa          [q(α₁), q(α₂)],  α₁,₂ = Φ(z₀ + (z₀ ± z_α)/(1 − a(z₀ ± z_α)))   eq. (14.9), (14.10)
//	Percentile   [q(α), q(1−α)]                                                eq. (13.5)
//	Basic        [2θ̂ − q(1−α), 2θ̂ − q(α)]
//	Studentised  [θ̂ − t(1−α)·se, θ̂ − t(α)·se],  t* = (θ* − θ̂)/se*              eq. (12.22)
//
// z₀ is the normal quantile of the share of resamples below the estimate, in which ties count half. a is computed by
// the jackknife over the resampled units, eq. (14.15), or with strata by eq. (15.36).
type IntervalKind uint8

const (
	BCa         IntervalKind = iota // bias-corrected and accelerated; the default, as in scipy.stats.bootstrap
	Percentile                      // quantiles of the resampled statistics
	Basic                           // the percentile interval reflected about the estimate
	Studentised                     // bootstrap-t; the inner standard error is from a [StandardError] or the jackknife
)

// String returns the kind's name on the command line.
func (k IntervalKind) String() string {
	switch k {
	case Percentile:
		return "percentile"
	case Basic:
		return "basic"
	case Studentised:
		return "studentised"
	}
	return "bca"
}

// Strata holds the label of each row's stratum. Every stratum is resampled separately and keeps its size.
type Strata []int

// Clusters holds the label of each row's cluster, such as its seed, world or identity. Whole clusters are drawn with
// replacement, because the rows of one cluster are not independent. A label that occurs in two strata denotes two
// clusters.
type Clusters []int

// Subclusters holds, for two levels of clusters, the label of each row within its cluster, such as the identity within
// a world. Clusters are drawn with replacement. From each drawn cluster, as many subclusters as it has are also drawn
// with replacement.
type Subclusters []int

// StandardError returns the standard error of the statistic for the given rows. [Bootstrap] uses it for [Studentised]
// intervals. It must follow the same rules as the statistic.
type StandardError func(rows []int) float64

func (IntervalKind) option()  {}
func (Strata) option()        {}
func (Clusters) option()      {}
func (Subclusters) option()   {}
func (StandardError) option() {}

// BootstrapResult is an estimate with its bootstrap interval.
type BootstrapResult struct {
	Estimate  float64      // statistic of the data
	Lo, Hi    float64      // limits of the interval; NaN if undefined, with the reason in Warnings
	Level     float64      // confidence level of the interval
	Kind      IntervalKind // how the interval was computed
	SE        float64      // standard deviation of the resampled statistics
	Bias      float64      // mean of the resampled statistics minus the estimate
	N         int          // number of rows
	Units     int          // number of resampled units: clusters, or rows without clusters
	Resamples int          // number of resamples that the interval is computed from
	Undefined int          // resamples left out because their statistic is NaN

	BiasCorrection float64 // z₀; NaN unless Kind is BCa
	Acceleration   float64 // a; NaN unless Kind is BCa

	Warnings Warning

	// Distribution holds the resampled statistics in ascending order.
	Distribution []float64 `json:"-"`
}

// Effect returns the estimate and its interval under the given name.
func (r BootstrapResult) Effect(name string) Effect {
	return Effect{Name: name, Value: r.Estimate, Lo: r.Lo, Hi: r.Hi, Level: r.Level}
}

// Bootstrap returns an interval for a statistic of n rows. It resamples the rows with replacement, [Resamples] times.
//
// The statistic receives the indices of the drawn rows, in [0, n) and with repetitions. It looks up the data of these
// rows: one column, paired columns, or whole records. Several goroutines call it at once. It may reorder the indices
// but must not retain the slice. The options are an [IntervalKind], [Strata], [Clusters], [Subclusters],
// [StandardError], [Level], [Resamples], [Seed], and an [Alternative]: Less gives the interval (−Inf, Hi], Greater [Lo,
// +Inf), each at the full level.
//
// BCa calls the statistic once more for each unit; Studentised without a StandardError calls it once for each unit of
// each resample. For means, proportions, differences and ratios of means use BootstrapMean and its variants, which are
// much faster.
//
// Special cases are:
//
//	n = 0                             →  Estimate and interval NaN with WarnEmpty; the statistic is not called
//	one unit                          →  interval NaN with WarnTooFew
//	the estimate is NaN or infinite   →  interval NaN with WarnNaN or WarnInf
//	all resamples give one value      →  WarnNoVariance; BCa and Studentised intervals NaN, the others that value
//	the estimate is outside of all resampled values   →  BCa interval NaN with WarnDegenerateResamples
//	the statistic of a resample is NaN                →  it is left out, with WarnUndefinedResamples
//	fewer than 10 units               →  WarnFewUnits
//	level outside (0, 1), no resamples                →  interval NaN with WarnBadParameter
//	labels of another length than n   →  panic("stat: slice length mismatch")
func Bootstrap(n int, statistic func(rows []int) float64, opts ...Option) BootstrapResult {
	s := bootResolve(opts)
	design := newBootDesign(n, s)
	return s.run(design, &bootFunction{statistic: statistic, standardError: s.standardError, design: design})
}

// bootSettings holds the resolved options of one bootstrap.
type bootSettings struct {
	settings
	kind                          IntervalKind
	strata, clusters, subclusters []int
	samples                       []int // label of each row's sample, if there are two
	standardError                 StandardError
}

func bootResolve(opts []Option) bootSettings {
	s := bootSettings{settings: resolve(opts, false)}
	for _, o := range opts {
		switch o := o.(type) {
		case IntervalKind:
			s.kind = o
		case Strata:
			s.strata = o
		case Clusters:
			s.clusters = o
		case Subclusters:
			s.subclusters = o
		case StandardError:
			s.standardError = o
		}
	}
	if s.clusters == nil {
		s.clusters, s.subclusters = s.subclusters, nil
	}
	return s
}

// bootStatistic computes a statistic of drawn units.
type bootStatistic interface {
	value(d *bootDraw) float64
	// leaveOneOut stores in dst[i] the statistic of the draw without its i-th cluster.
	leaveOneOut(dst []float64, d *bootDraw)
	// spread returns the standard error of the statistic. It uses jackknife, with one float per drawn cluster, as
	// memory.
	spread(d *bootDraw, jackknife []float64) float64
	// fresh returns a copy for another goroutine.
	fresh() bootStatistic
}

// run resamples the design and returns the interval.
func (s bootSettings) run(design *bootDesign, statistic bootStatistic) BootstrapResult {
	nan := math.NaN()
	r := BootstrapResult{
		Estimate: nan, Lo: nan, Hi: nan, Level: s.level, Kind: s.kind, SE: nan, Bias: nan,
		N: design.n, Units: design.size(), BiasCorrection: nan, Acceleration: nan,
	}
	if r.N == 0 {
		r.Warnings = WarnEmpty
		return r
	}
	data := design.everyUnitOnce()
	r.Estimate = statistic.value(data)
	if design.smallestSample() < 10 {
		r.Warnings |= WarnFewUnits
	}
	switch {
	case math.IsNaN(r.Estimate):
		r.Warnings |= WarnNaN
	case math.IsInf(r.Estimate, 0):
		r.Warnings |= WarnInf
	case !s.validLevel() || s.resamples < 1:
		r.Warnings |= WarnBadParameter
	case design.smallestSample() < 2:
		r.Warnings |= WarnTooFew
	default:
		values, pivots := s.resample(design, statistic, r.Estimate)
		r.summarise(values)
		switch s.kind {
		case BCa:
			r.correctBias()
			jackknife := make([]float64, r.Units)
			statistic.leaveOneOut(jackknife, data)
			r.Acceleration = bootAcceleration(jackknife, design.strata)
		case Studentised:
			r.studentise(pivots, statistic.spread(data, make([]float64, r.Units)), s.alternative)
			return r
		}
		r.read(s.alternative)
	}
	return r
}
