package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var rankMirrored = map[Alternative]Alternative{TwoSided: TwoSided, Less: Greater, Greater: Less}

// rankDrawSample returns n random small integers as floats, so that sums are exact and ties are common.
func rankDrawSample(t *rapid.T, n int, label string) []float64 {
	ints := rapid.SliceOfN(rapid.IntRange(-12, 12), n, n).Draw(t, label)
	x := make([]float64, n)
	for i, v := range ints {
		x[i] = float64(v)
	}
	return x
}

func rankDrawSettings(t *rapid.T) (Alternative, []Option) {
	a := rapid.SampledFrom([]Alternative{TwoSided, Less, Greater}).Draw(t, "alternative")
	m := rapid.SampledFrom([]Method{Auto, Exact, Asymptotic}).Draw(t, "method")
	return a, []Option{m, Correction(rapid.Bool().Draw(t, "correction")), TieAware(rapid.Bool().Draw(t, "tie aware"))}
}

func rankShuffled(t *rapid.T, n int) []int { return rapid.Permutation(rankIota(n)).Draw(t, "order") }

func rankIota(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func rankPick(x []float64, order []int) []float64 {
	out := make([]float64, len(order))
	for i, from := range order {
		out[i] = x[from]
	}
	return out
}

// rankSamePs fails unless two p-values are equal except for rounding.
func rankSamePs(t *rapid.T, what string, got, want float64) {
	if !(math.Abs(got-want) <= 1e-12*(1+want)) {
		t.Fatalf("%s: p = %.17g, want %.17g", what, got, want)
	}
}

func TestWilcoxon_Symmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		x, y := rankDrawSample(t, n, "x"), rankDrawSample(t, n, "y")
		a, opts := rankDrawSettings(t)
		opts = append(opts, rapid.SampledFrom([]ZeroMethod{DropZeros, PrattZeros, SplitZeros}).Draw(t, "zeros"))
		r := Wilcoxon(x, y, append(opts, a)...)
		swapped := Wilcoxon(y, x, append(opts, rankMirrored[a])...)
		rankSamePs(t, "samples exchanged", swapped.P, r.P)
		if swapped.Z != -r.Z || swapped.RPlus != r.RMinus || swapped.Effect.Value != -r.Effect.Value {
			t.Fatalf("exchanging the samples turns %+v into %+v", r, swapped)
		}
		order := rankShuffled(t, n)
		rankSamePs(t, "pairs reordered", Wilcoxon(rankPick(x, order), rankPick(y, order), append(opts, a)...).P, r.P)
		shift := func(v float64) float64 { return 8*v + 3 }
		rankSamePs(t, "scaled and shifted", Wilcoxon(applied(x, shift), applied(y, shift), append(opts, a)...).P, r.P)
		if total := float64(r.N*(r.N+1)) / 2; opts[3] == Option(DropZeros) && r.RPlus+r.RMinus != total {
			t.Fatalf("R+ and R− sum to %g, not %g", r.RPlus+r.RMinus, total)
		}
	})
}

func TestMannWhitney_Symmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rankDrawSample(t, rapid.IntRange(1, 25).Draw(t, "n1"), "x")
		y := rankDrawSample(t, rapid.IntRange(1, 25).Draw(t, "n2"), "y")
		a, opts := rankDrawSettings(t)
		same, mirror := append(slices.Clone(opts), a), append(slices.Clone(opts), rankMirrored[a])
		order := rankShuffled(t, len(x))
		rising := func(v float64) float64 { return v*v*v + math.Exp(v) }
		falling := func(v float64) float64 { return -v }
		for name, test := range map[string]func(x, y []float64, opts ...Option) Result{
			"mannwhitney": func(x, y []float64, opts ...Option) Result { return MannWhitney(x, y, opts...).Result },
			"ks":          func(x, y []float64, opts ...Option) Result { return KS2(x, y, opts...).Result },
		} {
			p := test(x, y, same...).P
			if math.IsNaN(p) {
				continue // the asymptotic p-value of KS2 for one value against one is undefined
			}
			rankSamePs(t, name+", samples exchanged", test(y, x, mirror...).P, p)
			rankSamePs(t, name+", values reordered", test(rankPick(x, order), y, same...).P, p)
			rankSamePs(t, name+", values transformed", test(applied(x, rising), applied(y, rising), same...).P, p)
			rankSamePs(t, name+", values negated", test(applied(x, falling), applied(y, falling), mirror...).P, p)
		}
	})
}

