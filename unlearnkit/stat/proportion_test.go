package stat

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// proportionCheck checks limits with a relative tolerance of 1e-9 or the given absolute tolerance.
func proportionCheck(t *testing.T, what string, e Effect, lo, hi number, absolute float64) {
	t.Helper()
	for _, limit := range []struct {
		name      string
		got, want float64
	}{{"Lo", e.Lo, float64(lo)}, {"Hi", e.Hi, float64(hi)}} {
		if !(math.Abs(limit.got-limit.want) <= 1e-9*math.Abs(limit.want)+absolute) {
			t.Errorf("%s: %s = %.17g, want %.17g", what, limit.name, limit.got, limit.want)
		}
	}
}

func TestProportions_EqualStatsmodelsAndR(t *testing.T) {
	binomialFixtures(t, func(t *testing.T, fixture binomialFixture) {
		for _, c := range fixture.Intervals {
			what := fmt.Sprint(c.K, " of ", c.N, " at ", c.Level)
			proportionCheck(t, "Wilson, "+what, Wilson(c.K, c.N, Level(c.Level)), c.Wilson[0], c.Wilson[1], 1e-15)
			proportionCheck(t, "ClopperPearson, "+what, ClopperPearson(c.K, c.N, Level(c.Level)), c.Beta[0], c.Beta[1],
				1e-15)
		}
		for _, c := range fixture.Differences {
			e := RiskDifference(c.K1, c.N1, c.K2, c.N2)
			proportionCheck(t, fmt.Sprint("RiskDifference, ", c.K1, c.N1, c.K2, c.N2), e, c.Newcombe[0], c.Newcombe[1],
				1e-15)
		}
		for _, c := range fixture.Paired {
			e := RiskDifferencePaired(c.Counts[0], c.Counts[1], c.Counts[2], c.Counts[3])
			proportionCheck(t, fmt.Sprint("RiskDifferencePaired, ", c.Counts), e, c.Lo, c.Hi, 1e-15)
		}
	})
}

func TestRiskDifferencePaired_Published(t *testing.T) {
	for _, c := range []struct {
		source         string
		counts         [4]int
		lo, hi, digits float64
	}{
		{"Newcombe (1998b), method 10", [4]int{36, 12, 2, 0}, .0569, .3404, 1e4},
		{"Fagerland, Lydersen and Laake (2014), airway hyper-responsiveness", [4]int{1, 1, 7, 12}, -.507, -.026, 1e3},
	} {
		e := RiskDifferencePaired(c.counts[0], c.counts[1], c.counts[2], c.counts[3])
		if math.Round(e.Lo*c.digits)/c.digits != c.lo || math.Round(e.Hi*c.digits)/c.digits != c.hi {
			t.Errorf("%s: %v to %v, published %v to %v", c.source, e.Lo, e.Hi, c.lo, c.hi)
		}
	}
}

func TestProportions_SolveEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		level := rapid.Float64Range(.01, .9999).Draw(t, "level")
		exact, score := ClopperPearson(k, n, Level(level)), Wilson(k, n, Level(level))
		if k > 0 {
			closeToOrLost(t, "P(X ≥ k) at Lo", Binomial(k, n, exact.Lo, Greater).P, (1-level)/2, 1e-9)
		}
		if k < n {
			closeToOrLost(t, "P(X ≤ k) at Hi", Binomial(k, n, exact.Hi, Less).P, (1-level)/2, 1e-9)
		}
		z := normalQuantile((1 - level) / 2)
		for _, p := range []float64{score.Lo, score.Hi} {
			if p > 0 && p < 1 {
				closeToOrLost(t, "score at limit", math.Abs(score.Value-p)*math.Sqrt(float64(n)/(p*(1-p))), z, 1e-7)
			}
		}
		swapped := Wilson(n-k, n, Level(level))
		if math.Abs(swapped.Lo+score.Hi-1) > 1e-14 {
			t.Errorf("failures' interval starts at %v, successes' ends at %v", swapped.Lo, score.Hi)
		}
		if one := ClopperPearson(k, n, Level((1+level)/2), Greater); one.Hi != 1 || math.Abs(one.Lo-exact.Lo) > 1e-12 {
			t.Errorf("one-sided interval %+v", one)
		}
	})
}

func TestRiskDifference_Swapped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.IntRange(0, 100)
		a, b, c, d := cell.Draw(t, "a"), cell.Draw(t, "b"), cell.Draw(t, "c"), 1+cell.Draw(t, "d")
		paired, swapped := RiskDifferencePaired(a, b, c, d), RiskDifferencePaired(a, c, b, d)
		if math.Abs(paired.Lo+swapped.Hi) > 1e-14 || math.Abs(paired.Hi+swapped.Lo) > 1e-14 {
			t.Errorf("paired %+v, swapped %+v", paired, swapped)
		}
		if !(paired.Lo <= paired.Value && paired.Value <= paired.Hi && paired.Lo >= -1-1e-12 && paired.Hi <= 1+1e-12) {
			t.Errorf("paired %+v", paired)
		}
		n := a + b + c + d
		two, turned := RiskDifference(a, n, d, n+b), RiskDifference(d, n+b, a, n)
		if math.Abs(two.Lo+turned.Hi) > 1e-14 || math.Abs(two.Hi+turned.Lo) > 1e-14 {
			t.Errorf("independent %+v, turned %+v", two, turned)
		}
	})
}

func TestProportions_ImpossibleCounts(t *testing.T) {
	for name, e := range map[string]Effect{
		"no trials":        Wilson(0, 0),
		"negative trials":  ClopperPearson(0, -1),
		"too many":         ClopperPearson(4, 3),
		"negative":         Wilson(-1, 3),
		"level":            Wilson(1, 3, Level(1)),
		"level, exact":     ClopperPearson(1, 3, Level(0)),
		"second sample":    RiskDifference(1, 3, 1, 0),
		"no pairs":         RiskDifferencePaired(0, 0, 0, 0),
		"negative pairs":   RiskDifferencePaired(5, -1, 1, 1),
		"level, two":       RiskDifference(1, 3, 1, 3, Level(math.NaN())),
		"level, one-sided": ClopperPearson(1, 3, Level(1.5), Less),
	} {
		if !math.IsNaN(e.Lo) || !math.IsNaN(e.Hi) {
			t.Errorf("%s: got %+v, want Lo NaN, Hi NaN", name, e)
		}
	}
}
