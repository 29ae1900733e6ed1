package concealment

import (
	"math"
	"strings"
	"testing"
)

func TestProbe_CurvesAreMeans(t *testing.T) {
	r := usual().results(small())
	p, err := r.Probe(10)
	if err != nil {
		t.Fatal(err)
	}
	if p.Attack.Prompt.Paper != "R2D2" || len(p.Recovered) != 2 || len(p.Similarity) != 4 ||
		p.Recovered[0].Name != "Ablating Concepts" || p.Distance[3].Name != "gold, to gold" {
		t.Fatalf(`got %+v, want Paper "R2D2", length 2 of p.Recovered, length 4 of p.Similarity, `+
			`p.Recovered[0].Name "Ablating Concepts", p.Distance[3].Name "gold, to gold"`,
			p.Attack.Prompt)
	}
	for i, psi := range r.Preset.Attack.Psi {
		shown, probability, kid := 0.0, 0.0, 0.0
		for _, a := range p.Attack.Unlearned {
			for _, picture := range a.Pictures {
				if picture.Psi != psi || picture.Protocol != Disjoint {
					continue
				}
				probability += picture.Of[1].Probability / 20 / 5
				if picture.Labels.Object.String() == "robot" && picture.Labels.Colour.String() == "blue" {
					shown += 1 / 20. / 5
				}
			}
			for _, d := range a.Distances {
				if d.Psi == psi && d.Protocol == Disjoint && !d.Unlearned {
					kid += d.KID / 5
				}
			}
		}
		for _, c := range []struct {
			point Point
			want  float64
		}{{p.Recovered[0].Points[i], shown}, {p.Original[0].Points[i], probability}, {p.Distance[0].Points[i], kid}} {
			if c.point.Psi != psi || math.Abs(c.point.Value-c.want) > stored ||
				!(c.point.Lo <= c.point.Value && c.point.Value <= c.point.Hi) {
				t.Errorf("%+v at %s, want %g", c.point, psi, c.want)
			}
		}
	}
	if gold := p.Distance[2].Points[0]; !math.IsNaN(gold.Lo) {
		t.Errorf("one gold model has a KID with an interval: %+v", gold)
	}
	if rose, err := r.Probe(4); err != nil || len(rose.Recovered) != 1 || rose.Recovered[0].Name != "gold" {
		t.Errorf(`got %+v, %v, want 1 Recovered, Recovered[0].Name "gold"`, rose, err)
	}
	for _, figure := range []int{0, 18} {
		if _, err := r.Probe(figure); err == nil ||
			!strings.Contains(err.Error(), "it has 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17") {
			t.Errorf("figure %d: %v", figure, err)
		}
	}
}

func TestStrips(t *testing.T) {
	r := usual().results(small())
	for figure, want := range map[int]string{2: "ESD-u spotted person, ESD-x star swirl painting, Ablating Concepts " +
		"dragon mosaic style", 3: "SDD spotted person sketch, SDD green banded person"} {
		strips, err := r.strips(figure)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range strips {
			got = append(got, a.Attack.Prompt.Method+" "+a.Attack.Prompt.Prompt)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("figure %d: %v", figure, got)
		}
	}
	if _, err := r.strips(5); err == nil {
		t.Error("figure 5 is one of strips")
	}
	if _, err := usual().results(Smoke()).strips(3); err == nil {
		t.Error("smoke has Figure 3")
	}
}

// Each recovery has gold's recovery and the retention next to it.
func TestRecoveries_GoldAndRetention(t *testing.T) {
	recoveries, err := usual().results(small()).recoveries()
	if len(recoveries) != 8 || err != nil {
		t.Fatalf("%d recoveries, %v", len(recoveries), err)
	}
	for _, r := range recoveries {
		if len(r.Curves) != 2 || r.Curves[1].Name != "gold" || len(r.Retained) != 2 || !(r.Retained[1] > .8) ||
			r.Pictures != r.Prompts*20*5 || len(r.Curves[0].Points) != 12 {
			t.Errorf(`got %+v, want 2 Curves, Curves[1].Name "gold", 2 Retained, Retained[1] > .8, Pictures %v, `+
				`length 12 of Curves[0].Points`,
				r, r.Prompts*20*5)
		}
		for _, p := range append(r.Curves[0].Points, r.Curves[1].Points...) {
			if !(0 <= p.Lo && p.Lo <= p.Value && p.Value <= p.Hi && p.Hi <= 1) {
				t.Errorf("%s: a share of %v [%v, %v] at %s", r.Title, p.Value, p.Lo, p.Hi, p.Psi)
			}
		}
	}
	first := recoveries[0]
	at := func(i int) Point { return first.Curves[0].Points[i] }
	if first.Title != "ESD-x of Van Gogh" || first.Verdict != string(NotErased) || first.Prompts != 2 ||
		math.Abs(at(5).Value-.675) > .03 || at(11).Value != 1 {
		t.Errorf(`got %+v, want Title "ESD-x of Van Gogh", Verdict %v, Prompts 2, at(5).Value near .675, `+
			`at(11).Value 1`,
			first, NotErased)
	}
}

func TestAccuracies(t *testing.T) {
	r := usual().results(small())
	all := r.Accuracies()
	if len(all) != 3 || all[0].Output != "x0" || all[1].Output != "v" || all[2].Output != "epsilon" ||
		len(all[2].Points) != 11 {
		t.Errorf(`got %+v, want length 3, [0].Output "x0", [1].Output "v", [2].Output "epsilon", length 11 of `+
			`[2].Points`,
			all)
	}
	points := all[0].Points
	if len(points) != 11 || points[0].Steps != 250 || points[0].Pictures != 120 || points[10].Object.Value != 1 ||
		math.Abs(points[0].Style.Value-11./120) > 1e-9 {
		t.Errorf("got %+v, want length 11, [0].Steps 250, [0].Pictures 120, [10].Object.Value 1, [0].Style.Value "+
			"near 11./120",
			points)
	}
	if gate := r.Gate(); gate.Steps != 5000 || gate.Pictures != 80 || math.Abs(gate.Object.Value-.925) > .01 ||
		!(gate.Object.Lo < gate.Object.Value) {
		t.Errorf("got %+v, want Steps 5000, Pictures 80, Object.Value near .925, Object.Lo < %v",
			gate, gate.Object.Value)
	}
}
