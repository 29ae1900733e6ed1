package metric_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

func TestCCSVariants(t *testing.T) {
	wantNear(t, "retain", metric.CCSPrintedRetain([]float64{.2, .4, .9}), .5, 1e-15)
	wantNear(t, "forget", metric.CCSPrintedForget([]float64{.2, .4, .9}), .5, 1e-15)
	wantNear(t, "retain of none", metric.CCSPrintedRetain(nil), nan, 0)
	wantNear(t, "forget of none", metric.CCSPrintedForget(nil), nan, 0)
	wantNear(t, "code of none", metric.CCSCode(nil), nan, 0)

	curve := []metric.ConceptConfidence{{Psi: .001, Original: []float64{.1}}, {Psi: .25, Original: []float64{.4, .6}},
		{Psi: .55, Original: []float64{.9}}}
	wantNear(t, "code", metric.CCSCode(curve), .5, 1e-15)
	wantNear(t, "code below the threshold", metric.CCSBelowThreshold(curve), .3, 1e-15)
	wantNear(t, "code of a ratio without images", metric.CCSCode(append(curve, metric.ConceptConfidence{Psi: .1})), nan,
		0)
}

func TestCCSProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 30).Draw(t, "p")
		retain, forget := metric.CCSPrintedRetain(p), metric.CCSPrintedForget(p)
		if retain < 0 || retain > 1 || math.Abs(retain+forget-1) > 1e-15 {
			t.Fatalf("retain %v, forget %v", retain, forget)
		}
		curve := make([]metric.ConceptConfidence, len(p))
		for i := range p {
			curve[i] = metric.ConceptConfidence{Psi: float64(i) / 100, Original: p[i : i+1]}
		}
		if code := metric.CCSCode(curve); math.Abs(code-retain) > 1e-15 {
			t.Fatalf("one image a ratio: code %v, eq. (5) %v", code, retain)
		}
	})
}

func ExampleCCSCode() {
	curve := []metric.ConceptConfidence{{Psi: .001, Original: []float64{.2}}, {Psi: .25, Original: []float64{.6}},
		{Psi: .55, Original: []float64{1}}}
	fmt.Printf("%.2f, without the last ratio %.2f\n", metric.CCSCode(curve), metric.CCSBelowThreshold(curve))
	// Output: 0.60, without the last ratio 0.40
}
