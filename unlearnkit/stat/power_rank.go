package stat

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
)

// Efficiency is the asymptotic relative efficiency of a rank test to the t test, an [Option] of [PowerWilcoxon] and [PowerMannWhitney]: 3/π (the default) for
// normal data, 1 for uniform, π²/9 for logistic, 3/2 for Laplace, and never below 0.864 (Hodges and Lehmann 1956).
type Efficiency float64

func (Efficiency) option() {}

// PowerWilcoxon returns the approximate power of Wilcoxon's signed-rank test of n differences whose mean is dz standard deviations from zero: that of the t test with
// n·[Efficiency] differences. [PowerSimulated] gives the power for any distribution. The other options, and when it is NaN, are those of [PowerTTestPaired].
func PowerWilcoxon(n int, dz float64, opts ...Option) float64 {
	s, efficiency := powerRankSettings(opts)
	return s.powerT(efficiency*float64(n), dz)
}

// PowerMannWhitney returns the approximate power of Mann and Whitney's test of two samples of n and m values whose means differ by d standard deviations: that of the
// t test with the sizes multiplied by [Efficiency].
func PowerMannWhitney(n, m int, d float64, opts ...Option) float64 {
	s, efficiency := powerRankSettings(opts)
	return s.powerTInd(efficiency*float64(n), efficiency*float64(m), d)
}

// SampleSizeWilcoxon returns the smallest number of pairs with which [PowerWilcoxon] is at least the given power. Its special cases are those of
// [SampleSizeTTestPaired].
func SampleSizeWilcoxon(power, dz float64, opts ...Option) (int, Warning) {
	return powerSearch(power, 2, func(n int) float64 { return PowerWilcoxon(n, dz, opts...) })
}

// SampleSizeMannWhitney returns the smallest size of each of two equal samples with which [PowerMannWhitney] is at least the given power.
func SampleSizeMannWhitney(power, d float64, opts ...Option) (int, Warning) {
	return powerSearch(power, 2, func(n int) float64 { return PowerMannWhitney(n, n, d, opts...) })
}

func powerRankSettings(opts []Option) (s settings, efficiency float64) {
	efficiency = 3 / math.Pi
	for _, o := range opts {
		if e, ok := o.(Efficiency); ok {
			efficiency = float64(e)
		}
	}
	return resolve(opts, false), efficiency
}

// PowerSimulated returns the power of any test by simulation: the share of trials that reject, with Wilson's interval at the given [Level]. A trial draws data
// from r, tests them, and reports whether the null hypothesis is rejected; it is called [Resamples] times from several goroutines at once. The
// result depends on [Seed] alone. It is NaN without trials.
func PowerSimulated(trial func(r *rand.Rand) bool, opts ...Option) Effect {
	s := resolve(opts, false)
	e := bare("power", math.NaN())
	e.Level = s.level
	if s.resamples < 1 {
		return e
	}
	rejected := make([]bool, s.resamples)
	bootParallel((s.resamples+bootChunk-1)/bootChunk, func() func(chunk int) {
		var stream bootStream
		r := rand.New(&stream.pcg)
		return func(chunk int) {
			stream.reset(s.seed, chunk)
			for i := chunk * bootChunk; i < min((chunk+1)*bootChunk, s.resamples); i++ {
				rejected[i] = trial(r)
			}
		}
	})
	k, n := 0., float64(s.resamples)
	for _, r := range rejected {
		if r {
			k++
		}
	}
	e.Value = k / n
	if s.validLevel() {
		z := mathext.NormalQuantile((1 - s.level) / 2)
		middle, reach := (k+z*z/2)/(n+z*z), math.Abs(z)*math.Sqrt(k*(n-k)/n+z*z/4)/(n+z*z)
		e.Lo, e.Hi = middle-reach, middle+reach
	}
	return e
}
