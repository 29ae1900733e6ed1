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

// Of studies with so many repetitions, four of five decide: the smallest n with which scipy's noncentral t
// (stats.nct(n-1, d√n)) exceeds t.isf(.025/tests, n-1) with probability .8, where d is the distance in standard
// deviations. statsmodels' TTestPower gives the same.
func TestNeeds_NoncentralT(t *testing.T) {
	values := []float64{-1.5, -.5, -.25, .25, .5, 1.5} // the mean is 0
	deviation := math.Sqrt(variance(values))
	for _, want := range []struct {
		away  float64
		tests int
		needs int
	}{
		{1, 7, 17}, {.5, 1, 34}, {.3, 20, 171}, {.2, 1, 199}, {.1, 1, 787}, {.05, 3, MostNeeded + 1},
		{0, 1, MostNeeded + 1},
	} {
		samples := make([]Sample, len(values))
		for i, value := range values {
			samples[i] = Sample{Values: []float64{want.away*deviation + value}, Units: []int{0}}
		}
		panel := &Panel{}
		panel.Add("a", Repeated(worlds, people, samples))
		claims := make([]Claim, want.tests)
		for i := range claims {
			claims[i].Of = MoreThan(0, Mean("a"))
		}
		j := JudgeClaims("", "", len(values), panel, claims)[0]
		if j.Verdict != Unresolved || j.Needs != want.needs {
			t.Errorf("%v deviations, %d tests: %s, needs %d, want %d", want.away, want.tests, j.Verdict, j.Needs, want.needs)
		}
		if reason := "the compared values hardly differ here"; (j.Because == reason) != (want.needs > Affordable) {
			t.Errorf("%v deviations, %d tests: %q", want.away, want.tests, j.Because)
		}
	}
}

// Units that all repetitions share, such as noises, vary however many repetitions there are.
func TestNeeds_Crossed(t *testing.T) {
	random := seed.Stream(2, "needs")
	shared := make([]float64, 8)
	for i := range shared {
		shared[i] = random.NormFloat64()
	}
	samples := make([]Sample, 5)
	for i := range samples {
		for unit, value := range shared {
			samples[i].Values = append(samples[i].Values, .1+value+.1*random.NormFloat64())
			samples[i].Units = append(samples[i].Units, unit)
		}
	}
	for _, family := range []Family{{Name: "noises", Crossed: true}, {Name: "noises"}} {
		panel := &Panel{}
		panel.Add("a", Repeated(worlds, family, samples))
		j := JudgeClaims("", "", len(samples), panel, []Claim{{Of: MoreThan(.3, Mean("a"))}})[0]
		if never := j.Needs == MostNeeded+1; family.Crossed && !never || never && j.Because != "the effect equals the bound" {
			t.Errorf("%+v: %s, needs %d: %s", family, j.Verdict, j.Needs, j.Because)
		}
	}
}
