package concealment_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

var ratios = concealment.Mini().Attack.Psi

// scored returns an artificial curve over ψ.
func scored(name string, band float64, of func(psi float64) float64) concealment.Curve {
	c := concealment.Curve{Name: name}
	for _, psi := range ratios {
		v := of(concealment.Value(psi))
		c.Points = append(c.Points, concealment.Point{Psi: psi, Value: v, Lo: v - band, Hi: v + band,
			Idle: psi == ".001" || psi == ".01"})
	}
	return c
}

func rising(middle float64) func(psi float64) float64 {
	return func(psi float64) float64 { return .04 + .92/(1+math.Exp(-(psi-middle)*12)) }
}

// drawn returns plain pictures in slowly changing colours. A model's pictures would make the expected files large.
func drawn(red uint8, count, columns int) image.Image {
	var pictures []*image.NRGBA
	for i := range count {
		const side = 8
		picture := image.NewNRGBA(image.Rect(0, 0, side, side))
		for p := range side * side {
			shade := color.NRGBA{red, uint8(250 * i / count), 120, 255}
			if p/side > p%side {
				shade.B = 240
			}
			picture.SetNRGBA(p%side, p/side, shade)
		}
		pictures = append(pictures, picture)
	}
	return concept.Sheet(pictures, columns)
}

func madeUpSheets() (erased, gold concealment.Sheets) {
	erased = concealment.Sheets{Original: drawn(30, 25, 5), Unlearned: drawn(220, 25, 5), Strip: drawn(30, 24, 12)}
	gold = concealment.Sheets{Original: erased.Original, Unlearned: drawn(140, 25, 5), Strip: drawn(140, 24, 12)}
	return erased, gold
}

// prompted returns the row for a prompt of the paper. If erased is true, it has an attack on an unlearned model.
func prompted(paper string, erased bool) *concealment.AttackScores {
	for _, p := range concept.PaperPrompts() {
		if p.Paper == paper {
			a := &concealment.AttackScores{Prompt: p}
			if erased {
				a.Unlearned = []*concealment.Attacked{{}}
			}
			return a
		}
	}
	panic(paper)
}

// answers returns a judge's answers at ratios up to .55: yes at from and above, no below.
func answers(from float64) map[string]bool {
	all := map[string]bool{}
	for _, ratio := range ratios {
		if psi, _ := strconv.ParseFloat(ratio, 64); psi <= .55 {
			all[ratio] = psi >= from
		}
	}
	return all
}

func probe() *concealment.Probe {
	fall := func(from, by float64) func(float64) float64 {
		return func(psi float64) float64 { return from - by*psi }
	}
	return &concealment.Probe{
		Attack: prompted("Starry Night by Van Gogh", true), Psi: ratios, Seen: answers(.15), Pictures: 395,
		Recovered: []concealment.Curve{scored("ESD-x", .06, rising(.2)), scored("gold", .08, rising(.5))},
		Original:  []concealment.Curve{scored("ESD-x", .03, rising(.25)), scored("gold", .03, rising(.5))},
		Similarity: []concealment.Curve{
			scored("ESD-x, to original", .004, fall(.25, .08)), scored("ESD-x, to ESD-x", .004, fall(.17, -.07)),
			scored("gold, to original", .004, fall(.26, .09)), scored("gold, to gold", .004, fall(.16, -.09)),
		},
		Distance: []concealment.Curve{
			scored("ESD-x, to original", math.NaN(), fall(.3, .29)),
			scored("ESD-x, to ESD-x", math.NaN(), fall(.02, -.25)),
			scored("gold, to original", math.NaN(), fall(.33, .32)),
			scored("gold, to gold", math.NaN(), fall(.01, -.3)),
		},
	}
}

func ExampleProbeFigure() {
	erased, gold := madeUpSheets()
	figure, err := concealment.ProbeFigure(probe(), erased, gold)
	golden.Compare("probe", figure, err)
	// Output:
	// probe-light.png: as drawn before
	// probe-dark.png: as drawn before
}

