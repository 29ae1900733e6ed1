package metric_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

func TestCRS_Formulas(t *testing.T) {
	for _, c := range []struct{ cosine, retain, forget, code, corrected float64 }{
		{-1, 1.5, -.5, 1.1366, -1},
		{0, 1, 0, .6366, 0},
		{.5, .7048, .2952, .3415, .5903},
		{.8, .5704, .4296, .2071, .8591},
		{.9, .5335, .4665, .1701, .9330},
		{1, .5, .5, .1366, 1},
	} {
		cosines := []float64{c.cosine, c.cosine}
		what := fmt.Sprintf(" at %v", c.cosine)
		wantNear(t, "eq. (7)"+what, metric.CRSPrintedRetain(cosines), c.retain, 5e-5)
		wantNear(t, "eq. (8)"+what, metric.CRSPrintedForget(cosines), c.forget, 5e-5)
		wantNear(t, "code"+what, metric.CRSCodeDissimilarity(cosines), c.code, 5e-5)
		wantNear(t, "corrected"+what, metric.CRSCorrected(cosines), c.corrected, 5e-5)
	}
}

func TestCRS_NaN(t *testing.T) {
	for _, cosines := range [][]float64{nil, {.5, 1.01}, {nan}, {-2}} {
		wantNear(t, fmt.Sprint(cosines), metric.CRSPrintedRetain(cosines), nan, 0)
	}
	wantNear(t, "a cosine above 1 by rounding", metric.CRSCorrected([]float64{1 + 1e-7}), 1, 0)
	if s := metric.CRS(nil); s.All.Ratios != 0 || !math.IsNaN(s.All.CodeForget) || !math.IsNaN(s.All.Contrast) {
		t.Errorf("no ratios: %+v", s)
	}
}

// Proposition 5 of Unlearning or Concealment says that retaining drives eq. (7) to 1 and forgetting drives eq. (8) to
// 0. Eq. (7) at a perfect match is 1 − (2/π)(π/4) = .5, and images that turn into the unlearned model's drive eq. (8)
// to .5.
func TestCRS_PropositionFive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gap := rapid.Float64Range(0, 1).Draw(t, "1 − cosine")
		match := []float64{1 - gap}
		retain, forget := metric.CRSPrintedRetain(match), metric.CRSPrintedForget(match)
		// The slope of arctan is at most 1, so both scores are within (2/π)·gap of the limit .5.
		if math.Abs(retain-.5) > 2/math.Pi*gap+1e-15 || math.Abs(forget-.5) > 2/math.Pi*gap+1e-15 {
			t.Fatalf("retain %v, forget %v at distance %v from a match", retain, forget, gap)
		}
	})
	if lo, hi := metric.CRSRangeRectified(metric.CRSPrintedRetainVariant); lo != .5 || hi != 1 {
		t.Errorf("eq. (7) reaches [%v, %v]", lo, hi)
	}
}

func drawCurve(t *rapid.T, least float64) []metric.ConceptCosines {
	cosines := rapid.SliceOfN(rapid.Float64Range(least, 1), 1, 12)
	curve := make([]metric.ConceptCosines, rapid.IntRange(1, 8).Draw(t, "ratios"))
	for i := range curve {
		curve[i] = metric.ConceptCosines{Psi: float64(i) / 10, Original: cosines.Draw(t, "O"),
			Unlearned: cosines.Draw(t, "U")}
	}
	return curve
}

func TestCRS_Range(t *testing.T) {
	for _, c := range []struct {
		least    float64
		reaching func(metric.CRSVariant) (lo, hi float64)
	}{{-1, metric.CRSRange}, {0, metric.CRSRangeRectified}} {
		rapid.Check(t, func(t *rapid.T) {
			curve := drawCurve(t, c.least)
			s := metric.CRS(curve)
			for variant, value := range map[metric.CRSVariant]float64{
				metric.CRSPrintedRetainVariant: metric.CRSPrintedRetain(curve[0].Original),
				metric.CRSPrintedForgetVariant: metric.CRSPrintedForget(curve[0].Unlearned),
				metric.CRSCodeForgetVariant:    s.All.CodeForget,
				metric.CRSCodeRetainVariant:    s.All.CodeRetain,
				metric.CRSCorrectedVariant:     s.All.Original,
				metric.CRSContrastVariant:      s.All.Contrast,
			} {
				if lo, hi := c.reaching(variant); value < lo-1e-14 || value > hi+1e-14 {
					t.Fatalf("%v = %v outside [%v, %v]", variant, value, lo, hi)
				}
			}
		})
	}
}

