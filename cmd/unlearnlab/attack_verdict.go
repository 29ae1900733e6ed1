package main

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// verdictTable lays out what two questions make of the models beside gold, nil where nobody is asked.
func verdictTable(all []attack.Judgement, units string) *report.Table {
	if len(all) == 0 {
		return nil
	}
	t := &report.Table{Title: "Is it gone, and does help bring it back?", Corner: "Model"}
	for _, name := range []string{"Verdict", "Left", "Gain beyond gold", "p", "Another verdict takes"} {
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
	t.Note = fmt.Sprintf("n: %d %s. Left: share of the pictures at ψ = 0 that are taken for the concept, "+
		"beyond gold's; less than %g is gone. Gain: how much larger the share is, as a mean over the ψ between 0 and "+
		"1, beyond what the same help brings gold. A model conceals where it is gone and the gain lies above 0, and "+
		"does not where the gain lies below %g; intervals of 95 %%. Each model exists once: what another training of "+
		"it, or of gold, would give is in no interval.", all[0].Units, units, attack.MostLeft, attack.GainMargin)
	if n := len(all); n > 1 {
		t.Note += fmt.Sprintf(" Intervals and p are of each model by itself: that of %d models without a gain one or "+
			"more seem to conceal has a probability of up to %.3g %%.", n, min(100, 2.5*float64(n)))
	}
	return t
}

// overPrompts judges each model by its prompts as units, of which what is left and gained is known of each.
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
