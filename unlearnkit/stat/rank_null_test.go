package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPValues_UniformUnderNull draws samples for which the null hypothesis holds. Tests with a continuous or
// nearly continuous statistic must reject as often as promised, within 4 standard deviations; the discrete exact ones
// must not reject more often.
func TestPValues_UniformUnderNull(t *testing.T) {
	const samples = 4000
	normal := func(rng *rand.Rand, n int, coarse bool) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
			if coarse {
				x[i] = math.Round(2 * x[i])
			}
		}
		return x
	}
	uniform := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	for _, c := range []struct {
		name     string
		discrete bool
		p        func(rng *rand.Rand) float64
	}{
		{"wilcoxon, 120 pairs", false, func(rng *rand.Rand) float64 {
			return Wilcoxon(normal(rng, 120, false), normal(rng, 120, false)).P
		}},
		{"wilcoxon, 120 coarse pairs", false, func(rng *rand.Rand) float64 {
			return Wilcoxon(normal(rng, 120, true), normal(rng, 120, true)).P
		}},
		{"wilcoxon, 20 coarse pairs, exact", true, func(rng *rand.Rand) float64 {
			return Wilcoxon(normal(rng, 20, true), normal(rng, 20, true), Exact).P
		}},
		{"wilcoxon, 9 pairs, greater", true, func(rng *rand.Rand) float64 {
			return Wilcoxon(normal(rng, 9, false), normal(rng, 9, false), Greater).P
		}},
		{"mann-whitney, 80 and 50", false, func(rng *rand.Rand) float64 {
			return MannWhitney(normal(rng, 80, false), normal(rng, 50, false)).P
		}},
		{"mann-whitney, coarse, less", false, func(rng *rand.Rand) float64 {
			return MannWhitney(normal(rng, 80, true), normal(rng, 50, true), Less).P
		}},
		{"mann-whitney, 7 and 6, coarse, exact", true, func(rng *rand.Rand) float64 {
			return MannWhitney(normal(rng, 7, true), normal(rng, 6, true), Exact).P
		}},
		{"sign, 40 pairs", true, func(rng *rand.Rand) float64 {
			return Sign(normal(rng, 40, false), normal(rng, 40, false)).P
		}},
		{"ks, 60 and 41", true, func(rng *rand.Rand) float64 {
			return KS2(normal(rng, 60, false), normal(rng, 41, false)).P
		}},
		{"ks, coarse", true, func(rng *rand.Rand) float64 {
			return KS2(normal(rng, 25, true), normal(rng, 20, true)).P
		}},
		{"ks, coarse, tie-aware", true, func(rng *rand.Rand) float64 {
			return KS2(normal(rng, 25, true), normal(rng, 20, true), TieAware(true)).P
		}},
		{"one-sample ks, 30", false, func(rng *rand.Rand) float64 { return KS1(normal(rng, 30, false), uniform).P }},
		{"one-sample ks, 200, greater", false, func(rng *rand.Rand) float64 {
			return KS1(normal(rng, 200, false), uniform, Greater).P
		}},
		{"iman-davenport, 5 columns of 40", false, func(rng *rand.Rand) float64 {
			return Friedman([][]float64{normal(rng, 40, false), normal(rng, 40, false), normal(rng, 40, false),
				normal(rng, 40, false), normal(rng, 40, false)}).FP
		}},
		{"friedman, 3 columns of 5, exact", true, func(rng *rand.Rand) float64 {
			return Friedman([][]float64{normal(rng, 5, true), normal(rng, 5, true), normal(rng, 5, true)}, Exact).P
		}},
	} {
		rng := rand.New(rand.NewPCG(20, 24))
		for _, level := range []float64{.01, .05, .25} {
			rejected := 0
			for range samples {
				if c.p(rng) <= level {
					rejected++
				}
			}
			rate, deviation := float64(rejected)/samples, math.Sqrt(level*(1-level)/samples)
			if rate > level+4*deviation || !c.discrete && rate < level-4*deviation {
				t.Errorf("%s: rejects %.4f of the time at level %g", c.name, rate, level)
			}
		}
	}
}

// TestNemenyi_FamilyError counts tables in which two average ranks differ by more than the critical difference.
func TestNemenyi_FamilyError(t *testing.T) {
	const tables, k, n = 1000, 4, 30
	rng := rand.New(rand.NewPCG(5, 5))
	far := 0
	for range tables {
		columns := make([][]float64, k)
		for j := range columns {
			columns[j] = rankSmallSample(rng, n, false)
		}
		r := Nemenyi(columns, Level(.9))
		least, widest := 1., 0.
		for i := range k {
			for j := range i {
				least = min(least, r.Pairs[i][j])
				widest = max(widest, math.Abs(r.Friedman.AverageRanks[i]-r.Friedman.AverageRanks[j]))
			}
		}
		if (least < .1) != (widest > r.CriticalDifference) {
			t.Fatalf("smallest p %g, widest gap %g, critical difference %g", least, widest, r.CriticalDifference)
		}
		if least < .1 {
			far++
		}
	}
	if rate := float64(far) / tables; math.Abs(rate-.1) > 4*math.Sqrt(.1*.9/tables) {
		t.Errorf("a pair differs at level .1 in %.4f of the tables", rate)
	}
}
