package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestTOSTProportions_EqualsStatsmodels(t *testing.T) {
	options := map[string][]Option{
		"score": {ScoreVariance}, "farrington": {Correction(false)}, "caffo": {AgrestiCaffoVariance},
		"wald": {WaldVariance},
	}
	binomialFixtures(t, func(t *testing.T, fixture binomialFixture) {
		for _, c := range fixture.Differences {
			for _, v := range c.TOST {
				what := fmt.Sprint(v.Method, " of ", c.K1, "/", c.N1, " and ", c.K2, "/", c.N2, " in ", v.Low, " to ",
					v.High)
				r := TOSTProportions(c.K1, c.N1, c.K2, c.N2, v.Low, v.High, options[v.Method]...)
				closeToOrLost(t, what+": P", r.P, float64(v.P), 1e-9)
				closeToOrLost(t, what+": above low", r.AboveLow.P, float64(v.Above), 1e-9)
				closeToOrLost(t, what+": below high", r.BelowHigh.P, float64(v.Below), 1e-9)
				if v.Above != v.Below {
					closeToOrLost(t, what+": statistic", r.Statistic, float64(v.Statistic), 1e-9)
				}
				if v.Lo != nil {
					// Our interval is limited to [−1, 1], the reference's is not.
					lo, hi := max(-1, *v.Lo), min(1, *v.Hi)
					proportionCheck(t, what, r.Effect, lo, hi, 1e-15)
				}
			}
		}
	})
}

func TestTOST_AgreesWithInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := rapid.Float64Range(-.9, -.01).Draw(t, "low"), rapid.Float64Range(.01, .9).Draw(t, "high")
		x, y := ttestDraw(t, "x"), ttestDraw(t, "y")
		paired := min(len(x), len(y))
		n1, n2 := rapid.IntRange(1, 300).Draw(t, "n1"), rapid.IntRange(1, 300).Draw(t, "n2")
		k1, k2 := rapid.IntRange(0, n1).Draw(t, "k1"), rapid.IntRange(0, n2).Draw(t, "k2")
		for _, r := range []TOSTResult{
			TOSTPaired(x[:paired], y[:paired], low, high), TOSTWelch(x, y, low, high),
			TOSTProportions(k1, n1, k2, n2, low, high),
			TOSTProportions(k1, n1, k2, n2, low, high, AgrestiCaffoVariance),
			TOSTProportions(k1, n1, k2, n2, low, high, WaldVariance),
		} {
			margin := min(r.Effect.Lo-low, high-r.Effect.Hi)
			if math.Abs(margin) > 1e-9 && r.Equivalent(.05) != (margin > 0) {
				t.Errorf("%s: P %v, interval %v to %v, margins %v to %v", r.Test, r.P, r.Effect.Lo, r.Effect.Hi, low,
					high)
			}
			if math.Abs(r.Effect.Level-.9) > 1e-15 || r.P != max(r.AboveLow.P, r.BelowHigh.P) {
				t.Errorf("%s: level %v, P %v of %v and %v", r.Test, r.Effect.Level, r.P, r.AboveLow.P, r.BelowHigh.P)
			}
		}
		for _, v := range []RiskDifferenceVariance{ScoreVariance, AgrestiCaffoVariance, WaldVariance} {
			r, swapped := TOSTProportions(k1, n1, k2, n2, low, high, v), TOSTProportions(k2, n2, k1, n1, -high, -low, v)
			closeToOrLost(t, "swapped", swapped.P, r.P, 1e-7)
			closeToOrLost(t, "swapped one-sided", swapped.AboveLow.P, r.BelowHigh.P, 1e-7)
		}
	})
}

func TestTOST_SizeAtMargin(t *testing.T) {
	const runs = 4000
	for _, c := range []struct {
		name   string
		lo, hi float64 // limits for the size at α = .05
		p      func(*rand.Rand) float64
	}{
		{"paired", .04, .06, func(s *rand.Rand) float64 {
			return TOSTPaired(normals(s, 30, 2), normals(s, 30, 0), -2, 2).P
		}},
		{"Welch", .04, .06, func(s *rand.Rand) float64 {
			return TOSTWelch(normals(s, 25, -2), normals(s, 40, 0), -2, 2).P
		}},
		{"score", .04, .06, func(s *rand.Rand) float64 {
			return TOSTProportions(binomialDraw(s, 300, .5), 300, binomialDraw(s, 250, .3), 250, -.2, .2).P
		}},
		{"Agresti and Caffo", .04, .06, func(s *rand.Rand) float64 {
			return TOSTProportions(binomialDraw(s, 300, .5), 300, binomialDraw(s, 250, .3), 250, -.2, .2,
				AgrestiCaffoVariance).P
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			stream := rand.New(rand.NewPCG(3, 4))
			count := 0.
			for range runs {
				if c.p(stream) <= .05 {
					count++
				}
			}
			if size := count / runs; size < c.lo || size > c.hi {
				t.Errorf("size %v", size)
			}
		})
	}
}

