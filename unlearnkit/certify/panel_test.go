package certify

import (
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

func one(name string) Quantity { return func(m Means) float64 { return m(name) } }

func TestAQuantityOfOneMeanIsThatOfItsCertificate(t *testing.T) {
	for _, worlds := range []int{1, 2, 5} {
		samples := uneven(seed.Stream(10), worlds)
		panel := &Panel{}
		panel.Add("a", "people", samples)
		tail, cell := panel.Resample(1, []Quantity{one("a")})[0], Certify(samples, 0, 1, "")
		near(t, "value", tail.Value, cell.Estimate, 1e-14)
		near(t, "lo", tail.Lo, cell.Lo, 0.05*(cell.Hi-cell.Lo))
		near(t, "hi", tail.Hi, cell.Hi, 0.05*(cell.Hi-cell.Lo))
	}
}

func TestAPersonDrawnTwiceCountsTwiceInAllMeans(t *testing.T) {
	samples := uneven(seed.Stream(11), 3)
	double := make([]Sample, len(samples))
	for w, s := range samples {
		double[w] = Sample{Cluster: s.Cluster}
		for _, v := range s.Values {
			double[w].Values = append(double[w].Values, 2*v)
		}
	}
	panel := &Panel{}
	panel.Add("other", "objects", uneven(seed.Stream(12), 3))
	panel.Add("a", "people", samples)
	panel.Add("b", "people", samples)
	panel.Add("2a", "people", double)
	tails := panel.Resample(1, []Quantity{
		func(m Means) float64 { return m("a") - m("b") },
		func(m Means) float64 { return m("2a") - 2*m("a") },
		func(m Means) float64 { return m("a") - m("other") },
	})
	for i, tail := range tails[:2] {
		if tail.Value != 0 || tail.Lo != 0 || tail.Hi != 0 || tail.Above != 0.5 || tail.Below != 0.5 {
			t.Errorf("quantity %d: %+v, want zero in every replicate", i, tail)
		}
	}
	if tails[2].Lo == tails[2].Hi {
		t.Errorf("other people: %+v", tails[2])
	}
}

// Members of other families, and those that stand alone, are drawn by themselves.
func TestMembersThatStandAloneAreNobodyElse(t *testing.T) {
	mixed := Sample{Values: []float64{0, 1, 2, 3}, Cluster: []int{3, -1, -1, 1}}
	named := Sample{Values: mixed.Values, Cluster: []int{0, 1, 2, 3}}
	for name, s := range map[string]Sample{"mixed": mixed, "named": named} {
		panel := &Panel{}
		panel.Add("a", "people", []Sample{s})
		panel.Add("b", "people", []Sample{s})
		tails := panel.Resample(1, []Quantity{one("a"), func(m Means) float64 { return m("a") - m("b") }})
		near(t, name+": value", tails[0].Value, 1.5, 0)
		near(t, name+": lo", tails[0].Lo, 0.5, 0)
		near(t, name+": hi", tails[0].Hi, 2.5, 0)
		if tails[1].Lo != 0 || tails[1].Hi != 0 {
			t.Errorf("%s: alone in one mean and in another: %+v", name, tails[1])
		}
	}
}

// Shares of 2000 nulls (seed 13) with a two-sided p-value below .5, .1 and .01, as this test prints them with
// UNLEARNLAB_SLOW=1:
//
//	worlds differ     .512  .093  .011
//	people differ     .355  .029  .002    what people add is counted between worlds too
//	one world         .512  .097  .010
func TestPValuesAreUniformWhereNothingIsSo(t *testing.T) {
	simulations := simulations(250)
	for _, test := range []struct {
		h           hierarchy
		half, tenth [2]float64 // bounds of the shares below .5 and .1
	}{
		{hierarchy{"worlds differ", 5, 10, 1, 1, 0.05, 0.05}, [2]float64{0.43, 0.57}, [2]float64{0.06, 0.14}},
		{hierarchy{"people differ", 5, 10, 1, 0, 1, 0}, [2]float64{0.30, 0.50}, [2]float64{0.0, 0.1}},
		{hierarchy{"one world", 1, 40, 1, 0, 1, 0}, [2]float64{0.43, 0.57}, [2]float64{0.06, 0.14}},
	} {
		// All nulls stand in one panel as means of families of their own, so that worlds are drawn once for all.
		panel := &Panel{}
		var quantities []Quantity
		for i := range simulations {
			name := string(rune(i))
			panel.Add(name, "people", test.h.samples(seed.Stream(13, test.h.name, i)))
			quantities = append(quantities, one(name))
		}
		half, tenth, few := 0.0, 0.0, 0.0
		for _, tail := range panel.Resample(1, quantities) {
			p := 2 * min(tail.Above, tail.Below)
			for at, count := range map[float64]*float64{0.5: &half, 0.1: &tenth, 0.01: &few} {
				if p < at {
					*count += 1 / float64(simulations)
				}
			}
		}
		t.Logf("%s: %.3f below .5, %.3f below .1, %.3f below .01", test.h.name, half, tenth, few)
		if half < test.half[0] || half > test.half[1] || tenth < test.tenth[0] || tenth > test.tenth[1] || few > 0.03 {
			t.Errorf("%s: %.3f below .5, %.3f below .1, %.3f below .01", test.h.name, half, tenth, few)
		}
	}
}

func TestNoPValueIsBelowWhatSoManyDrawsTell(t *testing.T) {
	samples := uneven(seed.Stream(14), 5)
	for _, s := range samples {
		for i := range s.Values {
			s.Values[i] += 1e6
		}
	}
	panel := &Panel{}
	panel.Add("a", "people", samples)
	tails := panel.Resample(1, []Quantity{one("a"), func(m Means) float64 {
		return -m("a")
	}, func(Means) float64 { return 7 }, func(Means) float64 { return math.NaN() }})
	if tails[0].Above != 0.5e-4 || tails[0].Below != 1 || tails[1].Below != 0.5e-4 || tails[1].Above != 1 {
		t.Errorf("%+v", tails[:2])
	}
	if tails[2].Value != 7 || tails[2].Lo != 7 || tails[2].Above != 0.5e-4 {
		t.Errorf("a constant: %+v", tails[2])
	}
	if nan := tails[3]; !math.IsNaN(nan.Value) || !math.IsNaN(nan.Above) || !math.IsNaN(nan.Below) ||
		!math.IsNaN(nan.Lo) {
		t.Errorf("NaN: %+v", nan)
	}
}

func TestResamplingAgainGivesTheSame(t *testing.T) {
	tails := func(root uint64) []Tail {
		panel := &Panel{}
		panel.Add("a", "people", uneven(seed.Stream(15), 3))
		panel.Add("b", "objects", uneven(seed.Stream(16), 3))
		return panel.Resample(root, []Quantity{one("a"), func(m Means) float64 { return m("a") * m("b") }})
	}
	if first := tails(1); !slices.Equal(first, tails(1)) || slices.Equal(first, tails(2)) {
		t.Error("the numbers do not depend on the root alone")
	}
}

func TestMistakesOfTheProgramPanic(t *testing.T) {
	panel := &Panel{}
	panel.Add("a", "people", uneven(seed.Stream(17), 2))
	for name, mistake := range map[string]func(){
		"the same mean twice":    func() { panel.Add("a", "people", uneven(seed.Stream(17), 2)) },
		"other worlds":           func() { panel.Add("b", "people", uneven(seed.Stream(17), 3)) },
		"a mean that it has not": func() { panel.Resample(1, []Quantity{one("b")}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			mistake()
		}()
	}
}

func BenchmarkResample40QuantitiesOf250Means(b *testing.B) {
	h := hierarchy{"", 5, 50, 1, 1, 1, 1}
	panel := &Panel{}
	var names []string
	for i := range 250 {
		names = append(names, string(rune('a'+i)))
		panel.Add(names[i], "people", h.samples(seed.Stream(1, i)))
	}
	var quantities []Quantity
	for i := range 40 {
		quantities = append(quantities, func(m Means) float64 {
			sum := 0.0
			for k := range 6 {
				sum += m(names[(6*i+k)%250])
			}
			return sum
		})
	}
	for b.Loop() {
		panel.Resample(1, quantities)
	}
}
