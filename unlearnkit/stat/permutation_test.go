package stat

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

func TestPermutation_EqualsScipyAndR(t *testing.T) {
	type vector struct{ Statistic, P number }
	for _, file := range []string{"permutation_scipy.json", "permutation_r.json"} {
		var fixture struct {
			Cases []struct {
				X, Y        []float64
				Alternative string
				Paired, Ind *vector
			}
		}
		readFixture(t, file, &fixture)
		for _, c := range fixture.Cases {
			t.Run(fmt.Sprint(file, "/", len(c.X), ",", len(c.Y), ",", c.Alternative), func(t *testing.T) {
				check := func(r PermutationResult, want *vector) {
					t.Helper()
					closeToOrLost(t, "P", r.P, float64(want.P), 1e-12)
					if math.Abs(r.Statistic-float64(want.Statistic)) > 1e-14 || r.Method != Exact {
						t.Errorf("statistic %v, want %v; %v", r.Statistic, want.Statistic, r.Method)
					}
				}
				if c.Paired != nil {
					check(PermutationPaired(c.X, c.Y, alternativeNamed[c.Alternative], Exact), c.Paired)
				}
				if c.Ind != nil {
					check(PermutationInd(c.X, c.Y, alternativeNamed[c.Alternative], Exact), c.Ind)
				}
			})
		}
	}
}

// permutationBrute returns both one-sided p-values by enumeration. An arrangement is a set of bits that accepts allows,
// and its integer sum is compared with the sum of the observed set.
func permutationBrute(n int, accepts func(set uint) bool, sum func(set uint) int, observed uint) (less,
	greater float64) {
	all := 0.
	for set := range uint(1) << n {
		if !accepts(set) {
			continue
		}
		all++
		if sum(set) <= sum(observed) {
			less++
		}
		if sum(set) >= sum(observed) {
			greater++
		}
	}
	return less / all, greater / all
}

func TestPermutation_AllArrangements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(-6, 6), 1, 10).Draw(t, "values")
		n := len(values)
		n1 := rapid.IntRange(0, n).Draw(t, "n1")
		v := make([]float64, n)
		for i, e := range values {
			v[i] = float64(e) / 10 // tenths, whose sums are rounded
		}
		signed := func(set uint) (sum int) {
			for i, e := range values {
				sum += e * (2*int(set>>i&1) - 1)
			}
			return sum
		}
		less, greater := permutationBrute(n, func(uint) bool { return true }, signed, 1<<n-1)
		zero := make([]float64, n)
		closeToOrLost(t, "paired, less", PermutationPaired(v, zero, Less).P, less, 1e-15)
		closeToOrLost(t, "paired, greater", PermutationPaired(v, zero, Greater).P, greater, 1e-15)
		closeToOrLost(t, "paired", PermutationPaired(v, zero).P, min(1, 2*min(less, greater)), 1e-15)
		if n1 == 0 || n1 == n {
			return
		}
		picked := func(set uint) (sum int) {
			for i, e := range values {
				sum += e * int(set>>i&1)
			}
			return sum
		}
		less, greater = permutationBrute(n, func(set uint) bool { return bits.OnesCount(set) == n1 }, picked, 1<<n1-1)
		closeToOrLost(t, "independent, less", PermutationInd(v[:n1], v[n1:], Less).P, less, 1e-15)
		closeToOrLost(t, "independent, greater", PermutationInd(v[:n1], v[n1:], Greater).P, greater, 1e-15)
		closeToOrLost(t, "independent", PermutationInd(v[:n1], v[n1:]).P, min(1, 2*min(less, greater)), 1e-15)
	})
}

func TestPermutation_Symmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Values on a grid have sums that are far from the edge of the tolerance.
		grid := rapid.SliceOfN(rapid.Map(rapid.IntRange(-50, 50), func(i int) float64 {
			return float64(i) / 100
		}), 2, 8)
		x, y := grid.Draw(t, "x"), grid.Draw(t, "y")
		x, y = x[:min(len(x), len(y))], y[:min(len(x), len(y))]
		scale := math.Ldexp(1, rapid.IntRange(-900, 900).Draw(t, "scale"))
		turned := func(v []float64) []float64 {
			out := make([]float64, len(v))
			for i, e := range v {
				out[len(v)-1-i] = e * scale
			}
			return out
		}
		for name, test := range map[string]func(x, y []float64, opts ...Option) PermutationResult{
			"paired": PermutationPaired, "independent": PermutationInd,
		} {
			r := test(x, y, Exact)
			closeToOrLost(t, name+" turned", test(turned(x), turned(y), Exact).P, r.P, 0)
			closeToOrLost(t, name+" swapped", test(y, x, Exact).P, r.P, 0)
			closeToOrLost(t, name+" swapped, less", test(y, x, Exact, Less).P, test(x, y, Exact, Greater).P, 0)
		}
	})
}

