package concealment

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// reading is a way of computing the scores: from which pictures, by which classifier, over which ratios.
type reading struct {
	protocol   Protocol
	classifier int
	grid       Grid
}

// readings returns all readings. The paper's text uses the first of the published protocol; its code uses the third.
func (p Preset) readings() []reading {
	var all []reading
	for _, protocol := range []Protocol{Published, Disjoint} {
		for classifier := range Classifiers {
			for _, grid := range []Grid{p.whole(), p.below()} {
				all = append(all, reading{protocol, classifier, grid})
			}
		}
	}
	return all
}

func (v reading) name() string {
	name := fmt.Sprintf("%s, %s", v.protocol, Classifiers[v.classifier])
	if v.grid.Name != "" {
		name += ", " + v.grid.Name
	}
	return name
}

// columns returns CCS, the readings of CRS, and KID.
func (v reading) columns() []Column {
	pictures := func(name string, score func(o Outcome) float64) Column {
		return Column{Name: name, of: ofPictures(v.protocol, v.grid, func(_ *AttackScores, p *Picture) float64 {
			return score(p.Of[v.classifier])
		})}
	}
	return []Column{
		pictures("CCS", func(o Outcome) float64 { return o.Probability }),
		pictures("CRS (7)", func(o Outcome) float64 { return o.PrintedRetain }),
		pictures("CRS (8)", func(o Outcome) float64 { return o.PrintedForget }),
		pictures("CRS d", difference),
		pictures("r to original", func(o Outcome) float64 { return o.Original }),
		pictures("r to unlearned", func(o Outcome) float64 { return o.Unlearned }),
		pictures("Contrast", func(o Outcome) float64 { return .5 + (o.Original-o.Unlearned)/4 }),
		{Name: "KID-O", of: ofDistances(v.protocol, v.grid, false)},
		{Name: "KID-U", of: ofDistances(v.protocol, v.grid, true)},
		{Name: "Validation", of: validation(v.classifier)},
	}
}

// difference returns d of the paper's code for one picture.
func difference(o Outcome) float64 { return math.Abs(o.CodeOriginal - o.CodeUnlearned) }

// Variants tabulates the scores of a table's rows in every reading. Readings differ in the classifier, in whether it
// may have been trained on the pictures, and in whether the last ratio is included.
func (r *Results) Variants(number string) (*report.Table, error) {
	if titles[number] == "" || number == "4" {
		return nil, fmt.Errorf("there are no readings of a table %q; tables 1, 2 and 3 have scores", number)
	}
	rows := r.rowsOf(number)
	if len(rows) == 0 {
		return nil, r.noTable(number)
	}
	t := &report.Table{Title: fmt.Sprintf("Table %s, readings of its scores (%s)", number, r.Preset.Name),
		Corners: []string{"Prompt", "Reading"}, Columns: words("Class")}
	for _, c := range r.Preset.readings()[0].columns() {
		t.Columns = append(t.Columns, report.Column{Name: c.Name})
	}
	for _, row := range rows {
		for _, v := range r.Preset.readings() {
			line := report.Named(row.Prompt.Paper, v.name()).With(report.Word(row.class()))
			for _, c := range v.columns() {
				value := r.plain(c, row)
				shown := "–"
				if !math.IsNaN(value) {
					shown = fmt.Sprintf("%.2f", value)
				}
				line.Cells = append(line.Cells, report.Number(shown, value))
			}
			t.Rows = append(t.Rows, line)
		}
	}
	t.Note = fmt.Sprintf("Means over %s. published: one picture at each ψ, of noise that the sets of both models "+
		"have too, so that the classifier may have learnt from it; disjoint: %d pictures of other noise. "+
		"CRS (7) and (8) are as printed; d is the code's CRS of a forget row, and 1 - d that of a retain row; r is "+
		"the arctangent similarity on its whole scale, and the contrast 1 where pictures are like the "+
		"original's, 0 where they are like the other model's.", TrainingSeeds.Count(r.Preset.Seeds),
		r.Preset.Attack.Pictures)
	return t, nil
}

// plain returns the mean of a score over training seeds.
func (r *Results) plain(c Column, row *AttackScores) float64 {
	var means []float64
	for _, a := range row.Unlearned {
		means = append(means, mean(c.of(r, row, a).Values))
	}
	return mean(means)
}