func TestMannWhitney_SamePairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rankDrawSample(t, rapid.IntRange(1, 25).Draw(t, "n1"), "x")
		y := rankDrawSample(t, rapid.IntRange(1, 25).Draw(t, "n2"), "y")
		r := MannWhitney(x, y)
		if r.U1 != rankPairsWon(x, y) || r.U2 != rankPairsWon(y, x) {
			t.Fatalf("U1 = %g, U2 = %g, want %g, %g", r.U1, r.U2, rankPairsWon(x, y), rankPairsWon(y, x))
		}
		if math.Abs(r.Effect.Value-(2*r.CommonLanguage-1)) > 1e-15 {
			t.Fatalf("delta %g, common language %g", r.Effect.Value, r.CommonLanguage)
		}
	})
}

func TestFriedman_Symmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(2, 5).Draw(t, "k"), rapid.IntRange(1, 6).Draw(t, "n")
		columns := make([][]float64, k)
		for j := range columns {
			columns[j] = rankDrawSample(t, n, "column")
		}
		method := rapid.SampledFrom([]Method{Auto, Exact}).Draw(t, "method")
		p := Friedman(columns, method).P
		order, columnOrder := rankShuffled(t, n), rankShuffled(t, k)
		changed := make([][]float64, k)
		for j, from := range columnOrder {
			changed[j] = rankPick(columns[from], order)
			for i := range changed[j] {
				changed[j][i] = changed[j][i]*2 + float64(100*i) // each row is transformed in its own way
			}
		}
		rankSamePs(t, "columns and rows reordered", Friedman(changed, method).P, p)
	})
}

// A rank is one more than the number of smaller values.
func TestRanks_CountSmaller(t *testing.T) {
	var s Scratch
	for _, n := range []int{0, 1, 2, 50, 63, 64, 255, 256, 5000} {
		for _, levels := range []int{1, 3, 1 << 30} {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(levels)))
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(rng.IntN(levels)-levels/2) * math.Pow(10, float64(rng.IntN(3)))
			}
			ordered := slices.Sorted(slices.Values(x))
			for i, rank := range Ranks(nil, x, &s) {
				first, _ := slices.BinarySearch(ordered, x[i])
				after, _ := slices.BinarySearchFunc(ordered, x[i], func(v, target float64) int {
					if v <= target {
						return -1
					}
					return 1
				})
				if want := float64(first+1+after) / 2; rank != want {
					t.Fatalf("n=%d, %d levels: rank of %g is %g, want %g", n, levels, x[i], rank, want)
				}
			}
		}
	}
}

func TestRankKeys_Order(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		if (rankKey(a) < rankKey(b)) != (a < b) || (rankKey(a) == rankKey(b)) != (a == b) {
			t.Fatalf("keys of %g and %g are %x and %x", a, b, rankKey(a), rankKey(b))
		}
		if rankValue(rankKey(a)) != a {
			t.Fatalf("%g comes back as %g", a, rankValue(rankKey(a)))
		}
	})
}

func TestScratch_Allocations(t *testing.T) {
	x, y := twoNormalSamples(300)
	coarse := applied(x[:20], math.Round)
	var s Scratch
	for name, call := range map[string]func(){
		"Wilcoxon":             func() { Wilcoxon(x, y, &s) },
		"Wilcoxon, exact":      func() { Wilcoxon(x[:20], coarse, &s, Exact, PrattZeros, Less) },
		"MannWhitney":          func() { MannWhitney(x, y, &s) },
		"MannWhitney, exact":   func() { MannWhitney(x[:30], y, &s, Exact) },
		"MannWhitney, ties":    func() { MannWhitney(coarse, coarse[:9], &s, Exact) },
		"Sign":                 func() { Sign(x, y, &s) },
		"KS2":                  func() { KS2(x, y[:250], &s) },
		"KS2, ties":            func() { KS2(coarse, coarse[:9], &s, TieAware(true)) },
		"KS1, one-sided":       func() { KS1(x, func(v float64) float64 { return .5 }, &s, Less) },
		"Ranks into given dst": func() { Ranks(y, x, &s) },
	} {
		call()
		if n := testing.AllocsPerRun(20, call); n != 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
}
