package stat

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

type ttestVector struct {
	T, P, DF, Lo, Hi number
}

// check compares r with the expected numbers, with a relative tolerance of 1e-9. A relative error of t is multiplied by
// about t² in the p-value.
func (v *ttestVector) check(t *testing.T, what string, r TTestResult) {
	t.Helper()
	if v == nil {
		return
	}
	closeToOrLost(t, what+" T", r.T, float64(v.T), 1e-9)
	closeToOrLost(t, what+" DF", r.DF, float64(v.DF), 1e-9)
	closeToOrLost(t, what+" P", r.P, float64(v.P), 1e-9)
	closeToOrLost(t, what+" Lo", r.Mean.Lo, float64(v.Lo), 1e-9)
	closeToOrLost(t, what+" Hi", r.Mean.Hi, float64(v.Hi), 1e-9)
	if r.Statistic != r.T || r.Warnings != 0 {
		t.Errorf("%s: statistic %v, T %v, warnings %v", what, r.Statistic, r.T, r.Warnings)
	}
}

type ttestEquivalence struct {
	P, DF, Pingouin number
	Low, High       [2]number // statistic and p-value of each one-sided test
}

func (v *ttestEquivalence) check(t *testing.T, what string, r TOSTResult) {
	t.Helper()
	if v == nil {
		return
	}
	closeToOrLost(t, what+" P", r.P, float64(v.P), 1e-9)
	closeToOrLost(t, what+" DF", r.DF, float64(v.DF), 1e-9)
	closeToOrLost(t, what+" against pingouin", r.P, float64(v.Pingouin), 1e-9)
	closeToOrLost(t, what+" low statistic", r.AboveLow.Statistic, float64(v.Low[0]), 1e-9)
	closeToOrLost(t, what+" low P", r.AboveLow.P, float64(v.Low[1]), 1e-9)
	closeToOrLost(t, what+" high statistic", r.BelowHigh.Statistic, float64(v.High[0]), 1e-9)
	closeToOrLost(t, what+" high P", r.BelowHigh.P, float64(v.High[1]), 1e-9)
}

func TestTTest_EqualsScipyAndR(t *testing.T) {
	for _, file := range []string{"ttest_scipy.json", "ttest_r.json"} {
		var fixture struct {
			Cases []struct {
				NX, XM, XK, NY, YM, YK int
				XS, XO, YS, YO         float64
				Alternative            string
				Ind, One, Welch        *ttestVector
				Paired                 *ttestVector
				TOSTWelch              *ttestEquivalence `json:"tost_welch"`
				TOSTPaired             *ttestEquivalence `json:"tost_paired"`
			}
		}
		readFixture(t, file, &fixture)
		for _, c := range fixture.Cases {
			t.Run(fmt.Sprintf("%s/%d+%g,%d+%g,%s", file, c.NX, c.XO, c.NY, c.YO, c.Alternative), func(t *testing.T) {
				x := residueSequence(c.NX, c.XM, c.XK, c.XS, c.XO)
				y := residueSequence(c.NY, c.YM, c.YK, c.YS, c.YO)
				alternative := alternativeNamed[c.Alternative]
				c.Ind.check(t, "TTestInd", TTestInd(x, y, alternative))
				c.One.check(t, "TTest1", TTest1(x, c.XO+.5, alternative))
				c.Welch.check(t, "Welch", Welch(x, y, alternative, Level(.9)))
				c.TOSTWelch.check(t, "TOSTWelch", TOSTWelch(x, y, -.5, .5))
				if len(x) == len(y) {
					c.Paired.check(t, "TTestPaired", TTestPaired(x, y, alternative, Level(.99)))
					c.TOSTPaired.check(t, "TOSTPaired", TOSTPaired(x, y, -.5, .5))
				}
			})
		}
	}
}

