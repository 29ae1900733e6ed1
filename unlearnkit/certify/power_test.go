package certify

import (
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// With noncentrality away, scipy 1.17's noncentral t (stats.nct) exceeds t.isf(.025/tests, df) with probability .8.
func TestResolves_NoncentralT(t *testing.T) {
	for _, want := range []struct {
		freedom float64
		tests   int
		away    float64
	}{
		{2, 1, 5.653489}, {4, 1, 3.761060}, {4, 60, 11.180489}, {5, 7, 5.569786}, {6.3, 40, 6.840754},
		{30, 12, 3.981648},
	} {
		got := spread{.1, want.freedom}.resolves(want.tests)
		if math.Abs(got/.1-want.away) > 1e-3 {
			t.Errorf("%v degrees of freedom, %d tests: %v deviations, want %v", want.freedom, want.tests, got/.1,
				want.away)
		}
	}
	if got := (spread{0, 3}).resolves(5); got != 0 {
		t.Errorf("what is certain resolves %v", got)
	}
	if got := (spread{math.NaN(), 0}).resolves(5); !math.IsNaN(got) {
		t.Errorf("what nothing is known of resolves %v", got)
	}
	if got, normal := (spread{1, 1e9}).resolves(1), 1.959964+.841621; math.Abs(got-normal) > 1e-5 {
		t.Errorf("with many degrees of freedom %v, want %v", got, normal)
	}
}

// The true value of each simulated study is the smallest that the study resolves. Four of five studies must decide the
// claim.
func TestResolves_Power(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	const studies, repetitions, tests = 1500, 6, 7
	random := seed.Stream(1, "power")
	one := func(mean float64) Judged {
		samples := make([]Sample, repetitions)
		for i := range samples {
			samples[i] = Sample{Values: []float64{mean + random.NormFloat64()}, Units: []int{0}}
		}
		panel := &Panel{}
		panel.Add("a", Repeated(worlds, people, samples))
		claims := make([]Claim, tests)
		for i := range claims {
			claims[i].Of = MoreThan(0, Mean("a"))
		}
		return JudgeClaims("", "", repetitions, panel, claims)[0]
	}
	// The standard deviation is one. A study estimates it from a few repetitions, so the estimate is right only on
	// average.
	truth := spread{1 / math.Sqrt(repetitions), repetitions - 1}.resolves(tests)
	decided, said := 0, 0.0
	for range studies {
		j := one(truth)
		if j.Verdict == Holds {
			decided++
		}
		said += j.Resolves / studies
	}
	share := float64(decided) / studies
	if math.Abs(share-.8) > .04 || math.Abs(said/truth-1) > .07 {
		t.Errorf("%.3f of the studies decide; they say that they resolve %.3f on average, and %.3f is so", share, said,
			truth)
	}
}
