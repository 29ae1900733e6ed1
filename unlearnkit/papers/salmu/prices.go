package salmu

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Factors on the study's learning rates in the price trials. These trials measure how much general knowledge methods
// lose at lower rates.
const (
	usualPace = 1
	tenthPace = 0.1
	// paperPace makes the ratio of a method's rate to the pretraining rate equal to the paper's.
	paperPace = smallPeak / paperPeak / scale
)

// Titles of the price trials. Each has a single method.
const (
	closerTrial = "the study's rates, more budgets"
	slowTrial   = "a tenth of the rates, more steps"
	paperTrial  = "the paper's ratio of rates"
)

// pairsBatch is the batch size at which a pass over the forget rows has nearly as many steps as in the paper.
const pairsBatch = 6

// prices returns the trials that measure, in the first world, how much methods lose at lower rates with more steps, and
// at more budgets of the study's own rate.
//
// If a loss is a mean over pairs, smaller batches give more steps per pass. If a loss compares the pairs of a batch
// with each other, another batch size would change the loss. Methods with such a loss keep their batch size and get
// more passes.
func prices(p Preset) []Trial {
	own := methods(variantBudget)
	at := func(name string, pace float64, budgets ...int) Method {
		m := called(own, name).faster(pace)
		m.Budgets = budgets
		return m
	}
	small := func(m Method) Method { return m.with("batch", pairsBatch) }
	var all []Trial
	add := func(title string, pace float64, m Method) {
		all = append(all, Trial{Title: title, Worlds: 1, World: p.World, Factor: pace, Methods: []Method{m}})
	}
	add(closerTrial, usualPace, at("direct", usualPace, 2, 3, 4))
	add(slowTrial, tenthPace, small(at("direct", tenthPace, 1, 2, 3, 4, 5)))
	add(paperTrial, paperPace, small(at("direct", paperPace, 5)))
	add(slowTrial, tenthPace, small(at("delete", tenthPace, 5)))
	add(paperTrial, paperPace, small(at("delete", paperPace, 5)))
	add(slowTrial, tenthPace, at("finetuning", tenthPace, 10, 20, 30, 50))
	return all
}

// PricePoint holds the scores of a method after some steps.
type PricePoint struct {
	Steps         int
	RetFail, Lost float64 // Lost is the general knowledge that the model has lost since Compromised
}

// PriceCurve holds the scores of a method at one learning rate, step by step.
type PriceCurve struct {
	Method string
	Factor float64 // multiplier of the study's rates
	Rate   float64
	Steps  int          // steps per pass
	Points []PricePoint // points in the order of their steps, beginning with Compromised
}

// priceLevels lists fractions of the way from Compromised's RetFail to Clean's, at which methods are compared.
var priceLevels = []float64{.5, .9}

// prices returns the curves of the first world, grouped by method, with the study's own rates first. It uses the trials
// whose runs are complete. If no trial is complete, it returns an error.
func (r *Results) prices() ([]PriceCurve, error) {
	var curves []PriceCurve
	at := func(m Method, factor float64) *PriceCurve {
		for i := range curves {
			if curves[i].Method == m.Title && curves[i].Factor == factor {
				return &curves[i]
			}
		}
		curves = append(curves, PriceCurve{Method: m.Title, Factor: factor, Rate: m.Values["rate"],
			Steps: r.stepsOf(m), Points: []PricePoint{{}}})
		return &curves[len(curves)-1]
	}
	base, leak, know := r.base(0, compromised), r.Preset.column("RetFail"), r.Preset.column("GenKnow")
	add := func(m Method, factor float64, labels func(budget int) []study.Label) {
		curve := at(m, factor)
		for _, budget := range m.Budgets {
			scores := r.set.Find(0, labels(budget)...)
			if scores.Lost() {
				continue
			}
			curve.Points = append(curve.Points, PricePoint{Steps: budget * r.stepsOf(m),
				RetFail: leak.Mean(scores, nil), Lost: -know.Mean(scores, nil)})
		}
	}
	for i, t := range r.Preset.Trials {
		if t.Factor == 0 || i >= len(r.trials) || !r.trials[i] || !r.Preset.has(t.Methods[0].Name) {
			continue
		}
		m := t.Methods[0]
		if usual := called(r.Preset.Methods, m.Name); len(at(usual, usualPace).Points) == 1 {
			add(usual, usualPace, func(budget int) []study.Label { return usual.judged(ofMethods, budget) })
		}
		add(m, t.Factor, func(budget int) []study.Label { return m.judgedIn(i, budget) })
	}
	if len(curves) == 0 {
		_, err := r.trialOf(slowTrial)
		return nil, err
	}
	knows := know.Mean(base, nil)
	for i := range curves {
		curves[i].Points[0] = PricePoint{RetFail: leak.Mean(base, nil), Lost: -knows}
		for k := range curves[i].Points {
			curves[i].Points[k].Lost += knows
		}
		slices.SortFunc(curves[i].Points, func(a, b PricePoint) int { return cmp.Compare(a.Steps, b.Steps) })
	}
	return curves, nil
}

