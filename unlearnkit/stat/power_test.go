package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

type powerCase struct {
	Function            string
	N                   float64 // a fraction if it is the solution for a given power
	M                   int
	Effect, P, Q, Level float64
	Alternative         string
	Power               float64
}

func (c powerCase) power() float64 {
	n, level, alternative := int(c.N), Level(c.Level), alternativeNamed[c.Alternative]
	switch c.Function {
	case "t-paired":
		return PowerTTestPaired(n, c.Effect, level, alternative)
	case "t-ind":
		return PowerTTestInd(n, c.M, c.Effect, level, alternative)
	case "proportions":
		return PowerProportions(n, c.M, c.P, c.Q, level, alternative)
	case "arcsine":
		return PowerProportionsArcsine(n, c.M, c.P, c.Q, level, alternative)
	case "binomial":
		return PowerBinomial(n, c.P, c.Q, level, alternative)
	case "mcnemar":
		return PowerMcNemar(n, c.P, c.Q, level, alternative)
	}
	panic(c.Function)
}

func (c powerCase) sampleSize() (int, Warning) {
	switch c.Function {
	case "t-paired":
		return SampleSizeTTestPaired(c.Power, c.Effect)
	case "t-ind":
		return SampleSizeTTestInd(c.Power, c.Effect)
	case "proportions":
		return SampleSizeProportions(c.Power, c.P, c.Q)
	case "arcsine":
		return SampleSizeProportionsArcsine(c.Power, c.P, c.Q)
	}
	panic(c.Function)
}

func TestPowers_EqualStatsmodelsAndR(t *testing.T) {
	for _, name := range []string{"power_statsmodels.json", "power_r.json"} {
		var fixture struct{ Rows, Sizes []powerCase }
		readFixture(t, name, &fixture)
		for _, c := range fixture.Rows {
			if got := c.power(); !(math.Abs(got-c.Power) <= 1e-9*c.Power) {
				t.Errorf("%s %+v: power = %.17g", name, c, got)
			}
		}
		for _, c := range fixture.Sizes {
			n, w := c.sampleSize()
			if want := max(2, int(math.Ceil(c.N))); n != want || w != 0 {
				t.Errorf("%s %+v: sample size = %d (%v), want %d", name, c, n, w, want)
			}
		}
	}
}

// The power is summed over all pairs of counts, and each p-value follows its definition.
func TestPowerMcNemar_AllOutcomes(t *testing.T) {
	multinomial := func(n, b, c int, p, q float64) float64 {
		a, _ := math.Lgamma(float64(n + 1))
		u, _ := math.Lgamma(float64(b + 1))
		v, _ := math.Lgamma(float64(c + 1))
		w, _ := math.Lgamma(float64(n - b - c + 1))
		return math.Exp(a-u-v-w) * math.Pow(p, float64(b)) * math.Pow(q, float64(c)) * math.Pow(1-p-q, float64(n-b-c))
	}
	for _, c := range []struct {
		n    int
		p, q float64
	}{{1, .5, .2}, {6, .9, .05}, {17, .3, .1}, {40, .05, .3}} {
		power := 0.
		for first := 0; first <= c.n; first++ {
			for second := 0; first+second <= c.n; second++ {
				tail := 0. // P(K ≤ min(first, second)) for a fair coin
				for k, mass := range binomialMasses(first+second, .5) {
					if k <= min(first, second) {
						tail += mass
					}
				}
				if 2*tail <= .05 {
					power += multinomial(c.n, first, second, c.p, c.q)
				}
			}
		}
		near(t, fmt.Sprintf("power of %+v", c), PowerMcNemar(c.n, c.p, c.q), power, 1e-12)
	}
}

func TestPower_ExactLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 120).Draw(t, "n")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		level := rapid.SampledFrom([]float64{.5, .9, .95, .999}).Draw(t, "level")
		alternative := rapid.SampledFrom([]Alternative{TwoSided, Less, Greater}).Draw(t, "alternative")
		for what, size := range map[string]float64{
			"binomial": PowerBinomial(n, p, p, Level(level), alternative),
			"McNemar":  PowerMcNemar(n, p/2, p/2, Level(level), alternative),
		} {
			if !(size >= 0 && size <= (1-level)*(1+1e-9)) {
				t.Fatalf("size of the %s test = %v at level %v", what, size, level)
			}
		}
	})
}

