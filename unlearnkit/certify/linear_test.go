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

// The standard error of a nearly linear quantity is close to that of the jackknife, which leaves out one repetition at
// a time.
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

// Units with the number -1 are independent of all others.
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

// A share without variance has the uncertainty of Wilson's interval.
func TestShare_NoVariance(t *testing.T) {
	noises := Family{"noises", true}
	zeros := numbered(make([]float64, 79), 0)
	panel := &Panel{}
	panel.Add("method", Repeated(worlds, noises, slices.Repeat([]Sample{zeros}, 5)))
	panel.Add("gold", Once(noises, zeros))
	e := panel.Estimate(Difference(Mean("method"), Mean("gold")))
	near(t, "hi", e.Hi, 0.0464*2.7764/1.96, 2e-4) // Wilson's upper bound for 0 of 79, with t(4)
	near(t, "lo", e.Lo, -e.Hi, 1e-12)
	if p := e.TwoSided(0); p != 1 {
		t.Errorf("got p %v, want 1", p)
	}
	if p := e.AtLeast(0.05); !(0.01 < p && p < 0.06) { // about .95 to the power of 79, which is .017
		t.Errorf("p %v against .05", p)
	}
	cell := Certify(Repeated(worlds, noises, slices.Repeat([]Sample{zeros}, 5)).Share(), Once(noises, zeros), 0.1)
	if square := 2.7764 * 2.7764; cell.Lo != 0 || math.Abs(cell.Hi-square/(79+square)) > 1e-3 ||
		cell.Verdict != Matched {
		t.Errorf("got %+v, want Lo 0, Hi near %v, Verdict %v", cell, square/(79+square), Matched)
	}
}

// An estimate in percent is a hundred times the same estimate as a share, and so are the ends of its interval. The
// p-values are equal.
func TestShare_Percent(t *testing.T) {
	for name, values := range map[string][][]float64{
		"varied": {{.2, .9, .4}, {.5, .6, .1}, {.3, .3, .8}}, "nearly all": {{1, 1, 1}, {1, 1, .9}, {1, 1, 1}},
		"none": {{0, 0}, {0, 0}}, "all": {{1}, {1}, {1}}, "one number each": {{.91}, {.97}, {.93}, {.99}, {.95}},
	} {
		estimate := func(times float64, as func(Outcomes) Outcomes) Estimate {
			var samples []Sample
			for _, own := range values {
				s := numbered(slices.Clone(own), 0)
				for i := range s.Values {
					s.Values[i] *= times
				}
				samples = append(samples, s)
			}
			panel := &Panel{}
			panel.Add("a", as(Repeated(worlds, Family{Name: "people"}, samples)))
			return panel.Estimate(Mean("a"))
		}
		share, percent := estimate(1, Outcomes.Share), estimate(100, Outcomes.Percent)
		near(t, name+": lo", percent.Lo, 100*share.Lo, 1e-6)
		near(t, name+": hi", percent.Hi, 100*share.Hi, 1e-6)
		near(t, name+": p", percent.TwoSided(50), share.TwoSided(.5), 1e-8)
		if percent.Lo < 0 || percent.Hi > 100 {
			t.Errorf("%s: got [%v, %v], want percent.Lo at least 0, percent.Hi at most 100",
				name, percent.Lo, percent.Hi)
		}
	}
}

// A share has the variance of a mean, and with three repetitions at most two degrees of freedom. For a share, all the
// variance between repetitions counts as estimated from the repetitions, even the part that crossed units explain.
func TestShare_RepetitionVariance(t *testing.T) {
	samples := rows([][]float64{{1, 0, 0, 1, 0, 0, 0, 1}, {1, 1, 0, 1, 0, 1, 0, 1}, {1, 0, 1, 0, 0, 0, 0, 0}})
	estimate := func(o Outcomes) Estimate {
		panel := &Panel{}
		panel.Add("a", o)
		return panel.Estimate(Mean("a"))
	}
	noises := Repeated(worlds, Family{"noises", true}, samples)
	share, mean := estimate(noises.Share()), estimate(noises)
	ofRepetitions := variance([]float64{3. / 8, 5. / 8, 2. / 8}) / 3
	whole := mean.sampling.deviation * mean.sampling.deviation
	rest := whole - ofRepetitions
	if !(rest > 0 && ofRepetitions > 0) {
		t.Fatalf("%v of repetitions, %v beside", ofRepetitions, rest)
	}
	near(t, "deviation", share.sampling.deviation, mean.sampling.deviation, 1e-15)
	freedom := min(2, whole*whole/(ofRepetitions*ofRepetitions/2+rest*rest/7))
	near(t, "freedom", share.sampling.freedom, freedom, 1e-9)
	near(t, "reported", share.Basis.DF, freedom, 1e-9)
	near(t, "tested", share.share.freedom, freedom, 1e-9)
	people := Repeated(worlds, Family{Name: "people"}, samples)
	if own := estimate(people.Share()).sampling; own != estimate(people).sampling {
		t.Errorf("nested: %+v", own)
	}
	for i := range samples { // swap 0 and 1
		for j := range samples[i].Values {
			samples[i].Values[j] = 1 - samples[i].Values[j]
		}
	}
	other := estimate(Repeated(worlds, Family{"noises", true}, samples).Share())
	near(t, "lo", other.Lo, 1-share.Hi, 1e-9)
	near(t, "hi", other.Hi, 1-share.Lo, 1e-9)
	for _, bound := range []float64{share.Lo, share.Hi} {
		near(t, "p at a bound", share.TwoSided(bound), alpha, 1e-9)
	}
	for _, e := range []Estimate{share, estimate(people)} {
		among := Corrected{e, 10}
		lo, hi := among.Among()
		if !(lo < e.Lo) || !(hi > e.Hi) {
			t.Errorf("among ten [%v, %v], alone [%v, %v]", lo, hi, e.Lo, e.Hi)
		}
		for _, bound := range []float64{lo, hi} {
			near(t, "p at a bound among ten", 10*e.TwoSided(bound), alpha, 1e-8)
			near(t, "corrected p at a bound among ten", among.P(bound), alpha, 1e-8)
		}
	}
}

