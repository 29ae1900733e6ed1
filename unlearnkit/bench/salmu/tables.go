package salmu

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// TableNumbers are the tables of the paper that the study makes.
var TableNumbers = []string{"4", "5", "6"}

// Cells are the certified cells of a table of the paper, row by row.
func (r *Results) Cells(number string) ([]certify.Cell, error) {
	rows, columns, err := r.rowsOf(number)
	if err != nil {
		return nil, err
	}
	if number == "5" {
		cells := append(r.targets(), r.certify(rows, columns, ownTarget)...)
		printed(cells, "table5", func(row string) string { return row })
		return cells, nil
	}
	cells := r.certify(rows, columns, cleanTarget)
	printed(cells, "table"+number, func(row string) string {
		return strings.NewReplacer("Independent", "LAION-400M", "Direct Similarity Minimization",
			"Direct Sim. Min.").Replace(row)
	})
	return cells, nil
}

// rowsOf are the rows and columns of a table; those of Table 5 are without the target's.
func (r *Results) rowsOf(number string) ([]row, []Column, error) {
	columns := Columns()
	reference := func(name string) row {
		return row{name, true, r.worldsOf(func(w WorldScores) Scores { return w.Clean })}
	}
	switch number {
	case "4":
		rows := []row{
			reference("Clean"),
			{"Independent", false, r.worldsOf(func(w WorldScores) Scores { return w.Independent })},
			{"Compromised", false, r.worldsOf(func(w WorldScores) Scores { return w.Compromised })},
		}
		if d := r.Preset.Download; d != nil && d.Independent == "" {
			rows = slices.Delete(rows, 1, 2)
		}
		return rows, columns[:5], nil
	case "5":
		of := func(w WorldScores) []Budgets { return w.Methods }
		return r.methodRows(r.Preset.Methods, of, rowName), columns, nil
	case "6":
		of := func(w WorldScores) []Budgets { return w.FromClean }
		return append([]row{reference("Clean (Reference)")}, r.methodRows(r.Preset.Clean, of, rowName)...), columns, nil
	}
	return nil, nil, fmt.Errorf("the study has no table %q; it has %s", number, strings.Join(TableNumbers, ", "))
}

// rowName is a method at a budget as Table 5 writes it.
func rowName(m Method, budget int) string {
	if m.Once {
		return m.Title
	}
	return fmt.Sprintf("%s/%dx", m.Title, budget)
}

// targetRow names the first row of Table 5.
const targetRow = "Target Scores"

// targets is the first row of Table 5: Clean where something is to be forgotten, Compromised where it is to be kept.
func (r *Results) targets() []certify.Cell {
	var cells []certify.Cell
	for _, c := range Columns() {
		rows := []row{{targetRow, true, r.worldsOf(func(w WorldScores) Scores { return ownTarget(c, w) })}}
		cells = append(cells, r.certify(rows, []Column{c}, ownTarget)...)
	}
	return cells
}

var titles = map[string]string{
	"4": "Association metrics of the base models",
	"5": "Methods of unlearning at their budgets",
	"6": "Methods of unlearning started from the model that has seen nothing",
}

// Table lays a table out: the values alone, as the paper does, or certified.
func (r *Results) Table(number string, certified bool) (*report.Table, error) {
	cells, err := r.Cells(number)
	if err != nil {
		return nil, err
	}
	t := &report.Table{Title: fmt.Sprintf("Table %s. %s (%s)", number, titles[number], r.Preset.Name), Corner: "Method"}
	width := len(Columns())
	if number == "4" {
		width, t.Corner = 5, "Model"
	}
	for _, cell := range cells[:width] {
		t.Columns = append(t.Columns, report.Column{Name: cell.Column, Better: report.Nearest, Target: cell.Target})
	}
	for at := 0; at < len(cells); at += width {
		line := report.Row{Name: cells[at].Row,
			Reference: strings.HasPrefix(cells[at].Row, "Target") || strings.HasPrefix(cells[at].Row, "Clean")}
		if _, budget, found := strings.Cut(line.Name, "/"); found {
			line.Group = budget
		}
		for _, cell := range cells[at : at+width] {
			line.Cells = append(line.Cells, report.Number(text(cell, certified && !line.Reference), cell.Estimate))
		}
		t.Rows = append(t.Rows, line)
	}
	t.Note = r.note(certified, Columns()[:width], cells) + warnings(cells) + r.Preset.lacks(number)
	if !certified {
		t.Rank()
	}
	return t, nil
}

// text is a cell in a few words, on a page in three lines. A star marks what differs from the target.
func text(cell certify.Cell, certified bool) string {
	switch {
	case math.IsNaN(cell.Estimate) && cell.Warning != "":
		return "diverged"
	case math.IsNaN(cell.Estimate):
		return "–" // none of the examples is part of the column
	}
	if !certified {
		return fmt.Sprintf("%.3f", cell.Estimate)
	}
	star := ""
	if cell.Differs() {
		star = "*"
	}
	interval := ""
	if !math.IsNaN(cell.Lo) {
		interval = fmt.Sprintf("\n[%.3f, %.3f]", cell.Lo, cell.Hi)
	}
	return fmt.Sprintf("%.3f%s%s\n%s", cell.Estimate, star, interval, cell.Verdict)
}

func (r *Results) note(certified bool, columns []Column, cells []certify.Cell) string {
	examples := fmt.Sprintf("n: %s; %s examples in each. ", Worlds.Count(len(r.Worlds)), r.counts(columns))
	if !certified {
		return examples + "Bold is nearest to the target among methods of one budget."
	}
	var bases []certify.Basis
	own := 0
	for _, c := range cells {
		if !math.IsNaN(c.DifferenceP) {
			bases = append(bases, c.Basis)
		}
		own = max(own, c.PBasis.Tests)
	}
	return examples + fmt.Sprintf("Intervals of 95 %% are Student's, those of shares Wilson's. Verdicts by the interval "+
		"of the difference from the target: matched within a margin of %.0f %% of the distance from Compromised to "+
		"Clean (GenKnow %.0f %%, similarities to keep %.0f %% of the target). A star: the value differs from the "+
		"target. %s%s. As JSON, p is of the paper's own test (Wilcoxon, KS, McNemar or paired t, by column), which "+
		"takes examples for independent, after Holm's correction over %d.", 100*forgetMargin, 100*knowMargin,
		100*keepMargin, certify.Describe(bases), r.alone(), own)
}

// alone says what one world is about.
func (r *Results) alone() string {
	if len(r.Worlds) == 1 {
		return "; one world says nothing of others"
	}
	return ""
}

// warnings are those of the rows, each once.
func warnings(cells []certify.Cell) string {
	text := ""
	for i, cell := range cells {
		if cell.Warning != "" && (i == 0 || cells[i-1].Row != cell.Row) {
			text += fmt.Sprintf(" %s %s.", cell.Row, cell.Warning)
		}
	}
	return text
}

// counts are the numbers of examples of the columns in the first world.
func (r *Results) counts(columns []Column) string {
	var parts []string
	w := r.Worlds[0]
	for _, c := range columns {
		parts = append(parts, fmt.Sprintf("%s %d", c.Name, len(c.Outcomes(w.Clean, w.Compromised))))
	}
	return strings.Join(parts, ", ")
}
