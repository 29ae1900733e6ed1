package stat

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestMcNemar_EqualsStatsmodelsAndR(t *testing.T) {
	binomialFixtures(t, func(t *testing.T, fixture binomialFixture) {
		for _, c := range fixture.McNemar {
			what := fmt.Sprint(c.B, ", ", c.C)
			exact := McNemar(c.B, c.C)
			closeToOrLost(t, what+" exact", exact.P, float64(c.Exact.P), 1e-9)
			closeToOrLost(t, what+" exact statistic", exact.Statistic, float64(c.Exact.Statistic), 0)
			corrected := McNemar(c.B, c.C, Asymptotic)
			closeToOrLost(t, what+" corrected", corrected.P, float64(c.Corrected.P), 1e-9)
			closeToOrLost(t, what+" corrected statistic", corrected.Statistic, float64(c.Corrected.Statistic), 1e-12)
			plain := McNemar(c.B, c.C, Asymptotic, Correction(false))
			closeToOrLost(t, what+" uncorrected", plain.P, float64(c.Plain.P), 1e-9)
			closeToOrLost(t, what+" uncorrected statistic", plain.Statistic, float64(c.Plain.Statistic), 1e-12)
			if c.MidP != nil {
				closeToOrLost(t, what+" mid-p", McNemar(c.B, c.C, MidP(true)).P, float64(*c.MidP), 1e-9)
			}
		}
	})
}

func TestMcNemar_SALMUBench(t *testing.T) {
	for _, c := range []struct {
		b, c      int
		opts      []Option
		statistic float64
		p         float64
	}{
		{10, 25, nil, 10, .016673847800120715},
		{10, 25, []Option{Asymptotic}, 5.6, .01796047752607879},
		{10, 25, []Option{Asymptotic, Correction(false)}, 6.428571428571429, .011229886652916672},
		{7, 7, nil, 7, 1},
		{7, 7, []Option{Asymptotic}, .07142857142857142, .7892680261342813},
		{1200, 1310, nil, 1200, .029561028111364632},
		{1200, 1310, []Option{Asymptotic}, 110 * 110. / 2510 * (109 * 109. / 110 / 110), .02958121434654033},
		{15000, 14500, nil, 14500, .003668409987597817},
		{15000, 14500, []Option{Asymptotic}, 499 * 499. / 29500, .0036691259146973093},
		{15000, 14500, []Option{Asymptotic, Correction(false)}, 500 * 500. / 29500, .003601442635143532},
	} {
		r := McNemar(c.b, c.c, c.opts...)
		what := fmt.Sprint(c.b, ", ", c.c, " ", r.Method)
		closeToOrLost(t, what+" P", r.P, c.p, 1e-9)
		closeToOrLost(t, what+" statistic", r.Statistic, c.statistic, 1e-12)
	}
}

func TestMcNemar_SumOverOutcomes(t *testing.T) {
	for n := 1; n <= 10; n++ {
		for b := 0; b <= n; b++ {
			var less, greater, observed float64
			for i := 0; i <= n; i++ {
				mass := math.Ldexp(binomialChoose(n, i), -n)
				if i <= b {
					less += mass
				}
				if i >= b {
					greater += mass
				}
				if i == b {
					observed = mass
				}
			}
			what := fmt.Sprint(b, " of ", n)
			c := n - b
			closeToOrLost(t, what, McNemar(b, c).P, min(1, 2*min(less, greater)), 1e-12)
			closeToOrLost(t, what+", less", McNemar(b, c, Less).P, less, 1e-12)
			closeToOrLost(t, what+", greater", McNemar(b, c, Greater).P, greater, 1e-12)
			closeToOrLost(t, what+", mid-p", McNemar(b, c, MidP(true)).P, min(1, 2*min(less, greater)-observed), 1e-12)
			closeToOrLost(t, what+", mid-p, less", McNemar(b, c, MidP(true), Less).P, less-observed/2, 1e-12)
			closeToOrLost(t, what+", mid-p, greater", McNemar(b, c, MidP(true), Greater).P, greater-observed/2, 1e-12)
		}
	}
}

func TestMcNemar_SwappedTails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, c := rapid.IntRange(0, 500).Draw(t, "b"), rapid.IntRange(0, 500).Draw(t, "c")
		for _, opts := range [][]Option{{}, {MidP(true)}, {Asymptotic}, {Asymptotic, Correction(false)}} {
			with := func(a Alternative) []Option { return append([]Option{a}, opts...) }
			closeToOrLost(t, "two-sided", McNemar(c, b, opts...).P, McNemar(b, c, opts...).P, 1e-12)
			closeToOrLost(t, "one-sided", McNemar(c, b, with(Less)...).P, McNemar(b, c, with(Greater)...).P, 1e-12)
		}
		if r := McNemar(b, c, Level(.95)); b > 0 && c > 0 {
			closeToOrLost(t, "odds ratio's limit", McNemar(c, b, Level(.95)).OddsRatio.Hi, 1/r.OddsRatio.Lo, 1e-9)
			if (r.P <= .05) != (r.OddsRatio.Lo > 1 || r.OddsRatio.Hi < 1) {
				t.Errorf("P %v, interval %v to %v", r.P, r.OddsRatio.Lo, r.OddsRatio.Hi)
			}
		}
	})
}

func TestMcNemarOutcomes_CountsPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 60).Draw(t, "pairs")
		a, b := make([]bool, len(pairs)), make([]bool, len(pairs))
		var counts [4]int
		for i, kind := range pairs {
			a[i], b[i] = kind&1 != 0, kind&2 != 0
			counts[kind]++
		}
		r, want := McNemarOutcomes(a, b), McNemar(counts[1], counts[2])
		if r.B != counts[1] || r.C != counts[2] || r.Pairs != len(pairs) || r.N != counts[1]+counts[2] ||
			r.P != want.P {
			t.Errorf("%+v of %v", r, counts)
		}
		closeToOrLost(t, "risk difference", r.Effect.Value, float64(counts[1]-counts[2])/float64(len(pairs)), 1e-15)
	})
}

func TestMcNemar_Degenerate(t *testing.T) {
	for _, c := range []struct {
		name    string
		r       McNemarResult
		p       float64
		warning Warning
	}{
		{"no discordant pairs", McNemar(0, 0), 1, WarnAllTied},
		{"no discordant pairs, asymptotic", McNemar(0, 0, Asymptotic), 1, WarnAllTied},
		{"no discordant outcomes", McNemarOutcomes([]bool{true}, []bool{true}), 1, WarnAllTied},
		{"no outcomes", McNemarOutcomes(nil, nil), math.NaN(), WarnEmpty},
		{"negative", McNemar(-1, 3), math.NaN(), WarnBadParameter},
		{"one", McNemar(1, 0), 1, 0},
		{"small and asymptotic", McNemar(9, 0, Asymptotic), math.Erfc(8 / 3. / math.Sqrt2), WarnSmallSample},
		{"level", McNemar(1, 0, Level(0)), 1, WarnBadParameter},
	} {
		closeToOrLost(t, c.name, c.r.P, c.p, 1e-14)
		if c.r.Warnings != c.warning {
			t.Errorf("%s: warnings %q, want %q", c.name, c.r.Warnings, c.warning)
		}
	}
}

func BenchmarkMcNemar(b *testing.B) {
	for _, c := range []struct{ b, c int }{{10, 25}, {1205, 1305}, {14160, 15340}} {
		b.Run(fmt.Sprintf("n=%d", c.b+c.c), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				McNemar(c.b, c.c)
			}
		})
	}
}
