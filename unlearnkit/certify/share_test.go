package certify

import (
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

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

// If repetitions are equal by chance, their variance is zero. The interval of a share is then Wilson's for all outcomes
// together.
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
