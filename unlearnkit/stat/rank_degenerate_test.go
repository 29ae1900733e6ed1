package stat

import (
	"math"
	"strings"
	"testing"
)

var (
	rankNaN = math.NaN()
	rankInf = math.Inf(1)
)

func TestTwoSamples_Degenerate(t *testing.T) {
	wilcoxon := func(x, y []float64) Result { return Wilcoxon(x, y).Result }
	mannWhitney := func(x, y []float64) Result { return MannWhitney(x, y).Result }
	sign := func(x, y []float64) Result { return Sign(x, y).Result }
	ks2 := func(x, y []float64) Result { return KS2(x, y).Result }
	for _, c := range []struct {
		name     string
		test     func(x, y []float64) Result
		x, y     []float64
		p        float64
		warnings Warning
	}{
		{"wilcoxon of nothing", wilcoxon, nil, nil, rankNaN, WarnEmpty},
		{"wilcoxon of one pair", wilcoxon, []float64{2}, []float64{1}, 1, 0},
		{"wilcoxon of equal pairs", wilcoxon, []float64{2, 3}, []float64{2, 3}, 1, WarnAllTied | WarnZeros},
		{"wilcoxon with NaN", wilcoxon, []float64{2, rankNaN}, []float64{1, 1}, rankNaN, WarnNaN},
		{"wilcoxon with one infinity", wilcoxon, []float64{rankInf, 2}, []float64{1, 1}, .5, 0},
		{"wilcoxon of infinities apart", wilcoxon, []float64{rankInf, 2}, []float64{-rankInf, 1}, .5, 0},
		{"wilcoxon of equal infinities", wilcoxon, []float64{rankInf, 2}, []float64{rankInf, 1}, rankNaN, WarnInf},
		{"wilcoxon of ties and a zero", wilcoxon, []float64{1, 2, 0}, []float64{0, 1, 0}, .5, WarnTies | WarnZeros},
		{"mann-whitney of nothing", mannWhitney, nil, nil, rankNaN, WarnEmpty},
		{"mann-whitney against nothing", mannWhitney, []float64{1}, nil, rankNaN, WarnEmpty},
		{"mann-whitney of one and one", mannWhitney, []float64{1}, []float64{2}, 1, 0},
		{"mann-whitney of equal values", mannWhitney, []float64{1, 1}, []float64{1, 1, 1}, 1, WarnAllTied | WarnTies},
		{"mann-whitney of both zeros", mannWhitney, []float64{0}, []float64{math.Copysign(0, -1)}, 1,
			WarnAllTied | WarnTies},
		{"mann-whitney with NaN", mannWhitney, []float64{1}, []float64{rankNaN, 2}, rankNaN, WarnNaN},
		{"mann-whitney with infinities", mannWhitney, []float64{rankInf, -rankInf}, []float64{0}, 1, 0},
		{"sign of nothing", sign, nil, nil, rankNaN, WarnEmpty},
		{"sign of one pair", sign, []float64{2}, []float64{1}, 1, 0},
		{"sign of equal pairs", sign, []float64{2, 3}, []float64{2, 3}, 1, WarnAllTied | WarnZeros},
		{"sign with NaN", sign, []float64{rankNaN}, []float64{1}, rankNaN, WarnNaN},
		{"sign of equal infinities", sign, []float64{rankInf}, []float64{rankInf}, rankNaN, WarnInf},
		{"sign of infinities apart", sign, []float64{rankInf}, []float64{-rankInf}, 1, 0},
		{"ks of nothing", ks2, nil, nil, rankNaN, WarnEmpty},
		{"ks against nothing", ks2, nil, []float64{1}, rankNaN, WarnEmpty},
		{"ks of one and one", ks2, []float64{1}, []float64{2}, 1, 0},
		{"ks of equal samples", ks2, []float64{1, 2}, []float64{1, 2}, 1, WarnTies},
		{"ks with NaN", ks2, []float64{1}, []float64{rankNaN}, rankNaN, WarnNaN},
		{"ks with infinities", ks2, []float64{-rankInf, -rankInf}, []float64{rankInf, 3}, 1. / 3, WarnTies},
	} {
		r := c.test(c.x, c.y)
		if !(math.Abs(r.P-c.p) < 1e-14) && !(math.IsNaN(r.P) && math.IsNaN(c.p)) || r.Warnings != c.warnings {
			t.Errorf("%s: P = %g, warnings %q; want %g, %q", c.name, r.P, r.Warnings, c.p, c.warnings)
		}
		if r.Method == Auto || r.Test == "" {
			t.Errorf("%s: method %v, test %q", c.name, r.Method, r.Test)
		}
	}
}

