package stat

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// binomialFixture holds expected results of tests on counts.
type binomialFixture struct {
	Binomial []struct {
		K, N        int
		Under       float64
		Alternative string
		P, Lo, Hi   number
	}
	McNemar []struct {
		B, C                    int
		Exact, Corrected, Plain struct{ Statistic, P number }
		MidP                    *number
	}
	Fisher []struct {
		Table                        [2][2]int
		Alternative                  string
		Odds, P, Conditional, Lo, Hi *number
		Roughly                      *number
	}
	Intervals []struct {
		K, N         int
		Level        float64
		Wilson, Beta [2]number
	}
	Paired []struct {
		Counts [4]int
		Lo, Hi number
	}
	Differences []struct {
		K1, N1, K2, N2 int
		Newcombe       [2]number
		TOST           []struct {
			Low, High                  float64
			Method                     string
			P, Statistic, Above, Below number
			Lo, Hi                     *number
		}
	}
}

// binomialFixtures calls f with the expected results of each tool.
func binomialFixtures(t *testing.T, f func(t *testing.T, fixture binomialFixture)) {
	for _, file := range []string{"binomial_scipy.json", "binomial_r.json"} {
		t.Run(file, func(t *testing.T) {
			var fixture binomialFixture
			readFixture(t, file, &fixture)
			f(t, fixture)
		})
	}
}

func TestBinomial_EqualsScipyAndR(t *testing.T) {
	binomialFixtures(t, func(t *testing.T, fixture binomialFixture) {
		for _, c := range fixture.Binomial {
			what := fmt.Sprintf("%d of %d under %v, %s", c.K, c.N, c.Under, c.Alternative)
			r := Binomial(c.K, c.N, c.Under, alternativeNamed[c.Alternative], Level(.9))
			closeToOrLost(t, what+": P", r.P, float64(c.P), 1e-9)
			proportionCheck(t, what, r.Effect, c.Lo, c.Hi, 2e-12) // 2e-12 is the tolerance of binomtest's root finder
			if r.Warnings != 0 {
				t.Errorf("%s: got %v, want 0", what, r.Warnings)
			}
		}
	})
}

// binomialChoose returns C(n, k) exactly.
func binomialChoose(n, k int) float64 {
	c, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(k))).Float64()
	return c
}

func TestBinomial_SumOverCounts(t *testing.T) {
	for n := 1; n <= 10; n++ {
		for _, p := range []float64{0, .1, .25, .5, .7, 1} {
			mass := make([]float64, n+1)
			for i := range mass {
				mass[i] = binomialChoose(n, i) * math.Pow(p, float64(i)) * math.Pow(1-p, float64(n-i))
			}
			for k := 0; k <= n; k++ {
				var less, greater, both float64
				for i, m := range mass {
					if i <= k {
						less += m
					}
					if i >= k {
						greater += m
					}
					if m <= mass[k]*(1+1e-7) {
						both += m
					}
				}
				what := fmt.Sprintf("%d of %d under %v", k, n, p)
				closeToOrLost(t, what+", less", Binomial(k, n, p, Less).P, less, 1e-12)
				closeToOrLost(t, what+", greater", Binomial(k, n, p, Greater).P, greater, 1e-12)
				closeToOrLost(t, what, Binomial(k, n, p).P, both, 1e-12)
			}
		}
	}
}

func TestBinomial_SwappedTails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		p := float64(rapid.IntRange(0, 64).Draw(t, "p")) / 64 // multiples of 1/64, so that 1−p is exact
		r, swapped := Binomial(k, n, p), Binomial(n-k, n, 1-p)
		closeToOrLost(t, "two-sided", swapped.P, r.P, 1e-10)
		closeToOrLost(t, "one-sided", Binomial(n-k, n, 1-p, Less).P, Binomial(k, n, p, Greater).P, 1e-10)
		closeToOrLost(t, "Lo", 1-swapped.Effect.Hi, r.Effect.Lo, 1e-9)
		if r.P < Binomial(k, n, p, Less).P && r.P < Binomial(k, n, p, Greater).P {
			t.Errorf("two-sided P %v is smaller than both tails", r.P)
		}
	})
}

// Tail probabilities stay accurate in large samples.
func TestBinomial_LargeSamples(t *testing.T) {
	for _, n := range []int{1000, 100_000, 10_000_000, 1_000_000_000} {
		k := n/2 - int(10*math.Sqrt(float64(n))) // P is then about 1e-89
		sum, term := 1., 1.
		for i := k; term > 1e-18; i-- {
			term *= float64(i) / float64(n-i+1)
			sum += term
		}
		closeToOrLost(t, fmt.Sprint("P of ", k, " in ", n), Binomial(k, n, .5, Less).P,
			sum*math.Exp(binomialLogMass(k, n, float64(n)/2, float64(n)/2)), 1e-12)
	}
}