func TestPower_Symmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(2, 300).Draw(t, "n"), rapid.IntRange(2, 300).Draw(t, "m")
		d := rapid.Float64Range(0, 3).Draw(t, "d")
		p, q := rapid.Float64Range(0, .5).Draw(t, "p"), rapid.Float64Range(0, .5).Draw(t, "q")
		for what, pair := range map[string][2]float64{
			"paired, mirrored":  {PowerTTestPaired(n, d), PowerTTestPaired(n, -d)},
			"paired, sides":     {PowerTTestPaired(n, d, Greater), PowerTTestPaired(n, -d, Less)},
			"samples exchanged": {PowerTTestInd(n, m, d), PowerTTestInd(m, n, -d)},
			"McNemar exchanged": {PowerMcNemar(n, p, q), PowerMcNemar(n, q, p)},
			"McNemar sides":     {PowerMcNemar(n, p, q, Less), PowerMcNemar(n, q, p, Greater)},
			"Connor exchanged":  {PowerMcNemar(n, p+.1, q, Asymptotic), PowerMcNemar(n, q, p+.1, Asymptotic)},
			"binomial":          {PowerBinomial(n, p, .4, Greater), PowerBinomial(n, 1-p, .6, Less)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-10 {
				t.Fatalf("%s: %v and %v", what, pair[0], pair[1])
			}
		}
		if a, b := PowerTTestPaired(n, d), PowerTTestPaired(n+1, d); b < a-1e-12 {
			t.Fatalf("power falls from %v to %v with one pair more", a, b)
		}
	})
}

func TestDetectable_Power(t *testing.T) {
	for _, n := range []int{2, 3, 10, 500} {
		for _, power := range []float64{.06, .5, .8, .99} {
			near(t, "power", PowerTTestPaired(n, DetectableTTestPaired(n, power)), power, 1e-12)
			near(t, "power", PowerTTestInd(n, 2*n, DetectableTTestInd(n, 2*n, power)), power, 1e-12)
			less := DetectableTTestPaired(n, power, Less)
			near(t, "power", PowerTTestPaired(n, less, Less), power, 1e-12)
			if less >= 0 {
				t.Errorf("effect found by Less = %v, want negative", less)
			}
		}
	}
}

func TestSampleSize_Smallest(t *testing.T) {
	for _, c := range []struct {
		name  string
		size  func() (int, Warning)
		power func(n int) float64
		want  float64
	}{
		{"t", func() (int, Warning) {
			return SampleSizeTTestPaired(.8, .3)
		}, func(n int) float64 { return PowerTTestPaired(n, .3) }, .8},
		{"Wilcoxon", func() (int, Warning) {
			return SampleSizeWilcoxon(.8, .3)
		}, func(n int) float64 { return PowerWilcoxon(n, .3) }, .8},
		{"Mann-Whitney", func() (int, Warning) {
			return SampleSizeMannWhitney(.9, 1.2)
		}, func(n int) float64 { return PowerMannWhitney(n, n, 1.2) }, .9},
		{"sign", func() (int, Warning) {
			return SampleSizeSign(.8, .7)
		}, func(n int) float64 { return PowerSign(n, .7) }, .8},
		{"binomial", func() (int, Warning) {
			return SampleSizeBinomial(.9, .02, .1, Less)
		}, func(n int) float64 { return PowerBinomial(n, .02, .1, Less) }, .9},
		{"McNemar", func() (int, Warning) {
			return SampleSizeMcNemar(.8, .2, .08)
		}, func(n int) float64 { return PowerMcNemar(n, .2, .08) }, .8},
		{"Connor", func() (int, Warning) {
			return SampleSizeMcNemar(.8, .2, .08, Asymptotic)
		}, func(n int) float64 { return PowerMcNemar(n, .2, .08, Asymptotic) }, .8},
	} {
		n, w := c.size()
		if w != 0 || c.power(n) < c.want {
			t.Errorf("%s: n = %d (%v) has power %v, want %v", c.name, n, w, c.power(n), c.want)
		}
		for smaller := 2; smaller < n; smaller++ {
			if c.power(smaller) >= c.want {
				t.Errorf("%s: %d already has the power, got %d", c.name, smaller, n)
				break
			}
		}
	}
}

// Connor (1987) and the exact test agree as the sample grows; the exact one is conservative.
func TestPowerMcNemar_LargeSamples(t *testing.T) {
	exact, approximate := PowerMcNemar(20000, .052, .048), PowerMcNemar(20000, .052, .048, Asymptotic)
	if exact > approximate || approximate-exact > .02 {
		t.Errorf("exact %v, asymptotic %v", exact, approximate)
	}
}

