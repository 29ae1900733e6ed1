package metric_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// drawMasses returns n random masses with sum 1. Some of them are 0.
func drawMasses(t *rapid.T, name string, n int) []float64 {
	p := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 9), func(i int) float64 { return float64(i) }), n, n).Draw(t, name)
	sum := 1.0
	for _, m := range p {
		sum += m
	}
	p[0]++
	for i := range p {
		p[i] /= sum
	}
	return p
}

func TestTotalVariation_IsMetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "categories")
		p, q, r := drawMasses(t, "p", n), drawMasses(t, "q", n), drawMasses(t, "r", n)
		distance := func(a, b []float64) float64 {
			d, err := metric.TotalVariation(a, b)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		if d := distance(p, q); d < 0 || d > 1+1e-15 || d != distance(q, p) || distance(p, p) != 0 {
			t.Fatalf("distance %v", d)
		}
		if distance(p, r) > distance(p, q)+distance(q, r)+1e-15 {
			t.Fatal("triangle inequality")
		}
	})
}

func TestDistances_UnequalMasses(t *testing.T) {
	for name, c := range map[string][2][]float64{
		"totals":   {{.5, .5}, {.5, .6}},
		"lengths":  {{1}, {.5, .5}},
		"empty":    {{}, {}},
		"negative": {{1.5, -.5}, {.5, .5}},
		"NaN":      {{nan, 1}, {.5, .5}},
		"infinite": {{inf, 1}, {inf, 1}},
		"overflow": {{math.MaxFloat64, math.MaxFloat64}, {math.MaxFloat64, math.MaxFloat64}},
	} {
		variation, err1 := metric.TotalVariation(c[0], c[1])
		line, err2 := metric.EMD1D(c[0], c[1])
		if err1 == nil || err2 == nil || !math.IsNaN(variation) || !math.IsNaN(line) {
			t.Errorf("%s: got %v, %v; %v, %v, want err1 not nil, err2 not nil, variation NaN, line NaN",
				name, variation, err1, line, err2)
		}
	}
}

func ExampleTotalVariation() {
	// This is the example in the appendix of Unlearning or Concealment.
	d, err := metric.TotalVariation([]float64{.2, .1, .7}, []float64{.3, .4, .3})
	fmt.Printf("%.1f %v\n", d, err)
	// Output: 0.4 <nil>
}
