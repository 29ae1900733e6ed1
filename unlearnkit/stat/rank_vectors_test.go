package stat

import (
	"fmt"
	"math"
	"testing"
)

// rankTolerance is the allowed relative difference from other programs.
const rankTolerance = 1e-9

func TestWilcoxon_EqualsScipyAndCoin(t *testing.T) {
	cases := rankFixture(t, "rank_scipy.json")["wilcoxon"]
	for i, c := range cases {
		r := Wilcoxon(c.X, c.Y, c.options()...)
		name := fmt.Sprintf("case %d (n=%d, %s, %s, %s)", i, len(c.X), c.Alternative, c.Method, c.ZeroMethod)
		closeTo(t, name+" statistic", r.Statistic, c.Statistic, 1e-14)
		closeTo(t, name+" p", r.P, c.P, rankTolerance)
		if c.Z != nil {
			want := *c.Z
			if r.Alternative == TwoSided {
				r.Z = -math.Abs(r.Z) // scipy returns a negative z
			}
			closeTo(t, name+" z", r.Z, want, rankTolerance)
		}
	}
	for i, c := range rankFixture(t, "rank_r.json")["wilcoxon"] {
		r := Wilcoxon(c.X, c.Y, c.options()...)
		closeTo(t, fmt.Sprintf("coin case %d (n=%d, %s, %s) p", i, len(c.X), c.Alternative, c.ZeroMethod), r.P, c.P,
			rankTolerance)
	}
}

func TestMannWhitney_EqualsScipyAndCoin(t *testing.T) {
	lists := rankFixture(t, "rank_scipy.json")
	for i, c := range append(lists["mannWhitney"], lists["mannWhitneyPermutation"]...) {
		r := MannWhitney(c.X, c.Y, c.options()...)
		name := fmt.Sprintf("case %d (%d+%d, %s, %s)", i, len(c.X), len(c.Y), c.Alternative, c.Method)
		closeTo(t, name+" statistic", r.Statistic, c.Statistic, 1e-14)
		closeTo(t, name+" p", r.P, c.P, rankTolerance)
	}
	for i, c := range rankFixture(t, "rank_r.json")["mannWhitney"] {
		r := MannWhitney(c.X, c.Y, c.options()...)
		closeTo(t, fmt.Sprintf("coin case %d (%d+%d, %s) p", i, len(c.X), len(c.Y), c.Alternative), r.P, c.P,
			rankTolerance)
	}
}

func TestRanks_EqualRWithoutTies(t *testing.T) {
	for i, c := range rankFixture(t, "rank_r.json")["untied"] {
		opts := append(c.options(), Exact)
		name := fmt.Sprintf("case %d (n=%d, %s)", i, len(c.X), c.Alternative)
		closeTo(t, name+" signed-rank p", Wilcoxon(c.X, c.Y, opts...).P, c.SignedRank, rankTolerance)
		closeTo(t, name+" rank-sum p", MannWhitney(c.X, c.Y, opts...).P, c.RankSum, rankTolerance)
	}
}

func TestSign_EqualsStatsmodelsAndR(t *testing.T) {
	lists := rankFixture(t, "rank_scipy.json")
	for i, c := range lists["sign"] {
		r := Sign(c.X, c.Y)
		closeTo(t, fmt.Sprintf("case %d statistic", i), r.Statistic, c.Statistic, 0)
		closeTo(t, fmt.Sprintf("case %d p", i), r.P, c.P, rankTolerance)
	}
	for _, c := range lists["fairCoin"] {
		closeTo(t, fmt.Sprintf("P(at most %d of %d)", c.K, c.N), fairCoinAtMost(c.K, c.N), c.P, rankTolerance)
	}
	for i, c := range rankFixture(t, "rank_r.json")["sign"] {
		x := make([]float64, c.Positive+c.Negative)
		for j := range x {
			x[j] = 1
			if j < c.Negative {
				x[j] = -1
			}
		}
		r := Sign(x, make([]float64, len(x)), c.options()...)
		closeTo(t, fmt.Sprintf("binom.test case %d", i), r.P, c.P, rankTolerance)
	}
}