func TestKS1_Degenerate(t *testing.T) {
	uniform := func(x float64) float64 { return min(max(x, 0), 1) }
	for _, c := range []struct {
		name     string
		x        []float64
		cdf      func(float64) float64
		p        float64
		warnings Warning
	}{
		{"nothing", nil, uniform, rankNaN, WarnEmpty},
		{"NaN", []float64{rankNaN}, uniform, rankNaN, WarnNaN},
		{"a function that is no probability", []float64{1}, func(x float64) float64 {
			return 2
		}, rankNaN, WarnBadParameter},
		{"a function that is NaN", []float64{1}, func(x float64) float64 { return rankNaN }, rankNaN, WarnBadParameter},
		{"one value in the middle", []float64{.5}, uniform, 1, 0},
		{"values outside of the support", []float64{rankInf, rankInf}, uniform, 0, 0},
	} {
		r := KS1(c.x, c.cdf)
		if r.P != c.p && !(math.IsNaN(r.P) && math.IsNaN(c.p)) || r.Warnings != c.warnings {
			t.Errorf("%s: P = %g, warnings %q; want %g, %q", c.name, r.P, r.Warnings, c.p, c.warnings)
		}
	}
}

func TestFriedman_Degenerate(t *testing.T) {
	for _, c := range []struct {
		name     string
		columns  [][]float64
		p        float64
		warnings Warning
	}{
		{"no columns", nil, rankNaN, WarnTooFew | WarnEmpty},
		{"one column", [][]float64{{1, 2}}, rankNaN, WarnTooFew},
		{"no rows", [][]float64{{}, {}, {}}, rankNaN, WarnEmpty},
		{"NaN", [][]float64{{1}, {rankNaN}, {2}}, rankNaN, WarnNaN},
		{"equal columns", [][]float64{{1, 2}, {1, 2}, {1, 2}}, 1, WarnAllTied | WarnTies},
		{"infinities", [][]float64{{-rankInf, -rankInf}, {0, 1}, {rankInf, rankInf}}, math.Exp(-2), 0},
	} {
		r := Nemenyi(c.columns)
		f := r.Friedman
		if !(math.Abs(f.P-c.p) < 1e-14) && !(math.IsNaN(f.P) && math.IsNaN(c.p)) || f.Warnings != c.warnings {
			t.Errorf("%s: P = %g, warnings %q; want %g, %q", c.name, f.P, f.Warnings, c.p, c.warnings)
		}
		if len(r.Pairs) > 1 && math.IsNaN(r.Pairs[0][1]) != math.IsNaN(c.p) {
			t.Errorf("%s: pair p = %g", c.name, r.Pairs[0][1])
		}
	}
	if r := Friedman([][]float64{{1, 2}, {2, 3}, {3, 4}}); !math.IsInf(r.ImanDavenport, 1) || r.FP != 0 ||
		r.Effect.Value != 1 {
		t.Errorf("rows that agree: F = %g, p %g, W = %g", r.ImanDavenport, r.FP, r.Effect.Value)
	}
}