func TestPermutation_SeedAlone(t *testing.T) {
	x, y := residueSequence(60, 7919, 104729, 1, .05), residueSequence(60, 6007, 12345, 1, 0)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, test := range map[string]func(x, y []float64, opts ...Option) PermutationResult{
		"paired": PermutationPaired, "independent": PermutationInd,
	} {
		runtime.GOMAXPROCS(1)
		one := test(x, y, Seed(7), Resamples(2000))
		runtime.GOMAXPROCS(7)
		var scratch Scratch
		if many := test(x, y, Seed(7), Resamples(2000), &scratch); many.P != one.P {
			t.Errorf("%s: P %v with one processor, %v with seven", name, one.P, many.P)
		}
		if test(x, y, Seed(8), Resamples(2000)).P == one.P && test(x, y, Seed(9), Resamples(2000)).P == one.P {
			t.Errorf("%s: seeds 7, 8 and 9 all give P %v", name, one.P)
		}
		if one.Method != MonteCarlo || one.Arrangements != 2000 {
			t.Errorf("%s: %v of %v arrangements", name, one.Method, one.Arrangements)
		}
	}
}

func TestPermutation_ApproachesExact(t *testing.T) {
	x, y := residueSequence(16, 7919, 104729, 1, .1), residueSequence(16, 6007, 12345, 1, 0)
	for name, test := range map[string]func(x, y []float64, opts ...Option) PermutationResult{
		"paired": PermutationPaired, "independent": PermutationInd,
	} {
		for _, a := range []Alternative{Less, Greater} {
			const m = 100_000
			exact, random := test(x, y, a, Exact).P, test(x, y, a, MonteCarlo, Resamples(m)).P
			if z := (random - exact) / math.Sqrt(exact*(1-exact)/m); math.Abs(z) > 4 {
				t.Errorf("%s, %v: random %v, exact %v (z = %.1f)", name, a, random, exact, z)
			}
		}
	}
}

func TestPermutation_Level(t *testing.T) {
	for name, p := range map[string]func(*rand.Rand) float64{
		"paired, exact": func(s *rand.Rand) float64 { return PermutationPaired(normals(s, 9, 0), normals(s, 9, 0)).P },
		"paired, random": func(s *rand.Rand) float64 {
			return PermutationPaired(normals(s, 30, 0), normals(s, 30, 0), Resamples(199), Seed(s.Uint64())).P
		},
		"independent, exact": func(s *rand.Rand) float64 {
			return PermutationInd(normals(s, 4, 0), normals(s, 6, 0), Greater).P
		},
		"independent, random": func(s *rand.Rand) float64 {
			return PermutationInd(normals(s, 20, 0), normals(s, 25, 0), Resamples(199), Seed(s.Uint64())).P
		},
	} {
		t.Run(name, func(t *testing.T) { ttestUniform(t, 2000, false, p) })
	}
}

func TestPermutation_Degenerate(t *testing.T) {
	nan := math.NaN()
	long := residueSequence(41, 7919, 104729, 1, 5)
	for _, c := range []struct {
		name    string
		r       PermutationResult
		p       float64
		warning Warning
		method  Method
	}{
		{"no pairs", PermutationPaired(nil, nil), nan, WarnEmpty, MonteCarlo},
		{"one pair", PermutationPaired([]float64{1}, []float64{2}), 1, 0, Exact},
		{"no difference", PermutationPaired([]float64{1, 2}, []float64{1, 2}), 1, WarnAllTied, Exact},
		{"all equal", PermutationInd([]float64{.1, .1}, []float64{.1}), 1, WarnAllTied, Exact},
		{"one empty", PermutationInd([]float64{1, 2}, nil), nan, WarnEmpty, MonteCarlo},
		{"NaN", PermutationInd([]float64{1, nan}, []float64{1}), nan, WarnNaN, MonteCarlo},
		{"infinity", PermutationPaired([]float64{math.Inf(1)}, []float64{1}), nan, WarnInf, MonteCarlo},
		{"no resamples", PermutationPaired(long, make([]float64, 41), Resamples(0)), nan, WarnBadParameter, MonteCarlo},
		{"too long for Exact", PermutationPaired(long, make([]float64, 41), Exact, Resamples(99)), .02, WarnResampled,
			MonteCarlo},
		{"longest for Exact", PermutationPaired(long[:24], make([]float64, 24), Exact), math.Ldexp(1, -23), 0, Exact},
		{"one against many", PermutationInd([]float64{9}, long[1:]), 2 / 41., 0, Exact},
		{"all but one", PermutationInd(long[1:], []float64{9}, Less), 1 / 41., 0, Exact},
		{"asked for", PermutationPaired([]float64{1}, []float64{0}, MonteCarlo, Resamples(9), Less), 1, 0, MonteCarlo},
	} {
		t.Run(c.name, func(t *testing.T) {
			closeToOrLost(t, "P", c.r.P, c.p, 1e-15)
			if c.r.Warnings != c.warning || c.r.Method != c.method {
				t.Errorf("warnings %q, want %q; method %v, want %v", c.r.Warnings, c.warning, c.r.Method, c.method)
			}
		})
	}
}

func BenchmarkPermutationPaired(b *testing.B) {
	for _, n := range []int{13, 40, 1000, 15342} {
		x, y := residueSequence(n, 7919, 104729, 1, 0), residueSequence(n, 6007, 12345, 1, 0)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				PermutationPaired(x, y)
			}
		})
	}
}