func TestTTestPaired_SALMUBench(t *testing.T) {
	p := residueSequence(500, 7919, 104729, 1, 0)
	r := residueSequence(500, 6007, 12345, 1, 0)
	for i := range r {
		r[i] = p[i] + .01*(r[i]-.48)
	}
	got := TTestPaired(r, p)
	closeToOrLost(t, "T", got.T, 1.8563955250681399, 1e-9)
	closeToOrLost(t, "P", got.P, .06398640142284845, 1e-9)
	closeToOrLost(t, "d_z", got.Effect.Value, got.T/math.Sqrt(500), 1e-14)
}

func TestTTest1_FarFromZero(t *testing.T) {
	const mu = 1e9
	x := residueSequence(1000, 7919, 104729, 1, mu)
	sum, squares := new(big.Rat), new(big.Rat)
	for _, e := range x {
		d := new(big.Rat).SetFloat64(e - mu) // e and mu are close, so their difference must be exact
		sum.Add(sum, d)
		squares.Add(squares, d.Mul(d, d))
	}
	mean := sum.Quo(sum, big.NewRat(1000, 1))
	squares.Sub(squares, new(big.Rat).Mul(big.NewRat(1000, 1), new(big.Rat).Mul(mean, mean)))
	m, _ := mean.Float64()
	ss, _ := squares.Float64()
	closeToOrLost(t, "T", TTest1(x, mu).T, m/math.Sqrt(ss/999/1000), 1e-9)
}

func TestTTest_Degenerate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name    string
		r       TTestResult
		t, p    float64
		warning Warning
	}{
		{"no pairs", TTestPaired(nil, nil), nan, nan, WarnEmpty},
		{"one pair", TTestPaired([]float64{1}, []float64{2}), nan, nan, WarnTooFew},
		{"constant difference", TTestPaired([]float64{1, 2, 3}, []float64{0, 1, 2}), inf, 0, WarnNoVariance},
		{"constant difference, less", TTestPaired([]float64{1, 2, 3}, []float64{0, 1, 2}, Less), inf, 1,
			WarnNoVariance},
		{"constant difference, below", TTestPaired([]float64{0, 1, 2}, []float64{1, 2, 3}, Less), -inf, 0,
			WarnNoVariance},
		{"no difference", TTestPaired([]float64{1, 2, 3}, []float64{1, 2, 3}), nan, nan, WarnNoVariance | WarnAllTied},
		{"NaN", TTestPaired([]float64{1, nan, 3}, []float64{1, 2, 3}), nan, nan, WarnNaN},
		{"infinity", TTestPaired([]float64{1, inf, 3}, []float64{1, 2, 3}), nan, nan, WarnInf},
		{"overflowing difference", TTestPaired([]float64{1e308, 1}, []float64{-1e308, 2}), nan, nan, WarnInf},
		{"level", TTestPaired([]float64{1, 2}, []float64{1, 3}, Level(1)), -1, .5, WarnBadParameter},
		{"one sample, constant", TTest1([]float64{.1, .1, .1}, .1), nan, nan, WarnNoVariance | WarnAllTied},
		{"one sample, mu", TTest1([]float64{.1, .1, .1}, nan), nan, nan, WarnBadParameter},
		{"one sample, one value", TTest1([]float64{1}, 0), nan, nan, WarnTooFew},
		{"one and one", TTestInd([]float64{1}, []float64{2}), nan, nan, WarnTooFew},
		{"one and three", TTestInd([]float64{1}, []float64{2, 3, 4}), -math.Sqrt(3), .22540333075851665, 0},
		{"Welch of one and three", Welch([]float64{1}, []float64{2, 3, 4}), nan, nan, WarnTooFew},
		{"Welch, none", Welch(nil, []float64{2, 3, 4}), nan, nan, WarnEmpty},
		{"Welch, one sample constant", Welch([]float64{1, 1}, []float64{2, 3, 4}), -2 * math.Sqrt(3),
			.07417990022744858, 0},
		{"Welch, both constant", Welch([]float64{1, 1}, []float64{2, 2}), -inf, 0, WarnNoVariance},
		{"huge values", TTest1([]float64{1e300, 2e300, 3e300}, 0), 2 * math.Sqrt(3), .07417990022744858, 0},
		{"tiny values", Welch([]float64{1e-300, 1e-300}, []float64{2e-300, 3e-300, 4e-300}), -2 * math.Sqrt(3),
			.07417990022744858, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			closeToOrLost(t, "T", c.r.T, c.t, 1e-12)
			closeToOrLost(t, "P", c.r.P, c.p, 1e-12)
			if c.r.Warnings != c.warning {
				t.Errorf("warnings %q, want %q", c.r.Warnings, c.warning)
			}
		})
	}
}