func TestLaws_OutsideRange(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"KolmogorovSF(0, 5)", KolmogorovSF(0, 5), 1},
		{"KolmogorovSF(1, 5)", KolmogorovSF(1, 5), 0},
		{"KolmogorovSF(-1, 5)", KolmogorovSF(-1, 5), 1},
		{"KolmogorovSF(.5, 0)", KolmogorovSF(.5, 0), rankNaN},
		{"KolmogorovSF(NaN, 5)", KolmogorovSF(rankNaN, 5), rankNaN},
		{"KolmogorovSF(.9, 1000)", KolmogorovSF(.9, 1000), 0},
		{"SmirnovSF(0, 5)", SmirnovSF(0, 5), 1},
		{"SmirnovSF(1, 5)", SmirnovSF(1, 5), 0},
		{"SmirnovSF(.5, 0)", SmirnovSF(.5, 0), rankNaN},
		{"KS2P(0, 5, 6)", KS2P(0, 5, 6), 1},
		{"KS2P(1.5, 5, 6)", KS2P(1.5, 5, 6), 0},
		{"KS2P(.5, 0, 6)", KS2P(.5, 0, 6), rankNaN},
		{"KS2P(NaN, 5, 6)", KS2P(rankNaN, 5, 6), rankNaN},
		{"NormalRangeSF(0, 3)", NormalRangeSF(0, 3), 1},
		{"NormalRangeSF(NaN, 3)", NormalRangeSF(rankNaN, 3), rankNaN},
		{"NormalRangeSF(1, 1)", NormalRangeSF(1, 1), rankNaN},
		{"CriticalDifference(0, 3, 10)", CriticalDifference(0, 3, 10), rankNaN},
		{"CriticalDifference(.05, 1, 10)", CriticalDifference(.05, 1, 10), rankNaN},
		{"kolmogorovLimitSF(0)", kolmogorovLimitSF(0), 1},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s = %g, want %g", c.name, c.got, c.want)
		}
	}
}

func TestRanks_UnequalLengths(t *testing.T) {
	for name, call := range map[string]func(){
		"Wilcoxon": func() { Wilcoxon([]float64{1}, nil) },
		"Sign":     func() { Sign([]float64{1}, nil) },
		"Friedman": func() { Friedman([][]float64{{1}, {1, 2}}) },
		"Kendall":  func() { Kendall([]float64{1}, nil) },
		"Ranks":    func() { Ranks([]float64{0}, []float64{1, 2}) },
	} {
		func() {
			defer func() {
				if message, _ := recover().(string); !strings.Contains(message, "stat: slice length mismatch") {
					t.Errorf("%s: panic %q", name, message)
				}
			}()
			call()
		}()
	}
}

// If an exact law is out of reach, the test is asymptotic and warns.
func TestExact_FallsBack(t *testing.T) {
	spread := func(n, step int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i*step%n - n/3)
		}
		return x
	}
	large, other := spread(4000, 7), spread(3999, 11)
	for name, pair := range map[string][2]Result{
		"wilcoxon":    {WilcoxonDifferences(large, Exact).Result, WilcoxonDifferences(large, Asymptotic).Result},
		"mannwhitney": {MannWhitney(large, other, Exact).Result, MannWhitney(large, other, Asymptotic).Result},
		"ks": {KS2(spread(80_001, 7), spread(80_000, 11), Exact).Result,
			KS2(spread(80_001, 7), spread(80_000, 11), Asymptotic).Result},
	} {
		exact, asymptotic := pair[0], pair[1]
		if exact.P != asymptotic.P || !exact.Warnings.Has(WarnFellBack) || exact.Method != Asymptotic {
			t.Errorf("%s: p %g for %g, method %v, warnings %q", name, exact.P, asymptotic.P, exact.Method,
				exact.Warnings)
		}
	}
	wide := make([][]float64, 8)
	for j := range wide {
		wide[j] = spread(5, j+1)
	}
	if r := Friedman(wide, Exact); r.Method != Asymptotic || !r.Warnings.Has(WarnFellBack) {
		t.Errorf("friedman: method %v, warnings %q", r.Method, r.Warnings)
	}
}

func TestExact_AgreesWithAsymptotic(t *testing.T) {
	x, y := twoNormalSamples(150)
	for i := range x {
		x[i], y[i] = math.Round(4*x[i]), math.Round(4*y[i]+.8)
	}
	for name, pair := range map[string][2]float64{
		"wilcoxon":    {Wilcoxon(x, y, Exact).P, Wilcoxon(x, y, Asymptotic).P},
		"mannwhitney": {MannWhitney(x, y, Exact).P, MannWhitney(x, y, Asymptotic).P},
	} {
		if math.Abs(pair[0]-pair[1]) > .02*pair[0] {
			t.Errorf("%s: exact p %g, asymptotic p %g", name, pair[0], pair[1])
		}
	}
}
