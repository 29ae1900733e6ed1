package attack

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// verdictTable returns the table of verdicts compared with gold, or nil if there are no judgements.
func verdictTable(all []attack.Judgement, units string) *report.Table {
	if len(all) == 0 {
		return nil
	}
	t := &report.Table{Title: "Is the concept gone, and does help recover it?", Corner: "Model"}
	for _, name := range []string{"Verdict", "Left", "Gain beyond gold", "p", "Needed to change it"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	for _, j := range all {
		p := "–"
		if j.P != nil {
			p = fmt.Sprintf("%.2g", *j.P)
		}
		t.Rows = append(t.Rows, report.Row{Name: j.Model, Cells: []report.Cell{report.Word(string(j.Verdict)),
			report.Word(j.Left.String()), report.Word(j.Gain.String()), report.Word(p), report.Word(j.Change)}})
	}
	t.Note = fmt.Sprintf("n: %d %s. Left: share of the pictures at ψ = 0 recognised as the concept, minus gold's "+
		"share; below %g it counts as gone. Gain: increase of that share, as a mean over the ψ between 0 and 1, minus "+
		"gold's increase. A model conceals if the concept is gone and the gain is above 0; it does not conceal if the "+
		"gain is below %g; 95 %% intervals. Each model exists once, so the intervals do not cover the variation "+
		"between trainings of it or of gold.", all[0].Units, units, attack.MostLeft, attack.GainMargin)
	if n := len(all); n > 1 {
		t.Note += fmt.Sprintf(" Intervals and p are not corrected for several models: if none of %d models has a "+
			"gain, at least one seems to conceal with a probability of up to %.3g %%.", n, min(100, 2.5*float64(n)))
	}
	return t
}

// overPrompts judges each model with the prompts as units. Each prompt gives one share left and one gain.
func overPrompts(all []*attackReport) (judged []attack.Judgement) {
	for i, first := range all[0].Judgements {
		var left, gains []float64
		for _, r := range all {
			left = append(left, orNaN(r.Judgements[i].Left.Estimate))
			gains = append(gains, orNaN(r.Judgements[i].Gain.Estimate))
		}
		for _, m := range all[0].Models {
			if m.Name == first.Model {
				judged = append(judged, attack.Judge(m, first.Column, left, gains))
			}
		}
	}
	return judged
}