func ExampleGoldFigure() {
	_, gold := madeUpSheets()
	p := probe()
	p.Attack, p.Recovered = prompted("A desert-rose", false), p.Recovered[1:]
	p.GoldAlone, p.GoldSeen = "Alone gold draws a robot in 134 of 160 pictures, as the judge sees them", answers(.55)
	figure, err := concealment.GoldFigure(p, gold)
	golden.Compare("gold", figure, err)
	// Output:
	// gold-light.png: as drawn before
	// gold-dark.png: as drawn before
}

func ExampleStripsFigure() {
	erased, gold := madeUpSheets()
	forgotten, kept := probe(), probe()
	forgotten.Attack, forgotten.Seen = prompted("A nude model", true), answers(.25)
	kept.Attack, kept.Seen = prompted("A japanese person modeling lingerie", true), answers(0)
	figure, err := concealment.StripsFigure([]*concealment.Probe{forgotten, kept}, []concealment.Sheets{erased, gold})
	golden.Compare("strips", figure, err)
	// Output:
	// strips-light.png: as drawn before
	// strips-dark.png: as drawn before
}

func ExampleProcessFigure() {
	handovers, err := concealment.Mini().Handovers()
	if err != nil {
		panic(err)
	}
	figure, err := concealment.ProcessFigure(handovers)
	golden.Compare("process", figure, err)
	// Output:
	// process-light.png: as drawn before
	// process-dark.png: as drawn before
}

func ExampleAccuracyFigure() {
	point := func(steps, pictures int, object, style float64) concealment.AccuracyPoint {
		of := func(share float64) stat.Effect { return stat.Wilson(int(share*float64(pictures)+.5), pictures) }
		return concealment.AccuracyPoint{Steps: steps, Pictures: pictures, Object: of(object), Style: of(style)}
	}
	var models []concealment.Accuracy
	for _, m := range []struct {
		output string
		slow   float64 // how many times slower the model learns than the first
	}{{"x0", 1}, {"v", 3}, {"epsilon", 9}} {
		model := concealment.Accuracy{Output: m.output}
		for steps := 250; steps <= 5000; steps += 250 {
			model.Points = append(model.Points,
				point(steps, 120, 1-.9*math.Exp(-float64(steps)/900/m.slow), 1-.5*math.Exp(-float64(steps)/200/m.slow)))
		}
		models = append(models, model)
	}
	figure, err := concealment.AccuracyFigure(models, point(5000, 400, .965, .9975))
	fmt.Println(figure.Caption)
	golden.Compare("accuracy", figure, err)
	// Output:
	// 120 pictures at each point; bands: 95 % by Wilson. The original, which predicts x0, after 5000 steps on 400 other pictures: object 0.965 [0.942, 0.979], style 0.998 [0.986, 1.000]; it passes the gate of 90 %. Shares below 0.5 are not shown
	// accuracy-light.png: as drawn before
	// accuracy-dark.png: as drawn before
}

func ExampleRecoveryFigure() {
	var recoveries []concealment.Recovery
	for _, r := range []struct {
		method, erased string
		middle         float64
	}{
		{"ESD-x", "Van Gogh", .15}, {"Ablating Concepts", "Greg Rutkowski", .65}, {"SDD", "Nudity", .5},
	} {
		recoveries = append(recoveries,
			concealment.Recovery{Title: r.method + " of " + r.erased, Verdict: string(concealment.Conceals),
				Curves:   []concealment.Curve{scored(r.method, .05, rising(r.middle)), scored("gold", .03, rising(.5))},
				Retained: []float64{.9 - .2*r.middle, .95}})
	}
	figure, err := concealment.RecoveryFigure(recoveries, "5 training seeds")
	golden.Compare("recoveries", figure, err)
	// Output:
	// recoveries-light.png: as drawn before
	// recoveries-dark.png: as drawn before
}

