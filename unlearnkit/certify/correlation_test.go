package certify

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// correlated returns a panel of two scores of five methods in four worlds, and the correlation of their means.
func correlated() (*Panel, Quantity) {
	kept := [][]float64{{80, 82, 79, 83}, {75, 79, 74, 78}, {60, 71, 66, 64}, {77, 76, 80, 81}, {70, 72, 75, 69}}
	left := [][]float64{{30, 25, 34, 29}, {26, 31, 22, 27}, {20, 17, 25, 19}, {28, 30, 35, 24}, {33, 22, 28, 30}}
	panel := &Panel{}
	var xs, ys []Quantity
	for i := range kept {
		for name, scores := range map[string][]float64{"kept": kept[i], "left": left[i]} {
			var samples []Sample
			for _, score := range scores {
				samples = append(samples, Sample{Values: []float64{score}, Units: []int{0}})
			}
			panel.Add(name+string(rune('a'+i)), Repeated(worlds, people, samples))
		}
		xs, ys = append(xs, Mean("kept"+string(rune('a'+i)))), append(ys, Mean("left"+string(rune('a'+i))))
	}
	return panel, func(m Means) float64 {
		var x, y []float64
		for i := range xs {
			x, y = append(x, xs[i](m)), append(y, ys[i](m))
		}
		return stat.Correlation(x, y, nil)
	}
}

// The numbers were computed with numpy 2.4 and scipy 1.17: the gradient of numpy.corrcoef at the means by central
// differences, its variance over worlds, and Student's t with 3 degrees of freedom on the scale of numpy.arctanh.
func TestCorrelated(t *testing.T) {
	panel, correlation := correlated()
	judged := JudgeClaims("", "", 4, panel, []Claim{{Of: Correlated(0, correlation)}, {Of: Correlated(.9, correlation)}})
	for i, want := range []struct{ statistic, lo, hi, p float64 }{
		{0.867544212, -0.174801745, 0.992958066, 0.067423674},
		{-0.032455788, -1.074801745, 0.092958066, 0.772355526},
	} {
		for _, x := range []struct{ got, want float64 }{{judged[i].Statistic, want.statistic}, {judged[i].Lo, want.lo},
			{judged[i].Hi, want.hi}, {judged[i].P, want.p}} {
			if math.Abs(x.got-x.want) > 1e-6 {
				t.Errorf("got %+v, want %+v", judged[i], want)
			}
		}
	}
	if plain := panel.Estimate(correlation); plain.Hi <= 1 {
		t.Errorf("without Fisher's scale the interval ends at %v, want more than 1", plain.Hi)
	}
}

// A perfect correlation has no spread on Fisher's scale, so it is untestable.
func TestCorrelated_Perfect(t *testing.T) {
	panel := &Panel{}
	panel.Add("one", Repeated(worlds, people, rows([][]float64{{1}, {1}, {1}})))
	j := JudgeClaims("", "", 3, panel, []Claim{{Of: Correlated(0, Mean("one"))}})[0]
	if j.Verdict != Untestable || j.Statistic != 1 {
		t.Errorf("got %+v, want an untestable claim", j)
	}
}