func TestFriedman_EqualsScipyAndR(t *testing.T) {
	for i, c := range rankFixture(t, "rank_scipy.json")["friedman"] {
		r := Nemenyi(c.Columns)
		f := r.Friedman
		name := fmt.Sprintf("case %d (%d columns, %d rows)", i, len(c.Columns), f.N)
		closeTo(t, name+" statistic", f.Statistic, c.Statistic, 1e-12)
		closeTo(t, name+" p", f.P, c.P, rankTolerance)
		if f.N > 1 {
			closeTo(t, name+" F", f.ImanDavenport, c.ImanDavenport, rankTolerance)
			closeTo(t, name+" p of F", f.FP, c.FP, rankTolerance)
		}
		for j := range c.Columns {
			closeTo(t, name+" average rank", f.AverageRanks[j], c.AverageRanks[j], 1e-14)
			for l := range c.Columns {
				closeTo(t, name+" pair", r.Pairs[j][l], c.Nemenyi[j][l], rankTolerance)
			}
		}
	}
	for i, c := range rankFixture(t, "rank_r.json")["friedman"] {
		r := Friedman(c.Columns)
		closeTo(t, fmt.Sprintf("R case %d statistic", i), r.Statistic, c.Statistic, 1e-12)
		closeTo(t, fmt.Sprintf("R case %d p", i), r.P, c.P, rankTolerance)
	}
}

func TestNormalRange_EqualsScipyAndR(t *testing.T) {
	for _, c := range rankFixture(t, "rank_scipy.json")["normalRange"] {
		closeTo(t, fmt.Sprintf("NormalRangeSF(%g, %d)", c.Q, c.K), NormalRangeSF(c.Q, c.K), c.P, rankTolerance)
	}
	for _, c := range rankFixture(t, "rank_r.json")["normalRange"] {
		const ptukeyError = 5e-9 // error of R's own quadrature
		closeTo(t, fmt.Sprintf("NormalRangeSF(%g, %d) by R", c.Q, c.K), NormalRangeSF(c.Q, c.K), c.P, ptukeyError)
	}
	for _, c := range []struct {
		k    int
		want float64
	}{{2, 1.960}, {3, 2.344}, {4, 2.569}, {5, 2.728},
		{10, 3.164}} { // q.05 of Demšar 2006, table 5a, which has 2.343 for 3 columns
		got := normalRangeQuantile(.05, c.k) / math.Sqrt2
		if math.Abs(got-c.want) > 6e-4 {
			t.Errorf("q.05 for %d columns = %.4f, want %.3f", c.k, got, c.want)
		}
	}
}

func TestWilcoxon_ResidueSequences(t *testing.T) {
	var x, y []float64
	for i := 1; i <= 200; i++ {
		x = append(x, float64(1+37*i%101))
		y = append(y, float64(1+53*i%97))
	}
	r := Wilcoxon(x, y)
	if r.Zeros != 2 || r.Statistic != 9089 || r.Method != Asymptotic || !r.Warnings.Has(WarnTies|WarnZeros) {
		t.Errorf("zeros %d, statistic %g, method %v, warnings %v", r.Zeros, r.Statistic, r.Method, r.Warnings)
	}
	closeTo(t, "p", r.P, 0.34554592975842136, rankTolerance)
	closeTo(t, "corrected p", Wilcoxon(x, y, Correction(true)).P, 0.34586273630707787, rankTolerance)

	r = WilcoxonDifferences([]float64{.2, -.6, -.8, 1.1, 1.3, 1.4, -.7, 1.7})
	if r.Statistic != 9 || r.P != .25 || r.Method != Exact {
		t.Errorf("statistic %g, p %g, method %v", r.Statistic, r.P, r.Method)
	}
}