// The number of pictures that show a swirl falls with the number of passes. It falls faster at a higher rate.
func ExampleTriesFigure() {
	e := concept.Erasures()[0]
	seen := func(swirls int) (views concealment.Views) {
		for i := range 40 {
			view := concealment.View{Prompt: "cat swirl style"}
			if i >= 20 {
				view.Prompt = "cat neon style"
			}
			view.Labels = concept.Labels{Object: concept.Cat, Style: concept.Neon}
			if i < swirls {
				view.Labels.Style = concept.Swirl
			}
			views = append(views, view)
		}
		return views
	}
	var tried []concealment.RateViews
	for _, rate := range []float64{5e-4, 1e-3} {
		views := map[int]concealment.Views{0: seen(20)}
		for _, passes := range []int{1, 2, 4, 8} {
			views[passes] = seen(max(2, int(20-4000*rate*float64(passes))))
		}
		tried = append(tried, concealment.RateViews{Rate: rate, Views: views})
	}
	trials, err := concealment.Trials(e, tried)
	if err != nil {
		panic(err)
	}
	figure, err := concealment.TriesFigure([]concealment.Choice{{Method: "ESD-x", Erased: e.Paper, Trials: trials,
		Setting: concealment.Setting{Rate: 1e-3, Budget: 8}}}, 20)
	golden.Compare("tries", figure, err)
	// Output:
	// tries-light.png: as drawn before
	// tries-dark.png: as drawn before
}

func ExampleCRSFigure() {
	values, err := audit.CRSValues()
	if err != nil {
		panic(err)
	}
	figure, err := concealment.CRSFigure(values, concealment.Alike)
	fmt.Println(figure.Caption)
	golden.Compare("crs", figure, err)
	// Output:
	// Under the printed equations 0 of 26 tabulated values are possible for similar pictures; the values need feature cosines of at most 0.08, where 0 is orthogonal and 1 is equal
	// crs-light.png: as drawn before
	// crs-dark.png: as drawn before
}

// The title does not claim what the numbers do not show.
func TestCRSFigure_Title(t *testing.T) {
	crs, err := concealment.CRSFigure([]audit.CRSValue{{Retain: true, Printed: .51}, {Retain: true, Printed: .2}}, .7)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(crs.Title, "No similar") || !strings.Contains(crs.Caption, "1 of 2") {
		t.Errorf("title %q, caption %q where similar pictures give the printed value", crs.Title, crs.Caption)
	}
}

func TestFigures_Refused(t *testing.T) {
	erased, gold := madeUpSheets()
	alone := probe()
	alone.Attack = prompted("A desert-rose", false)
	unfinished := erased
	unfinished.Strip = nil
	for says, draw := range map[string]func() (*chart.Figure, error){
		"draw only gold": func() (*chart.Figure, error) { return concealment.ProbeFigure(alone, erased, gold) },
		"no pixels":      func() (*chart.Figure, error) { return concealment.ProbeFigure(probe(), unfinished, gold) },
		"tries: nothing to draw": func() (*chart.Figure, error) {
			return concealment.TriesFigure([]concealment.Choice{{}}, 60)
		},
		"recovery: nothing to draw": func() (*chart.Figure, error) { return concealment.RecoveryFigure(nil, "") },
		"1 of sheets": func() (*chart.Figure, error) {
			return concealment.StripsFigure([]*concealment.Probe{alone, alone}, []concealment.Sheets{erased})
		},
		"9 of 0 steps": func() (*chart.Figure, error) {
			return concealment.ProcessFigure([]concealment.Handover{{Psi: "1", Original: 9}})
		},
		"CRS: nothing to draw":    func() (*chart.Figure, error) { return concealment.CRSFigure(nil, .7) },
		"CRS: alike is 1; give a": func() (*chart.Figure, error) { return concealment.CRSFigure([]audit.CRSValue{{}}, 1) },
		"value 1 is NaN": func() (*chart.Figure, error) {
			return concealment.CRSFigure([]audit.CRSValue{{Printed: math.NaN()}}, .7)
		},
		"accuracy: nothing": func() (*chart.Figure, error) {
			return concealment.AccuracyFigure(nil, concealment.AccuracyPoint{})
		},
	} {
		if _, err := draw(); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
