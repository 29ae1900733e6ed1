package audit

import (
	"math"
	"math/big"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"pgregory.net/rapid"
)

// within returns a random interval and a number inside it.
func within(t *rapid.T, name string, lo, hi float64) (interval, float64) {
	a, b := rapid.Float64Range(lo, hi).Draw(t, name+" a"), rapid.Float64Range(lo, hi).Draw(t, name+" b")
	x := interval{min(a, b), max(a, b)}
	return x, rapid.OneOf(rapid.Just(x.lo), rapid.Just(x.hi), rapid.Float64Range(x.lo, x.hi)).Draw(t, name)
}

// narrow returns a random interval, about as wide as a printed number's interval, and a number inside it.
func narrow(t *rapid.T, name string, lo, hi float64) (interval, float64) {
	middle := rapid.Float64Range(lo, hi).Draw(t, name+" middle")
	x := interval{middle - .0005, middle + .0005}
	return x, rapid.OneOf(rapid.Just(x.lo), rapid.Just(x.hi), rapid.Float64Range(x.lo, x.hi)).Draw(t, name)
}

func mustContain(t *rapid.T, what string, x interval, v float64) {
	if !x.contains(v) {
		t.Fatalf("%s: %v is outside [%v, %v]", what, v, x.lo, x.hi)
	}
}

func TestInterval_Encloses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, a := within(t, "x", -1e3, 1e3)
		y, b := within(t, "y", -1e3, 1e3)
		exactly := func(op func(z, x, y *big.Rat) *big.Rat, enclosure interval) {
			exact := op(new(big.Rat), new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b))
			if exact.Cmp(new(big.Rat).SetFloat64(enclosure.lo)) < 0 ||
				exact.Cmp(new(big.Rat).SetFloat64(enclosure.hi)) > 0 {
				t.Fatalf("%v, %v: %v is outside %v", a, b, exact, enclosure)
			}
		}
		exactly((*big.Rat).Add, x.add(y))
		exactly((*big.Rat).Sub, x.sub(y))
		mustContain(t, "abs", x.abs(), math.Abs(a))
		mustContain(t, "hull", x.hull(y), a)
		if x.contains(b) && y.contains(b) && !x.intersect(y).contains(b) {
			t.Fatalf("%v is lost in the intersection of %v and %v", b, x, y)
		}
	})
}

func TestInterval_MetricsEnclosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// The accuracies are drawn close together, where efficacy has its maximum and is clipped.
		unlearned, u := narrow(t, "unlearned", .49, .51)
		gold, g := narrow(t, "gold", .49, .51)
		original, o := narrow(t, "original", .49, .52)
		mustContain(t, "efficacy", efficacySpan(unlearned, gold, original), efficacy(u, g, o))

		wide, a := within(t, "wide unlearned", .4, .7)
		mustContain(t, "efficacy", efficacySpan(wide, gold, original), efficacy(a, g, o))

		theirs, p := narrow(t, "gold utility", .4, .99)
		ours, q := narrow(t, "utility", .4, .99)
		mustContain(t, "utility", utilitySpan(theirs, ours), 1-math.Abs(p-q))

		seconds, s := within(t, "seconds", 1, 1e5)
		speedup, v := within(t, "speed-up", 1.1, 2000)
		mustContain(t, "efficiency", efficiencySpan(seconds, speedup), efficiency(s, v))

		eff := efficacySpan(unlearned, gold, original)
		mustContain(t, "GUM", gumSpan(utilitySpan(theirs, ours), eff, efficiencySpan(seconds, speedup)),
			gum(1-math.Abs(p-q), efficacy(u, g, o), efficiency(s, v)))
	})
}

// Efficacy peaks inside the box only if the unlearned accuracy can equal gold's.
func TestEfficacySpan_Peak(t *testing.T) {
	original := interval{.6, .61}
	if e := efficacySpan(interval{.5, .52}, interval{.51, .53}, original); e.hi != 1 {
		t.Errorf("overlap: %v", e)
	}
	if e := efficacySpan(interval{.54, .55}, interval{.51, .53}, original); e.hi >= 1 || e.lo <= 0 {
		t.Errorf("apart: %v", e)
	}
	if e := efficacySpan(interval{.62, .63}, interval{.51, .53}, original); e.lo > 0 || e.hi < 0 || e.hi > 1e-12 {
		t.Errorf("beyond the original: %v", e)
	}
}

func TestImpliedEfficiency_Found(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, e := rapid.Float64Range(.5, 1).Draw(t, "utility"), rapid.Float64Range(.05, 1).Draw(t, "efficacy")
		seconds, speedup := rapid.Float64Range(10, 1e6).Draw(t, "seconds"),
			rapid.Float64Range(1.5, 2000).Draw(t, "speed-up")
		efficient := efficiency(seconds, speedup)
		printed := gum(u, e, efficient)
		slack := interval{printed - 1e-9, printed + 1e-9}
		behind := impliedEfficiency(slack, point(u), point(e))
		mustContain(t, "efficiency", behind, efficient)
		mustContain(t, "seconds", retraining(behind, point(speedup)), seconds)
	})
}

func TestImpliedEfficiency_None(t *testing.T) {
	if got := impliedEfficiency(interval{.9, .91}, point(.9), point(.4)); !got.empty() {
		t.Errorf("GUM .9 of utility .9 and efficacy .4 needs T in %v", got)
	}
	if got := retraining(nothing, point(10)); !got.empty() {
		t.Errorf("times %v of no efficiency", got)
	}
	if got := impliedEfficiency(interval{-.0005, .0005}, point(.9), point(0)); got.lo > 0 || got.hi < 1 {
		t.Errorf("GUM 0 at efficacy 0 allows T in %v only", got)
	}
}

func TestProportions_Exact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		percent := new(big.Rat).SetFrac64(int64(100*k), int64(n)).FloatString(2)
		cell := papers.Cell{Value: percent}
		if low, high := counts(cell, n, 100); low > int64(k) || high < int64(k) {
			t.Fatalf("%d/%d prints as %s, counts are %d to %d", k, n, percent, low, high)
		}
		if d := smallestDenominator([]papers.Cell{cell}, 100, n); d == 0 || d > n {
			t.Fatalf("%s = %d/%d has smallest denominator %d", percent, k, n, d)
		}
	})
	for _, c := range []struct {
		value     string
		n         int
		low, high int64
	}{
		{"13.33", 2000, 267, 266}, {"91.50", 2000, 1830, 1830}, {"50", 2, 1, 1}, {"50", 300, 149, 151},
		{"-1.00", 100, -1, -1},
	} {
		if low, high := counts(papers.Cell{Value: c.value}, c.n, 100); low != c.low || high != c.high {
			t.Errorf("%s of %d: %d to %d, want %d to %d", c.value, c.n, low, high, c.low, c.high)
		}
	}
}
