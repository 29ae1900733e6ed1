package stat

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestFisher_EqualsScipyAndR(t *testing.T) {
	binomialFixtures(t, func(t *testing.T, fixture binomialFixture) {
		for _, c := range fixture.Fisher {
			what := fmt.Sprint(c.Table, " ", c.Alternative)
			r := Fisher(c.Table, alternativeNamed[c.Alternative])
			closeToOrLost(t, what+" P", r.P, float64(*c.P), 1e-9)
			closeToOrLost(t, what+" odds ratio", r.OddsRatio, float64(*c.Odds), 1e-12)
			if c.Conditional != nil {
				closeToOrLost(t, what+" conditional", r.Conditional.Value, float64(*c.Conditional), 1e-9)
			}
			if c.Roughly != nil { // fisher.test's own root finder stops at an accuracy of 1e-4
				closeToOrLost(t, what+" estimate", r.Conditional.Value, float64(*c.Roughly), 1e-3)
			}
			if c.Lo != nil {
				closeToOrLost(t, what+" Lo", r.Conditional.Lo, float64(*c.Lo), 1e-9)
				closeToOrLost(t, what+" Hi", r.Conditional.Hi, float64(*c.Hi), 1e-9)
			}
		}
	})
}

// fisherTables calls f for all tables whose cells sum to n.
func fisherTables(n int, f func(table [2][2]int)) {
	for a := 0; a <= n; a++ {
		for b := 0; a+b <= n; b++ {
			for c := 0; a+b+c <= n; c++ {
				f([2][2]int{{a, b}, {c, n - a - b - c}})
			}
		}
	}
}

func TestFisher_SumOverTables(t *testing.T) {
	for n := 2; n <= 10; n++ {
		fisherTables(n, func(table [2][2]int) {
			h, a := fisherMargins(table), table[0][0]
			mass := func(k int) float64 {
				return binomialChoose(h.row1, k) * binomialChoose(h.row2, h.column-k) / binomialChoose(n, h.column)
			}
			var less, greater, both float64
			for k := h.lo; k <= h.hi; k++ {
				m := mass(k)
				if k <= a {
					less += m
				}
				if k >= a {
					greater += m
				}
				if m <= mass(a)*(1+1e-7) {
					both += m
				}
			}
			what := fmt.Sprint(table)
			closeToOrLost(t, what+", less", Fisher(table, Less).P, less, 1e-12)
			closeToOrLost(t, what+", greater", Fisher(table, Greater).P, greater, 1e-12)
			closeToOrLost(t, what, Fisher(table).P, both, 1e-12)
		})
	}
}

// The conditional estimate and its limits solve their equations.
func TestFisher_SolvesEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.IntRange(1, 200)
		table := [2][2]int{{cell.Draw(t, "a"), cell.Draw(t, "b")}, {cell.Draw(t, "c"), cell.Draw(t, "d")}}
		level := rapid.Float64Range(.5, 1-1e-12).Draw(t, "level")
		e := Fisher(table, Level(level)).Conditional
		h, a := fisherMargins(table), table[0][0]
		closeToOrLost(t, "E(X)", h.moments(math.Log(e.Value), a).mean, float64(a), 1e-12)
		closeToOrLost(t, "P(X ≥ a) at Lo", h.moments(math.Log(e.Lo), a).tail, (1-level)/2, 1e-9)
		closeToOrLost(t, "P(X ≥ a+1) at Hi", 1-h.moments(math.Log(e.Hi), a+1).tail, (1-level)/2,
			max(1e-9, 1e-15/(1-level)))
	})
}

func TestFisher_Transposition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.IntRange(0, 400)
		a, b, c, d := cell.Draw(t, "a"), cell.Draw(t, "b"), cell.Draw(t, "c"), cell.Draw(t, "d")
		r := Fisher([2][2]int{{a, b}, {c, d}})
		if r.Warnings != 0 {
			return
		}
		transposed := Fisher([2][2]int{{a, c}, {b, d}})
		closeToOrLost(t, "transposed P", transposed.P, r.P, 1e-10)
		closeToOrLost(t, "transposed odds ratio", transposed.Conditional.Value, r.Conditional.Value, 1e-10)
		closeToOrLost(t, "rows swapped", Fisher([2][2]int{{c, d}, {a, b}}, Less).P,
			Fisher([2][2]int{{a, b}, {c, d}}, Greater).P, 1e-10)
		swapped := Fisher([2][2]int{{b, a}, {d, c}}).Conditional
		closeToOrLost(t, "columns swapped, Lo", swapped.Lo, 1/r.Conditional.Hi, 1e-10)
		closeToOrLost(t, "columns swapped", swapped.Value, 1/r.Conditional.Value, 1e-10)
	})
}

func TestFisher_Degenerate(t *testing.T) {
	for _, c := range []struct {
		table   [2][2]int
		p       float64
		warning Warning
	}{
		{[2][2]int{}, math.NaN(), WarnEmpty},
		{[2][2]int{{0, 0}, {3, 4}}, 1, WarnAllTied},
		{[2][2]int{{0, 3}, {0, 4}}, 1, WarnAllTied},
		{[2][2]int{{1, 3}, {2, -1}}, math.NaN(), WarnBadParameter},
		{[2][2]int{{1, 0}, {0, 1}}, 1, 0},
	} {
		r := Fisher(c.table)
		closeToOrLost(t, fmt.Sprint(c.table), r.P, c.p, 1e-14)
		if r.Warnings != c.warning {
			t.Errorf("%v: warnings %q, want %q", c.table, r.Warnings, c.warning)
		}
	}
}

func BenchmarkFisher(b *testing.B) {
	for _, table := range [][2][2]int{{{3, 10}, {15, 7}}, {{280, 220}, {220, 280}}, {{8200, 7034}, {7034, 8200}}} {
		b.Run(fmt.Sprintf("n=%d", Fisher(table).N), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Fisher(table)
			}
		})
	}
}
