package stat

import (
	"fmt"
	"math"
	"testing"
)

func TestKendall_EqualsScipy(t *testing.T) {
	cases := rankFixture(t, "kendall_scipy.json")["kendall"]
	for i, c := range cases {
		r := Kendall(c.X, c.Y, c.options()...)
		name := fmt.Sprintf("case %d (n=%d, %s, %s)", i, len(c.X), c.Alternative, c.Method)
		closeTo(t, name+" tau-b", r.Statistic, c.Statistic, 1e-13)
		closeTo(t, name+" p", r.P, c.P, rankTolerance)
	}
	if len(cases) < 100 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestKendall_PairOrder(t *testing.T) {
	for seed := range uint64(20) {
		x, y := seededNormals(seed, 30, 0), seededNormals(100+seed, 30, 0)
		for i := range x {
			x[i], y[i] = math.Round(2*x[i]), math.Round(x[i]+y[i])
		}
		concordant, discordant, tiesX, tiesY := 0, 0, 0, 0
		for i := range x {
			for j := range i {
				switch product := (x[i] - x[j]) * (y[i] - y[j]); {
				case product > 0:
					concordant++
				case product < 0:
					discordant++
				}
				if x[i] == x[j] {
					tiesX++
				}
				if y[i] == y[j] {
					tiesY++
				}
			}
		}
		r := Kendall(x, y)
		if r.Concordant != concordant || r.Discordant != discordant || r.TiesX != tiesX || r.TiesY != tiesY {
			t.Errorf("%+v, want %d and %d, ties %d and %d", r, concordant, discordant, tiesX, tiesY)
		}
		for i, j := 0, len(x)-1; i < j; i, j = i+1, j-1 {
			x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i]
		}
		if back := Kendall(x, y); back.Statistic != r.Statistic || back.P != r.P {
			t.Errorf("in the other order %v, was %v", back.Statistic, r.Statistic)
		}
		if turned := Kendall(y, x); math.Abs(turned.Statistic-r.Statistic) > 1e-15 {
			t.Errorf("x for y %v, was %v", turned.Statistic, r.Statistic)
		}
	}
}

func TestKendall_Degenerate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x, y []float64
		want Warning
	}{
		{nil, nil, WarnEmpty},
		{[]float64{1}, []float64{2}, WarnTooFew},
		{[]float64{1, nan, 3}, []float64{1, 2, 3}, WarnNaN},
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, WarnAllTied},
		{[]float64{1, 2, 3}, []float64{4, 4, 4}, WarnAllTied},
	} {
		if r := Kendall(c.x, c.y); !math.IsNaN(r.P) || !math.IsNaN(r.Statistic) || r.Warnings != c.want {
			t.Errorf("%v and %v: %+v", c.x, c.y, r)
		}
	}
	if r := Kendall([]float64{1, 1, 2, 3}, []float64{1, 2, 3, 4}, Exact); !r.Warnings.Has(WarnFellBack|WarnTies) ||
		r.Method != Asymptotic {
		t.Errorf("exact with ties: %+v", r)
	}
	if r := Kendall([]float64{1, math.Inf(1), 2}, []float64{1, 3, 2}); r.Statistic != 1 {
		t.Errorf("infinity is the largest: %+v", r)
	}
}