func TestPaired_UnequalLengths(t *testing.T) {
	x, y := []float64{1, 2}, []float64{1}
	for name, f := range map[string]func(){
		"TTestPaired":       func() { TTestPaired(x, y) },
		"TOSTPaired":        func() { TOSTPaired(x, y, -1, 1) },
		"PermutationPaired": func() { PermutationPaired(x, y) },
		"McNemarOutcomes":   func() { McNemarOutcomes([]bool{true}, nil) },
		"Holm":              func() { Holm(make([]float64, 1), x) },
		"Reject":            func() { Reject(make([]bool, 1), x, .05) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != "stat: slice length mismatch" {
					t.Errorf("recovered %v", r)
				}
			}()
			f()
		})
	}
}

// ttestDraw returns a random sample whose variance is not small.
func ttestDraw(t *rapid.T, label string) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(-1, 1), 3, 12).Filter(func(v []float64) bool {
		return momentsOf(v, 1).variance() > 1e-3
	}).Draw(t, label)
}

func TestTTest_Symmetries(t *testing.T) {
	tests := map[string]func(x, y []float64, opts ...Option) TTestResult{"Welch": Welch, "TTestInd": TTestInd}
	for name, test := range tests {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			x, y := ttestDraw(t, "x"), ttestDraw(t, "y")
			r := test(x, y)
			less, greater, swapped := test(x, y, Less), test(x, y, Greater), test(y, x, Greater)
			closeToOrLost(t, "swapped", swapped.P, less.P, 1e-12)
			closeToOrLost(t, "both tails", less.P+greater.P, 1, 1e-12)
			closeToOrLost(t, "two-sided", r.P, 2*min(less.P, greater.P), 1e-12)
			scale, shift := math.Ldexp(1, rapid.IntRange(-600, 600).Draw(t, "scale")),
				rapid.Float64Range(-3, 3).Draw(t, "shift")
			moved := func(v []float64) []float64 {
				out := make([]float64, len(v))
				for i, e := range v {
					out[len(v)-1-i] = (e + shift) * scale
				}
				return out
			}
			m := test(moved(x), moved(y))
			closeToOrLost(t, "moved DF", m.DF, r.DF, 1e-10)
			if math.Abs(r.T-m.T) > 1e-10*(1+math.Abs(r.T)) || math.Abs(r.P-m.P) > 1e-10 {
				t.Errorf("moved: T %v, P %v; were %v, %v", m.T, m.P, r.T, r.P)
			}
			if width := m.Mean.Hi/scale - m.Mean.Lo/scale; math.Abs(width-(r.Mean.Hi-r.Mean.Lo)) > 1e-10*width {
				t.Errorf("moved interval's width %v, was %v", width, r.Mean.Hi-r.Mean.Lo)
			}
		}))
	}
}

// The interval ends where the test begins to reject.
func TestTTest_IntervalEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := ttestDraw(t, "x")
		level := rapid.Float64Range(.01, .999).Draw(t, "level")
		r := TTest1(x, 0, Level(level))
		closeToOrLost(t, "P at Lo", TTest1(x, r.Mean.Lo).P, 1-level, 1e-8)
		closeToOrLost(t, "P at Hi", TTest1(x, r.Mean.Hi).P, 1-level, 1e-8)
		less := TTest1(x, 0, Level(level), Less)
		if !math.IsInf(less.Mean.Lo, -1) {
			t.Errorf("one-sided interval starts at %v", less.Mean.Lo)
		}
		closeToOrLost(t, "one-sided P at Hi", TTest1(x, less.Mean.Hi, Less).P, 1-level, 1e-8)
	})
}

