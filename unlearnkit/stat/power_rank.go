package stat

import (
	"math"
	"math/rand/v2"
)

// Efficiency is the asymptotic relative efficiency of a rank test compared with the t test. It is an [Option] of
// [PowerWilcoxon] and [PowerMannWhitney]. It is 3/π (the default) for normal data, 1 for uniform, π²/9 for logistic and
// 3/2 for Laplace data, and never below 0.864 (Hodges and Lehmann 1956).
type Efficiency float64

func (Efficiency) option() {}

// PowerWilcoxon returns the approximate power of Wilcoxon's signed-rank test of n differences whose mean is dz standard
// deviations from zero. It is the power of the t test with n·[Efficiency] differences. [PowerSimulated] returns the
// power for any distribution. The other options and the NaN cases are the same as for [PowerTTestPaired].
func PowerWilcoxon(n int, dz float64, opts ...Option) float64 {
	s := resolve(opts, false)
	return s.powerT(s.efficiency*float64(n), dz)
}

// PowerMannWhitney returns the approximate power of Mann and Whitney's test of two samples of n and m values whose
// means differ by d standard deviations. It is the power of the t test with both sizes multiplied by [Efficiency].
func PowerMannWhitney(n, m int, d float64, opts ...Option) float64 {
	s := resolve(opts, false)
	return s.powerTInd(s.efficiency*float64(n), s.efficiency*float64(m), d)
}

// SampleSizeWilcoxon returns the smallest number of pairs for which [PowerWilcoxon] is at least the given power.
// Special cases are the same as for [SampleSizeTTestPaired].
func SampleSizeWilcoxon(power, dz float64, opts ...Option) (int, Warning) {
	return powerSearch(power, 2, func(n int) float64 { return PowerWilcoxon(n, dz, opts...) })
}

// SampleSizeMannWhitney returns the smallest size of each of two equal samples for which [PowerMannWhitney] is at least
// the given power.
func SampleSizeMannWhitney(power, d float64, opts ...Option) (int, Warning) {
	return powerSearch(power, 2, func(n int) float64 { return PowerMannWhitney(n, n, d, opts...) })
}

// PowerSimulated returns the power of any test by simulation: the share of trials that reject, with Wilson's interval
// at the given [Level]. A trial draws data from r, tests them, and reports whether the null hypothesis is rejected. It
// is called [Resamples] times, from several goroutines at once. The result depends only on [Seed]. Without trials, it
// is NaN.
func PowerSimulated(trial func(r *rand.Rand) bool, opts ...Option) Effect {
	s := resolve(opts, false)
	e := bare("power", math.NaN())
	e.Level = s.level
	if s.resamples < 1 {
		return e
	}
	rejected := make([]bool, s.resamples)
	inChunks(s.resamples, func() func(chunk, from, to int) {
		var stream chunkStream
		r := rand.New(&stream.pcg)
		return func(chunk, from, to int) {
			stream.reset(s.seed, chunk)
			for i := from; i < to; i++ {
				rejected[i] = trial(r)
			}
		}
	})
	k := 0
	for _, r := range rejected {
		if r {
			k++
		}
	}
	e.Value = float64(k) / float64(s.resamples)
	if s.validLevel() {
		e.Lo, e.Hi = wilsonLimits(k, s.resamples, s.level)
	}
	return e
}
