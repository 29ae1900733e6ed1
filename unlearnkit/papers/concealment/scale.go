package concealment

import (
	"fmt"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// scaleTable compares the preset's sizes and settings with those of the paper or of the methods' authors.
func (r *Results) scaleTable() (*report.Table, error) {
	p := r.Preset
	sdd := p.method("SDD")
	if sdd == nil {
		return nil, &study.Lacks{Preset: p.Name, Why: "has not all methods"}
	}
	t := &report.Table{Title: fmt.Sprintf("Sizes of the paper and here (%s)", p.Name), Corner: "What",
		Columns: []report.Column{{Name: "The paper"}, {Name: "Here"}}}
	number := func(v float64) report.Cell { return report.Number(strconv.FormatFloat(v, 'g', 4, 64), v) }
	for _, row := range []struct {
		what       string
		paper, own float64
	}{
		{"millions of parameters of the UNet", paperParameters, float64(r.parameters()) / 1e6},
		{"denoising steps of an attack", paperSteps, float64(p.Attack.Sampling.Steps)}, // §4
		{"guidance", 7.5, p.Attack.Sampling.Guidance},
		{"pictures at each ψ", 1, float64(p.Attack.Pictures)},
		{"pictures of each model's set", 200, float64(p.Attack.Set)},
		{"trainings of each method", 1, float64(p.Seeds)},
		{"rate of SDD, the lowest tried", 1e-5, sdd.Rates[0]}, // as published by SDD's authors
		{"rate of SDD, the highest tried", 1e-5, sdd.Rates[len(sdd.Rates)-1]},
		{"average of SDD", .999, sdd.Values["average"]},
		{"weight of Ablating Concepts' regulariser", .2, p.method("Ablating Concepts").Values["regulariser"]},
	} {
		t.Rows = append(t.Rows, report.Row{Name: row.what, Cells: []report.Cell{number(row.paper), number(row.own)}})
	}
	t.Note = "Rates and averages are from the methods' authors, as in the paper; diffusers' version " +
		"of the method has a regulariser weight of 1."
	return t, nil
}