// ttestUniform checks p-values under the null hypothesis. The share of p-values up to each level must not exceed the
// level by more than 4.5 standard errors. If the test is continuous, it must not be below the level by more than 4.5
// standard errors either.
func ttestUniform(t *testing.T, runs int, continuous bool, p func(*rand.Rand) float64) {
	t.Helper()
	stream := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, runs)
	for i := range values {
		values[i] = p(stream)
	}
	for _, level := range []float64{.01, .05, .1, .25, .5, .75, .9} {
		count := 0.
		for _, v := range values {
			if v <= level {
				count++
			}
		}
		z := (count - level*float64(runs)) / math.Sqrt(level*(1-level)*float64(runs))
		if z > 4.5 || continuous && z < -4.5 {
			t.Errorf("%v of %d p-values up to %v (z = %.1f)", count, runs, level, z)
		}
	}
}

func TestTTest_UniformUnderNull(t *testing.T) {
	for name, p := range map[string]func(*rand.Rand) float64{
		"paired":      func(s *rand.Rand) float64 { return TTestPaired(normals(s, 8, 0), normals(s, 8, 0)).P },
		"one, less":   func(s *rand.Rand) float64 { return TTest1(normals(s, 4, 0), 0, Less).P },
		"independent": func(s *rand.Rand) float64 { return TTestInd(normals(s, 4, 0), normals(s, 9, 0), Greater).P },
		"Welch":       func(s *rand.Rand) float64 { return Welch(normals(s, 20, 0), normals(s, 25, 0)).P },
	} {
		t.Run(name, func(t *testing.T) { ttestUniform(t, 5000, true, p) })
	}
}

// ttestFloats converts bytes to float64 values, which may be NaN or infinite.
func ttestFloats(b []byte) []float64 {
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

// ttestSane checks properties that every result must have.
func ttestSane(t reporter, r Result) {
	t.Helper()
	if math.IsNaN(r.P) && r.Warnings == 0 || r.P < 0 || r.P > 1 {
		t.Errorf("%s: P %v with warnings %q", r.Test, r.P, r.Warnings)
	}
	if r.Method == Auto {
		t.Errorf("%s: method not said", r.Test)
	}
}

func FuzzTTests(f *testing.F) {
	bytes := func(v ...float64) (b []byte) {
		for _, e := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(e))
		}
		return b
	}
	f.Add(bytes(1, 2, 3, 4), .95, -1., 1.)
	f.Add(bytes(1, 1, 1, 1), .5, 0., 0.)
	f.Add(bytes(1e308, -1e308, 5e-324, 0), 1-1e-16, math.NaN(), math.Inf(1))
	f.Add(bytes(math.NaN(), math.Inf(1)), -1., 1e-300, 1e300)
	f.Fuzz(func(t *testing.T, b []byte, level, low, high float64) {
		v := ttestFloats(b[:min(len(b), 256)])
		x, y := v[:len(v)/2], v[len(v)/2:len(v)/2*2]
		for _, a := range alternativeNamed {
			ttestSane(t, TTestPaired(x, y, a, Level(level)).Result)
			ttestSane(t, TTest1(v, low, a, Level(level)).Result)
			ttestSane(t, TTestInd(x, v, a, Level(level)).Result)
			ttestSane(t, Welch(v, y, a, Level(level)).Result)
		}
		ttestSane(t, TOSTPaired(x, y, low, high, Level(level)).Result)
		ttestSane(t, TOSTWelch(v, y, low, high, Level(level)).Result)
		ttestSane(t, PermutationPaired(x, y, Resamples(99)).Result)
		ttestSane(t, PermutationInd(v, y, Resamples(99)).Result)
	})
}

func BenchmarkTTestPaired(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		x, y := residueSequence(n, 7919, 104729, 1, 0), residueSequence(n, 6007, 12345, 1, 0)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var scratch Scratch
			b.ReportAllocs()
			for b.Loop() {
				TTestPaired(x, y, &scratch)
			}
		})
	}
}

func BenchmarkWelch(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		x, y := residueSequence(n, 7919, 104729, 1, 0), residueSequence(n, 6007, 12345, 1, 0)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Welch(x, y)
			}
		})
	}
}
