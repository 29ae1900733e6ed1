package certify

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

var worlds = Repetitions{"world", "worlds"}

// reference holds the content of testdata/certify_statsmodels.json. The script gen_certify.py in the same folder writes
// that file.
type reference struct {
	Crossed []struct {
		Values    [][]float64
		Deviation float64
	}
	Once []struct {
		Values     [][]float64
		Once       []float64
		Pigeonhole float64
	}
	T []struct {
		Name     string
		Values   [][]float64
		X, Y     []float64
		P, DF    float64
		Interval [2]float64
	}
}

func readReference(t *testing.T) (r reference) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "certify_statsmodels.json"))
	if err == nil {
		err = json.Unmarshal(content, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// numbered returns a sample whose units are numbered from first.
func numbered(values []float64, first int) Sample {
	s := Sample{Values: values}
	for i := range values {
		s.Units = append(s.Units, first+i)
	}
	return s
}

func rows(values [][]float64) (samples []Sample) {
	for _, v := range values {
		samples = append(samples, numbered(v, 0))
	}
	return samples
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The standard error of a crossed layout equals the error of a mixed model.
func TestCrossed_MixedModel(t *testing.T) {
	for i, c := range readReference(t).Crossed {
		panel := &Panel{}
		panel.Add("a", Repeated(worlds, Family{"noises", true}, rows(c.Values)))
		e := panel.Estimate(Mean("a"))
		near(t, "standard error", e.sampling.deviation, c.Deviation, 1e-4*c.Deviation)
		if most := float64(len(c.Values) - 1); e.Basis.DF > most || len(e.Basis.Units) != 2 {
			t.Errorf("case %d: %+v, want at most %v degrees of freedom", i, e.Basis, most)
		}
	}
}

// Values that all repetitions share count once in the standard error.
func TestOnce_EntersOnce(t *testing.T) {
	for _, c := range readReference(t).Once {
		panel := &Panel{}
		noises := Family{"noises", true}
		panel.Add("a", Repeated(worlds, noises, rows(c.Values)))
		panel.Add("once", Once(noises, numbered(c.Once, 0)))
		e := panel.Estimate(Difference(Mean("a"), Mean("once")))
		near(t, "standard error", e.sampling.deviation, c.Pigeonhole, 0.02*c.Pigeonhole)
	}
}

func TestSimple_EqualsScipy(t *testing.T) {
	for _, c := range readReference(t).T {
		panel, q := &Panel{}, Difference(Mean("x"), Mean("y"))
		people := Family{Name: "people"}
		switch c.Name {
		case "paired":
			panel.Add("x", Repeated(worlds, people, []Sample{numbered(c.X, 0)}))
			panel.Add("y", Repeated(worlds, people, []Sample{numbered(c.Y, 0)}))
		case "welch":
			panel.Add("x", Repeated(worlds, people, []Sample{numbered(c.X, 0)}))
			panel.Add("y", Repeated(worlds, people, []Sample{numbered(c.Y, 1000)}))
		case "nested":
			panel.Add("x", Repeated(worlds, people, rows(c.Values)))
			q = Mean("x")
		}
		e := panel.Estimate(q)
		near(t, c.Name+": p", e.TwoSided(0), c.P, 1e-9)
		near(t, c.Name+": degrees of freedom", e.Basis.DF, c.DF, 1e-6*c.DF)
		near(t, c.Name+": lo", e.Lo, c.Interval[0], 1e-6)
		near(t, c.Name+": hi", e.Hi, c.Interval[1], 1e-6)
	}
}

// uneven returns repetitions whose units have unequal numbers of outcomes.
func uneven(name string, repetitions int) []Sample {
	random := seed.Stream(2, name)
	samples := make([]Sample, repetitions)
	for r := range samples {
		for i := range 30 + 7*r {
			samples[r].Values = append(samples[r].Values, 0.5+0.1*float64(r)+random.NormFloat64())
			samples[r].Units = append(samples[r].Units, i*i%11)
		}
	}
	return samples
}

// The standard error of a nearly linear quantity is close to the jackknife's, which leaves out one repetition at a
// time.
func TestError_EqualsJackknife(t *testing.T) {
	a, b := uneven("a", 6), uneven("b", 6)
	people := Family{Name: "people"}
	ratio := func(m Means) float64 { return m("a") / (3 + m("b")) }
	of := func(keep func(r int) bool) float64 {
		mean := func(samples []Sample) float64 {
			total, n := 0.0, 0.0
			for r, s := range samples {
				if keep(r) {
					total, n = total+mean(s.Values), n+1
				}
			}
			return total / n
		}
		return mean(a) / (3 + mean(b))
	}
	panel := &Panel{}
	panel.Add("a", Repeated(worlds, people, a))
	panel.Add("b", Repeated(worlds, people, b))
	e := panel.Estimate(ratio)
	near(t, "value", e.Value, of(func(int) bool { return true }), 1e-14)
	var without []float64
	for left := range a {
		without = append(without, of(func(r int) bool { return r != left }))
	}
	near(t, "standard error", e.sampling.deviation, math.Sqrt(variance(without)/6)*5, 0.02*e.sampling.deviation)
}

func TestRows_OrderIgnored(t *testing.T) {
	for _, family := range []Family{{"people", false}, {"noises", true}} {
		samples := uneven("a", 4)
		shuffled := make([]Sample, len(samples))
		for r, s := range samples {
			for _, i := range seed.Stream(9, r).Perm(len(s.Values)) {
				shuffled[r].Values = append(shuffled[r].Values, s.Values[i])
				shuffled[r].Units = append(shuffled[r].Units, s.Units[i])
			}
		}
		once := uneven("once", 1)[0]
		first := Certify(Repeated(worlds, family, samples), Once(family, once), 0.1)
		again := Certify(Repeated(worlds, family, shuffled), Once(family, once), 0.1)
		near(t, "lo", again.Lo, first.Lo, 1e-12)
		near(t, "hi of the difference", again.DifferenceHi, first.DifferenceHi, 1e-12)
		near(t, "p", again.P, first.P, 1e-12)
	}
}

// Outcomes with unit -1 are independent of all others.
func TestUnits_Alone(t *testing.T) {
	for _, units := range [][]int{{3, -1, -1, 1}, {0, 1, 2, 3}} {
		s := Sample{Values: []float64{0, 1, 2, 3}, Units: units}
		e := estimateOf(s)
		near(t, "standard error", e.sampling.deviation, math.Sqrt(5./3/4), 1e-9)
		near(t, "degrees of freedom", e.Basis.DF, 3, 1e-9)
	}
	if e := estimateOf(Sample{Values: []float64{0, 1, 2, 3}, Units: []int{5, 5, 5, 5}}); !math.IsNaN(e.Lo) ||
		!math.IsNaN(e.TwoSided(0)) || e.Value != 1.5 {
		t.Errorf("one unit of one repetition: %+v", e)
	}
}

func estimateOf(samples ...Sample) Estimate {
	panel := &Panel{}
	panel.Add("a", Repeated(worlds, Family{Name: "people"}, samples))
	return panel.Estimate(Mean("a"))
}

func TestPValues_Floor(t *testing.T) {
	e := estimateOf(numbered([]float64{1e9, 1e9 + 1, 1e9}, 0), numbered([]float64{1e9}, 0))
	if p := e.TwoSided(0); p < leastP {
		t.Errorf("got %v, %+v, want p at least %v", p, e.Basis, leastP)
	}
	for text, p := range map[string]float64{"< .001": .00099, "0.001": .001, "0.03": .03, "–": math.NaN()} {
		if got := PText(p); got != text {
			t.Errorf("%v: %s, want %s", p, got, text)
		}
	}
	same := estimateOf(numbered([]float64{2, 2}, 0), numbered([]float64{2, 2}, 0))
	if same.Lo != 2 || same.Hi != 2 || same.TwoSided(2) != 1 || same.TwoSided(1) != leastP {
		t.Errorf("no variance: %+v", same)
	}
	if p := (Corrected{same, 10}).PCell(1); p.Text != "< .001 (2 of 2)" || p.Value != 10*leastP {
		t.Errorf("among ten: %+v", p)
	}
}

func TestPanel_Panics(t *testing.T) {
	people := Family{Name: "people"}
	panel := &Panel{}
	panel.Add("a", Repeated(worlds, people, uneven("a", 2)))
	for name, mistake := range map[string]func(){
		"the same mean twice":    func() { panel.Add("a", Repeated(worlds, people, uneven("a", 2))) },
		"other repetitions":      func() { panel.Add("b", Repeated(worlds, people, uneven("a", 3))) },
		"a mean that it has not": func() { panel.Estimate(Mean("b")) },
		"outcomes of no units":   func() { Repeated(worlds, people, []Sample{{Values: []float64{1}}}) },
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

func BenchmarkCertify410Cells(b *testing.B) {
	l := layoutOf{crossed: true, units: 400, rows: 1, ofRepetition: 1, unit: 1}
	samples, once, _ := l.draw(quantityOf{}, 5, seed.Stream(1))
	for b.Loop() {
		for range 410 {
			Certify(Repeated(worlds, Family{"noises", true}, samples), Once(Family{"noises", true}, once), 0.1)
		}
	}
}

// With fourteen questions, shares are multiples of 1/14. If two models differ by exactly one question in every world,
// their difference is still not certain.
func TestStep_LimitsCertainty(t *testing.T) {
	family := Family{Name: "models"}
	alike := rows([][]float64{{50}, {50}, {50}})
	less := rows([][]float64{{50 - 100./14}, {50 - 100./14}, {50 - 100./14}})
	estimate := func(step float64) Estimate {
		panel := &Panel{}
		panel.Add("a", Repeated(worlds, family, alike).Step(step))
		panel.Add("b", Repeated(worlds, family, less).Step(step))
		return panel.Estimate(Difference(Mean("a"), Mean("b")))
	}
	if e := estimate(0); e.Hi != e.Lo {
		t.Errorf("without steps: %+v", e)
	}
	e := estimate(100. / 14)
	half := quantile(0.975, 2) * 100 / 14 * math.Sqrt(2./12/3)
	near(t, "lo", e.Lo, 100./14-half, 1e-9)
	near(t, "hi", e.Hi, 100./14+half, 1e-9)
	far := rows([][]float64{{10}, {40}, {70}})
	panel := &Panel{}
	panel.Add("coarse", Repeated(worlds, family, far).Step(1))
	panel.Add("fine", Repeated(worlds, family, far))
	near(t, "where repetitions differ by far more", panel.Estimate(Mean("coarse")).Lo, panel.Estimate(Mean("fine")).Lo,
		1e-9)
}

// Five equal trainings are still five repetitions. Their 79 units do not add degrees of freedom.
func TestTests_DegreesOfFreedom(t *testing.T) {
	noises := Family{"noises", true}
	random := seed.Stream(3, "alike")
	once := make([]float64, 79)
	for i := range once {
		once[i] = random.NormFloat64()
	}
	same := slices.Repeat([]Sample{numbered(once, 0)}, 5)
	panel := &Panel{}
	panel.Add("a", Repeated(worlds, noises, same))
	panel.Add("once", Once(noises, numbered(slices.Repeat([]float64{2}, 79), 0)))
	panel.Add("others", Repeated(Repetitions{"other", "others"}, noises, same[:3]))
	for name, q := range map[string]Quantity{"mean": Mean("a"), "difference": Difference(Mean("a"), Mean("once")),
		"of two kinds": func(m Means) float64 { return 2*m("a") - m("others") }} {
		e := panel.Estimate(q)
		if e.Basis.DF != 4 {
			t.Errorf("%s: %v degrees of freedom, want 4", name, e.Basis.DF)
		}
		near(t, name+": half the interval", e.Hi-e.Value, 2.776445*e.sampling.deviation, 1e-5)
	}
	if e := panel.Estimate(Mean("once")); e.Basis.DF != 78 && !math.IsNaN(e.Lo) {
		t.Errorf("made once: %+v", e.Basis)
	}
}