func TestCRS_RangeAttained(t *testing.T) {
	for _, c := range []struct {
		least    float64
		reaching func(metric.CRSVariant) (lo, hi float64)
	}{{-1, metric.CRSRange}, {0, metric.CRSRangeRectified}} {
		apart := metric.CRS([]metric.ConceptCosines{{Original: []float64{1}, Unlearned: []float64{c.least}}}).All
		swapped := metric.CRS([]metric.ConceptCosines{{Original: []float64{c.least}, Unlearned: []float64{1}}}).All
		same := metric.CRS([]metric.ConceptCosines{{Original: []float64{1}, Unlearned: []float64{1}}}).All
		for variant, ends := range map[metric.CRSVariant][2]float64{
			metric.CRSPrintedRetainVariant: {metric.CRSPrintedRetain([]float64{1}),
				metric.CRSPrintedRetain([]float64{c.least})},
			metric.CRSPrintedForgetVariant: {metric.CRSPrintedForget([]float64{c.least}),
				metric.CRSPrintedForget([]float64{1})},
			metric.CRSCodeForgetVariant: {same.CodeForget, apart.CodeForget},
			metric.CRSCodeRetainVariant: {apart.CodeRetain, same.CodeRetain},
			metric.CRSCorrectedVariant:  {swapped.Original, apart.Original},
			metric.CRSContrastVariant:   {swapped.Contrast, apart.Contrast},
		} {
			lo, hi := c.reaching(variant)
			wantNear(t, fmt.Sprintf("least %v", variant), ends[0], lo, 1e-15)
			wantNear(t, fmt.Sprintf("greatest %v", variant), ends[1], hi, 1e-15)
		}
	}
}

func TestCRS_CodeMirrored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		curve := drawCurve(t, -1)
		s := metric.CRS(curve)
		if s.All.CodeRetain != 1-s.All.CodeForget {
			t.Fatalf("got %+v, want CodeRetain %v", s.All, 1-s.All.CodeForget)
		}
		for i := range curve {
			curve[i].Original, curve[i].Unlearned = curve[i].Unlearned, curve[i].Original
		}
		swapped := metric.CRS(curve)
		if math.Abs(swapped.All.CodeForget-s.All.CodeForget) > 1e-15 {
			t.Fatal("d tells the original from the unlearned model")
		}
		if math.Abs(swapped.All.Contrast+s.All.Contrast-1) > 1e-14 {
			t.Fatalf("contrast %v and %v", s.All.Contrast, swapped.All.Contrast)
		}
	})
}

// Below the threshold, the last ratio is left out.
func TestCRS_BelowThreshold(t *testing.T) {
	curve := []metric.ConceptCosines{
		{Psi: .25, Original: []float64{.6, .8}, Unlearned: []float64{.9}},
		{Psi: .55, Original: []float64{1}, Unlearned: []float64{.2}},
	}
	s, first := metric.CRS(curve), metric.CRS(curve[:1])
	if s.BelowThreshold != first.All || s.All.Ratios != 2 {
		t.Errorf("%+v, want %+v", s.BelowThreshold, first.All)
	}
	wantNear(t, "d", s.All.CodeForget, (s.Curve[0].Difference+s.Curve[1].Difference)/2, 1e-15)
	wantNear(t, "contrast", s.Curve[1].Contrast, .5+(1-4/math.Pi*math.Atan(.2))/4, 1e-15)
}

func ExampleCRS() {
	s := metric.CRS([]metric.ConceptCosines{
		{Psi: .25, Original: []float64{.80, .82}, Unlearned: []float64{.90, .92}},
		{Psi: .55, Original: []float64{.95, .97}, Unlearned: []float64{.70, .72}},
	})
	fmt.Printf("code: forget %.3f, retain %.3f\n", s.All.CodeForget, s.All.CodeRetain)
	for _, p := range s.Curve {
		fmt.Printf("psi %.2f: contrast %.3f\n", p.Psi, p.Contrast)
	}
	// Output:
	// code: forget 0.065, retain 0.935
	// psi 0.25: contrast 0.482
	// psi 0.55: contrast 0.547
}

func ExampleCRSRange() {
	lo, hi := metric.CRSRange(metric.CRSPrintedRetainVariant)
	fmt.Printf("%v: %.1f to %.1f\n", metric.CRSPrintedRetainVariant, lo, hi)
	// Output: crs_printed_retain: 0.5 to 1.5
}