// stepsOf returns the number of steps in a pass over the forget rows or, for some methods, over the retain sample.
func (r *Results) stepsOf(m Method) int {
	rows := r.forgetRows()
	if m.Name == "finetuning" || m.Name == "descent-to-delete" {
		rows = float64(r.Preset.Retain)
	}
	return int(math.Ceil(rows / m.Values["batch"]))
}

// at returns the point at which a curve first reaches a RetFail, interpolated linearly. Its Steps are -1 if the curve
// never reaches it.
func (c PriceCurve) at(retfail float64) PricePoint {
	for i := 1; i < len(c.Points); i++ {
		before, after := c.Points[i-1], c.Points[i]
		if before.RetFail > retfail && after.RetFail <= retfail {
			share := (before.RetFail - retfail) / (before.RetFail - after.RetFail)
			return PricePoint{Steps: before.Steps + int(math.Round(share*float64(after.Steps-before.Steps))),
				RetFail: retfail, Lost: before.Lost + share*(after.Lost-before.Lost)}
		}
	}
	return PricePoint{Steps: -1}
}

// level returns the first world's RetFail at a fraction of the way from Compromised to Clean.
func (r *Results) level(gone float64) float64 {
	leak := r.Preset.column("RetFail")
	from, to := leak.Mean(r.base(0, compromised), nil), leak.Mean(r.base(0, clean), nil)
	return from + gone*(to-from)
}

// price tabulates how much GenKnow each method has lost when it reaches the same RetFail.
func (r *Results) price() (*report.Table, error) {
	curves, err := r.prices()
	if err != nil {
		return nil, err
	}
	t := &report.Table{Title: fmt.Sprintf("GenKnow lost at equal RetFail, in one world (%s)", r.Preset.Name),
		Corners: []string{"Method", "Rates"}, Columns: []report.Column{{Name: "rate"}, {Name: "by that of pretraining"},
			{Name: "steps a pass"}}}
	var at []float64
	for _, gone := range priceLevels {
		at = append(at, r.level(gone))
		name := fmt.Sprintf("RetFail %.3f", at[len(at)-1])
		t.Columns = append(t.Columns, report.Column{Name: "steps to " + name}, report.Column{Name: "lost at " + name})
	}
	t.Columns = append(t.Columns, report.Column{Name: "steps in all"}, report.Column{Name: "RetFail left"},
		report.Column{Name: "GenKnow lost"})
	dash := report.Word("–")
	for _, c := range curves {
		rate, last := c.Rate/r.Preset.Training.Rate, c.Points[len(c.Points)-1]
		line := report.Named(c.Method, c.pace()).With(
			report.Number(fmt.Sprintf("%.2g", c.Rate), c.Rate), report.Number(fmt.Sprintf("%.2g", rate), rate),
			report.Number(fmt.Sprint(c.Steps), float64(c.Steps)))
		for _, retfail := range at {
			if p := c.at(retfail); p.Steps < 0 {
				line.Cells = append(line.Cells, dash, dash)
			} else {
				line.Cells = append(line.Cells, report.Number(fmt.Sprint(p.Steps), float64(p.Steps)), plain(p.Lost))
			}
		}
		line.Cells = append(line.Cells, report.Number(fmt.Sprint(last.Steps), float64(last.Steps)), plain(last.RetFail),
			plain(last.Lost))
		t.Rows = append(t.Rows, line)
	}
	t.Note = "In the first world alone, so there are no intervals. Budgets are joined by straight lines. A " +
		"dash: the method did not get that far."
	return t, nil
}

// pace describes how the curve's learning rate relates to the study's.
func (c PriceCurve) pace() string {
	switch c.Factor {
	case usualPace:
		return "as in Table 5"
	case tenthPace:
		return "a tenth"
	}
	return "the paper's ratio"
}