// equivalenceSize returns the exact probability that a one-sided test of the margin p₁ − p₂ rejects at level .05. Each
// sample has n trials.
func equivalenceSize(n int, p1, p2 float64, variance RiskDifferenceVariance) (size float64) {
	second := binomialMasses(n, p2)
	for k1, first := range binomialMasses(n, p1) {
		for k2 := range second {
			mass := first * second[k2]
			if mass > 1e-9 && TOSTProportions(k1, n, k2, n, -.5, p1-p2, variance).BelowHigh.P <= .05 {
				size += mass
			}
		}
	}
	return size
}

func TestScoreVariance_SizeNearZero(t *testing.T) {
	for _, c := range []struct {
		variance RiskDifferenceVariance
		lo, hi   float64
	}{{ScoreVariance, .04, .05}, {AgrestiCaffoVariance, .06, .065}, {WaldVariance, .07, .08}} {
		if size := equivalenceSize(50, .12, .02, c.variance); size < c.lo || size > c.hi {
			t.Errorf("size %v with variance %v", size, c.variance)
		}
	}
}

func TestTOST_Degenerate(t *testing.T) {
	nan := math.NaN()
	x, same := []float64{1, 2, 3}, []float64{1, 2, 3}
	for _, c := range []struct {
		name    string
		r       TOSTResult
		p       float64
		warning Warning
	}{
		{"no pairs", TOSTPaired(nil, nil, -1, 1), nan, WarnEmpty},
		{"NaN", TOSTWelch(x, []float64{1, nan}, -1, 1), nan, WarnNaN},
		{"margins", TOSTPaired(x, []float64{1, 2, 4}, 1, -1), nan, WarnBadParameter},
		{"margin NaN", TOSTPaired(x, []float64{1, 2, 4}, nan, 1), nan, WarnBadParameter},
		{"margin infinite", TOSTWelch(x, same, -1, math.Inf(1)), nan, WarnBadParameter},
		{"no difference", TOSTPaired(x, same, -1, 1), 0, WarnNoVariance | WarnAllTied},
		{"no difference, outside", TOSTPaired(x, same, 1, 2), 1, WarnNoVariance | WarnAllTied},
		{"no difference, on the margin", TOSTPaired(x, same, 0, 2), .5, WarnNoVariance | WarnAllTied},
		{"no trials", TOSTProportions(0, 0, 1, 2, -.1, .1), nan, WarnEmpty},
		{"too many successes", TOSTProportions(3, 2, 1, 2, -.1, .1), nan, WarnBadParameter},
		{"margin of one", TOSTProportions(1, 2, 1, 2, -1, .1), nan, WarnBadParameter},
		{"Wald without variance", TOSTProportions(0, 9, 0, 9, -.1, .1, WaldVariance), 0, WarnNoVariance},
		{"Wald on the margin", TOSTProportions(0, 9, 0, 9, -.1, 0, WaldVariance), .5, WarnNoVariance},
		{"score without successes", TOSTProportions(0, 40, 0, 40, -.1, .1), .018086940160055909, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			closeToOrLost(t, "P", c.r.P, c.p, 1e-6)
			if c.r.Warnings != c.warning || c.r.Equivalent(.05) != (c.p <= .05) {
				t.Errorf("warnings %q, want %q; equivalent %v", c.r.Warnings, c.warning, c.r.Equivalent(.05))
			}
		})
	}
	if r := TOSTPaired(x, []float64{1, 2, 4}, -9, 9, Level(.5)); r.Warnings != WarnBadParameter || math.IsNaN(r.P) ||
		!math.IsNaN(r.Effect.Lo) {
		t.Errorf("level ½: %+v", r)
	}
}