func TestBinomial_Degenerate(t *testing.T) {
	for _, c := range []struct {
		k, n    int
		p, want float64
		warning Warning
	}{
		{0, 0, .5, math.NaN(), WarnEmpty},
		{-1, 3, .5, math.NaN(), WarnBadParameter},
		{4, 3, .5, math.NaN(), WarnBadParameter},
		{1, -3, .5, math.NaN(), WarnBadParameter},
		{1, 3, 1.5, math.NaN(), WarnBadParameter},
		{1, 3, math.NaN(), math.NaN(), WarnBadParameter},
		{0, 1, 0, 1, 0},
		{1, 1, 0, 0, 0},
		{1, 1, 1, 1, 0},
		{0, 1, 1, 0, 0},
		{500, 1000, 5e-324, 0, 0},
	} {
		r := Binomial(c.k, c.n, c.p)
		closeToOrLost(t, fmt.Sprint(c.k, " of ", c.n, " under ", c.p), r.P, c.want, 1e-15)
		if r.Warnings != c.warning {
			t.Errorf("%d of %d under %v: warnings %q, want %q", c.k, c.n, c.p, r.Warnings, c.warning)
		}
	}
}

// binomialDraw returns the number of successes in n random trials with probability p.
func binomialDraw(stream *rand.Rand, n int, p float64) int {
	k := 0
	for range n {
		if stream.Float64() < p {
			k++
		}
	}
	return k
}

func TestExactCounts_Conservative(t *testing.T) {
	for name, p := range map[string]func(*rand.Rand) float64{
		"Binomial":          func(s *rand.Rand) float64 { return Binomial(binomialDraw(s, 40, .3), 40, .3).P },
		"Binomial, greater": func(s *rand.Rand) float64 { return Binomial(binomialDraw(s, 40, .3), 40, .3, Greater).P },
		"McNemar": func(s *rand.Rand) float64 {
			n := binomialDraw(s, 60, .5)
			b := binomialDraw(s, n, .5)
			return McNemar(b, n-b).P
		},
		"Fisher": func(s *rand.Rand) float64 {
			a, c := binomialDraw(s, 20, .4), binomialDraw(s, 30, .4)
			return Fisher([2][2]int{{a, 20 - a}, {c, 30 - c}}).P
		},
	} {
		t.Run(name, func(t *testing.T) { ttestUniform(t, 4000, false, p) })
	}
}

func FuzzTestsOnCounts(f *testing.F) {
	f.Add(3, 10, 2, 7, .5, .95, -.1, .1)
	f.Add(0, 0, 0, 0, 0., 0., 0., 0.)
	f.Add(-1, 1<<20, 5, 1, 1., math.NaN(), -2., 2.)
	f.Fuzz(func(t *testing.T, a, b, c, d int, p, level, low, high float64) {
		const largest = 1 << 22 // larger sizes take long
		for _, n := range []*int{&a, &b, &c, &d} {
			*n %= largest
		}
		for _, alternative := range alternativeNamed {
			ttestSane(t, Binomial(a, b, p, alternative, Level(level)).Result)
			ttestSane(t, McNemar(a, b, alternative, Level(level)).Result)
			ttestSane(t, McNemar(a, b, alternative, MidP(true)).Result)
			ttestSane(t, McNemar(a, b, alternative, Asymptotic).Result)
			ttestSane(t, Fisher([2][2]int{{a, b}, {c, d}}, alternative, Level(level)).Result)
		}
		for _, variance := range []RiskDifferenceVariance{ScoreVariance, AgrestiCaffoVariance, WaldVariance} {
			ttestSane(t, TOSTProportions(a, b, c, d, low, high, variance, Level(level)).Result)
		}
		for _, e := range []Effect{Wilson(a, b, Level(level)), ClopperPearson(a, b, Level(level)),
			RiskDifference(a, b, c, d, Level(level)),
			RiskDifferencePaired(a, b, c, d, Level(level))} {
			if !math.IsNaN(e.Value) && !(e.Lo <= e.Hi && e.Lo-1e-9 <= e.Value && e.Value <= e.Hi+1e-9) {
				if level > 0 && level < 1 {
					t.Errorf("%+v", e)
				}
			}
		}
	})
}

func BenchmarkBinomial(b *testing.B) {
	for _, c := range []struct{ k, n int }{{10, 35}, {480, 1000}, {14624, 30468}, {480_000, 1_000_000}} {
		b.Run(fmt.Sprintf("n=%d", c.n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Binomial(c.k, c.n, .5)
			}
		})
	}
}
