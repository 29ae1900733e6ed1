package concealment

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// readings returns all interpretations of the scores. The paper's text uses the first one; its code uses the third.
func (p Preset) readings() []reading {
	var all []reading
	for _, protocol := range []Protocol{Published, Disjoint} {
		for classifier := range Classifiers {
			for _, grid := range []psiGrid{p.allRatios(), p.lowRatios()} {
				all = append(all, reading{protocol, classifier, grid})
			}
		}
	}
	return all
}

// columns returns CCS, the interpretations of CRS, and KID.
func (v reading) columns(p Preset) []Column {
	pictures := func(name string, score func(v []float64) float64, outcomes ...string) Column {
		return v.column(p, name, "", score, outcomes...)
	}
	return []Column{
		pictures("CCS", first, "probability"),
		pictures("CRS (7)", first, "printed_retain"),
		pictures("CRS (8)", first, "printed_forget"),
		pictures("CRS d", difference, "code_original", "code_unlearned"),
		pictures("r to original", first, "original"),
		pictures("r to unlearned", first, "unlearned"),
		pictures("Contrast", func(v []float64) float64 { return .5 + (v[0]-v[1])/4 }, "original", "unlearned"),
		p.kid("KID-O", v.protocol, v.grid, false),
		p.kid("KID-U", v.protocol, v.grid, true),
		validation(v.classifier),
	}
}

// variants tabulates the scores of a table's rows in every interpretation. Interpretations differ in the classifier, in
// whether it may have been trained on the pictures, and in whether the last ratio is included.
func (r *Results) variants(number string) (*report.Table, error) {
	if titles[number] == "" || number == "4" {
		return nil, fmt.Errorf("table %q has no variants; tables 1, 2 and 3 have", number)
	}
	rows := r.rowsOf(number)
	if len(rows) == 0 {
		return nil, r.noTable(number)
	}
	t := &report.Table{Title: fmt.Sprintf("Table %s, readings of its scores (%s)", number, r.Preset.Name),
		Corners: []string{"Prompt", "Reading"}, Columns: words("Class")}
	for _, c := range r.Preset.readings()[0].columns(r.Preset) {
		t.Columns = append(t.Columns, report.Column{Name: c.name()})
	}
	for _, row := range rows {
		for _, v := range r.Preset.readings() {
			line := report.Named(row.Prompt.Paper, v.name()).With(report.Word(row.class()))
			for _, c := range v.columns(r.Preset) {
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
	t.Note = fmt.Sprintf("Means over %s. published: one picture at each ψ, with noise that both models' sets "+
		"also use, so the classifier may have learnt from it; disjoint: %d pictures with other noise. CRS (7) "+
		"and (8) are as printed; d is the code's CRS in forget rows, 1 - d in retain rows; r is the arctangent "+
		"similarity on its full scale; the contrast is 1 for pictures like the original's and 0 for pictures "+
		"like the other model's.", TrainingSeeds.Count(r.Preset.Seeds),
		r.Preset.Attack.Pictures)
	return t, nil
}
