package salmu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// tableNumbers lists the tables of the paper that the study reproduces.
var tableNumbers = []string{"4", "5", "6"}

// Cells returns the certified cells of a table of the paper, row by row.
func (r *Results) Cells(number string) ([]certify.Cell, error) {
	rows, metrics, err := r.rowsOf(number)
	if err != nil {
		return nil, err
	}
	if number == "5" {
		cells := append(r.targets(), r.certify(rows, metrics)...)
		study.Print(cells, "salmu", "table5", func(row string) string { return row })
		return append(cells, r.guestCells(metrics)...), nil
	}
	cells := r.certify(rows, metrics)
	study.Print(cells, "salmu", "table"+number, strings.NewReplacer("Independent", "LAION-400M",
		"Direct Similarity Minimization", "Direct Sim. Min.").Replace)
	return cells, nil
}

// rowsOf returns the rows and columns of a table. For Table 5 it leaves out the row of targets.
func (r *Results) rowsOf(number string) ([]row, []study.Metric, error) {
	columns := r.columnsOf(number)
	switch number {
	case "4":
		return r.baseRows(), study.WithTarget(clean, columns), nil
	case "5":
		return r.methodRows(r.Preset.Methods, methodsOf), columns, nil
	case "6":
		rows := r.methodRows(r.Preset.Clean, func(w WorldScores) []Budgets { return w.FromClean })
		return append([]row{r.base("Clean (Reference)", true, clean)}, rows...), study.WithTarget(clean, columns), nil
	}
	return nil, nil, fmt.Errorf("the study has no table %q; it has %s", number, strings.Join(tableNumbers, ", "))
}

// baseRows returns the rows of the models without unlearning.
func (r *Results) baseRows() []row {
	rows := []row{r.base("Clean", true, clean), r.base("Independent", false, independent),
		r.base("Compromised", false, compromised)}
	if d := r.Preset.Download; d != nil && d.Independent == "" {
		rows = slices.Delete(rows, 1, 2)
	}
	return rows
}

// columnsOf returns the columns of a table. Each column has its own target.
func (r *Results) columnsOf(number string) []study.Metric {
	if number == "4" {
		return study.Select(r.Preset.Columns(), leaks...)
	}
	return r.Preset.Columns()
}

// targetRow names the first row of Table 5.
const targetRow = "Target Scores"

// targets returns the first row of Table 5: Clean in the columns of forgetting, Compromised in the columns of
// retention.
func (r *Results) targets() []certify.Cell {
	var cells []certify.Cell
	for _, c := range r.Preset.Columns() {
		cells = append(cells, r.certify([]row{r.base(targetRow, true, c.Target)}, []study.Metric{c})...)
	}
	return cells
}

var titles = map[string]string{
	"4": "Association metrics of the base models",
	"5": "Methods of unlearning at their budgets",
	"6": "Methods of unlearning started from the model that has seen nothing",
}

// Table returns a table of results. If certified is false, it has only values, as in the paper.
func (r *Results) Table(number string, certified bool) (*report.Table, error) {
	return r.Below(r.table(number, certified))
}

func (r *Results) table(number string, certified bool) (*report.Table, error) {
	if len(r.Preset.Attacked) > 0 && number != recoveryPreset {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has only the table " + recoveryPreset}
	}
	if t, err := study.ExtraTable(furtherTables(), r, number); t != nil || err != nil {
		return t, err
	}
	cells, err := r.Cells(number)
	if err != nil {
		return nil, err
	}
	columns, corner := r.columnsOf(number), "Method"
	if number == "4" {
		corner = "Model"
	}
	t := study.Table(fmt.Sprintf("Table %s. %s (%s)", number, titles[number], r.Preset.Name), corner, cells,
		len(columns), certified)
	t.Note = r.note(certified, columns, cells) + study.Warnings(cells) + r.doubts.Below(cells) + r.Preset.lacks(number)
	return t, nil
}

// tabulate computes the certified cells of rows and returns them as a table. The title ends with the preset's name.
func (r *Results) tabulate(title, corner string, rows []row, columns ...study.Metric) *report.Table {
	return table.Table(fmt.Sprintf("%s (%s)", title, r.Preset.Name), corner, rows,
		study.Columns(columns, r.references()), true)
}

func (r *Results) note(certified bool, columns []study.Metric, cells []certify.Cell) string {
	examples := fmt.Sprintf("n: %s; %s examples in each. ", Worlds.Count(len(r.Worlds)), r.counts(columns))
	if !certified {
		return examples + "Best is nearest to the target among methods of one budget."
	}
	bases, own := study.Bases(cells)
	return examples + targets(columns) + fmt.Sprintf("Intervals: 95 %%, by Student's t, of shares by Wilson. "+
		"Verdicts by the interval of the difference from the target: matched within a margin of %.0f %% of the "+
		"distance from Compromised to Clean (GenKnow %.0f %%, similarities to keep %.0f %% of the target). A star: the value "+
		"differs from the target. %s%s. As JSON, p belongs to the paper's own test (Wilcoxon, KS, McNemar or "+
		"paired t, by column), which treats examples as independent, after Holm's correction over %d.", 100*forgetMargin,
		100*knowMargin, 100*keepMargin, certify.Describe(bases), r.alone(), own)
}

// targets says which model's values are the targets of columns.
func targets(columns []study.Metric) string {
	toKeep := func(m study.Metric) bool { return !slices.Contains(leaks, m.Name) }
	if !slices.ContainsFunc(columns, toKeep) {
		return "Target: Clean's value in the same worlds. "
	}
	return "Target: Clean's value in " + strings.Join(leaks, ", ") +
		", Compromised's in the others, in the same worlds. "
}

// alone returns a warning if there is only one world, else "".
func (r *Results) alone() string {
	if len(r.Worlds) == 1 {
		return "; one world says nothing of others"
	}
	return ""
}

// counts formats the number of examples in each column, in the first world.
func (r *Results) counts(columns []study.Metric) string {
	var parts []string
	w := r.Worlds[0]
	for _, c := range columns {
		parts = append(parts, fmt.Sprintf("%s %d", c.Name, c.Examples(w.Clean, w.references())))
	}
	return strings.Join(parts, ", ")
}