func TestPower_Simulation(t *testing.T) {
	critical := studentQuantile(.025, 19)
	for _, c := range []struct {
		name  string
		power float64
		room  float64 // allowed error of the approximation
		trial func(r *rand.Rand) bool
	}{
		{"t", PowerTTestPaired(20, .6), 0, func(r *rand.Rand) bool {
			return math.Abs(CohenDZ(normals(r, 20, .6), make([]float64, 20), Level(0)).Value)*math.Sqrt(20) > critical
		}},
		{"Wilcoxon", PowerWilcoxon(40, .5), .015, func(r *rand.Rand) bool {
			w := RankBiserial(normals(r, 40, .5), make([]float64, 40)).Value * 40 * 41 / 2
			return math.Abs(w) > 1.96*math.Sqrt(40*41*81/6.)
		}},
		{"Mann-Whitney", PowerMannWhitney(30, 40, .7), .015, func(r *rand.Rand) bool {
			u := CliffDelta(normals(r, 30, .7), normals(r, 40, 0)).Value * 30 * 40 / 2
			return math.Abs(u) > 1.96*math.Sqrt(30*40*71/12.)
		}},
		{"proportions", PowerProportions(200, 200, .4, .52), .01, func(r *rand.Rand) bool {
			a, b := 0., 0.
			for range 200 {
				if r.Float64() < .4 {
					a++
				}
				if r.Float64() < .52 {
					b++
				}
			}
			pooled := (a + b) / 400
			return math.Abs(a-b)/200 > 1.96*math.Sqrt(pooled*(1-pooled)/100)
		}},
	} {
		e := PowerSimulated(c.trial, Level(.9999), Resamples(10000))
		if c.power < e.Lo-c.room || c.power > e.Hi+c.room {
			t.Errorf("%s: power = %v, simulated %v [%v, %v]", c.name, c.power, e.Value, e.Lo, e.Hi)
		}
	}
}

func TestPowerSimulated_SeedAlone(t *testing.T) {
	run := func(processors int, seed Seed) float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return PowerSimulated(func(r *rand.Rand) bool { return r.Float64() < .3 }, seed).Value
	}
	if a, b, c := run(1, 4), run(5, 4), run(1, 5); a != b || a == c {
		t.Errorf("power = %v with 1 processor, %v with 5, %v with another seed", a, b, c)
	}
}

func TestPower_OutsideDomain(t *testing.T) {
	nan := math.NaN()
	for what, power := range map[string]float64{
		"one pair":               PowerTTestPaired(1, .5),
		"NaN effect":             PowerTTestPaired(10, nan),
		"level 1":                PowerTTestPaired(10, .5, Level(1)),
		"empty sample":           PowerTTestInd(0, 10, .5),
		"two values":             PowerTTestInd(1, 1, .5),
		"no trials":              PowerBinomial(0, .5, .5),
		"probability above 1":    PowerBinomial(10, 1.5, .5),
		"NaN probability":        PowerBinomial(10, .5, nan),
		"discordance above 1":    PowerMcNemar(10, .7, .7),
		"negative discordance":   PowerMcNemar(10, -.1, .7),
		"negative proportion":    PowerProportions(10, 10, -.1, .7),
		"arcsine, level 0":       PowerProportionsArcsine(10, 10, .1, .7, Level(0)),
		"h of no proportion":     CohenH(2, .5),
		"detectable, small":      DetectableTTestPaired(1, .8),
		"detectable, empty":      DetectableTTestInd(0, 5, .8),
		"detectable, below size": DetectableTTestPaired(10, .01),
		"no simulation":          PowerSimulated(nil, Resamples(0)).Value,
	} {
		if !math.IsNaN(power) {
			t.Errorf("%s: %v, want NaN", what, power)
		}
	}
}

func TestSampleSize_Warnings(t *testing.T) {
	for what, size := range map[string]func() (int, Warning){
		"no effect":         func() (int, Warning) { return SampleSizeTTestPaired(.8, 0) },
		"wrong side":        func() (int, Warning) { return SampleSizeTTestInd(.8, -.5, Greater) },
		"NaN effect":        func() (int, Warning) { return SampleSizeTTestInd(.8, math.NaN()) },
		"power 1":           func() (int, Warning) { return SampleSizeTTestPaired(1, .5) },
		"equal proportions": func() (int, Warning) { return SampleSizeProportions(.8, .5, .5) },
		"fair coin":         func() (int, Warning) { return SampleSizeSign(.8, .5) },
		"no coin":           func() (int, Warning) { return SampleSizeSign(.8, 2) },
		"no discordance":    func() (int, Warning) { return SampleSizeMcNemar(.8, 0, 0) },
		"equal discordance": func() (int, Warning) { return SampleSizeMcNemar(.8, .1, .1) },
		"no level":          func() (int, Warning) { return SampleSizeMcNemar(.8, .1, .2, Level(0)) },
	} {
		if n, w := size(); n != 0 || w != WarnBadParameter {
			t.Errorf("%s: n = %d (%v), want 0 with WarnBadParameter", what, n, w)
		}
	}
}