// If at most two of 79 noises deviate, the outcomes are flat: their variance shows less about the mean than the number
// of noises does. One deviating noise of four is too many.
func TestShare_FewUnits(t *testing.T) {
	noises := Family{"noises", true}
	shown := func(n, of int) Outcomes {
		values := make([]float64, of)
		for i := range n {
			values[i] = 1
		}
		return Once(noises, numbered(values, 0))
	}
	for _, c := range []struct {
		n, of int
		want  bool
	}{{0, 79, true}, {1, 79, true}, {2, 79, true}, {3, 79, false}, {77, 79, true}, {76, 79, false}, {0, 4, true},
		{1, 4, false}, {1, 1, true}} {
		if o := shown(c.n, c.of); o.flat() != c.want {
			t.Errorf("%d of %d: %v", c.n, c.of, !c.want)
		}
	}
	if o := Once(noises, numbered([]float64{0.35}, 0)); o.flat() {
		t.Error("one unit that is neither 0 nor 1")
	}
	one, none := Certify(shown(1, 79).Share(), shown(1, 79), 0.1), Certify(shown(0, 79).Share(), shown(0, 79), 0.1)
	if !(one.Hi > none.Hi) {
		t.Errorf("one of 79 up to %v, none up to %v", one.Hi, none.Hi)
	}
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

// The test must begin to reject where the interval of a difference of shares ends.
func TestShare_DifferenceInterval(t *testing.T) {
	noises := Family{"noises", true}
	l := layoutOf{crossed: true, units: 79, rows: 1, ofRepetition: .5, unit: 1}
	samples, once, _ := l.draw(quantityOf{share: .2, less: .1}, 5, seed.Stream(4, "apart"))
	own := Repeated(worlds, noises, samples).Share()
	for name, o := range map[string][2]Outcomes{"shares": {own, Once(noises, once).Share()},
		"no shares": {Repeated(worlds, noises, samples), Once(noises, once)}} {
		panel := &Panel{}
		panel.Add("own", o[0])
		panel.Add("once", o[1])
		e := panel.Estimate(Difference(Mean("own"), Mean("once")))
		for _, size := range []float64{e.Lo, e.Hi} {
			near(t, name+": p where the interval ends", e.TwoSided(size), alpha, 1e-8)
		}
		if wider := e.Hi-e.Value > (e.Value-e.Lo)*1.01; wider != (name == "shares") {
			t.Errorf("%s: got %v [%v, %v], want wider %v", name, e.Value, e.Lo, e.Hi, (name == "shares"))
		}
	}
}

// If repetitions are equal by chance, their variance is zero. The interval of a share is then that of all their
// outcomes together.
func TestShare_EqualRepetitions(t *testing.T) {
	people := Family{Name: "people"}
	ten := []float64{1, 1, 1, 1, 0, 0, 0, 0, 0, 0}
	alike := slices.Repeat([]Sample{numbered(ten, 0)}, 3)
	estimate := func(samples []Sample) Estimate {
		panel := &Panel{}
		panel.Add("a", Repeated(worlds, people, samples).Share())
		return panel.Estimate(Mean("a"))
	}
	e := estimate(alike)
	square := math.Pow(quantile(.975, 2), 2) // Wilson's interval for 12 of 30 with Student's quantile
	middle, half := (.4+square/60)/(1+square/30), math.Sqrt(square*.24/30+square*square/3600)/(1+square/30)
	near(t, "lo", e.Lo, middle-half, 1e-9)
	near(t, "hi", e.Hi, middle+half, 1e-9)
	means := estimate(rows([][]float64{{.4}, {.41}, {.39}}))
	if !(means.Hi-means.Lo < .1) {
		t.Errorf("what are means already: [%v, %v]", means.Lo, means.Hi)
	}
}
