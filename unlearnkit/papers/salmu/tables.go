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

// targetRow names the first row of Table 5.
const targetRow = "Target Scores"

// tables returns the tables of the paper.
func (p Preset) tables() study.Projections {
	columns := p.Columns()
	bases := []study.RowSet{{Name: "Clean", Where: named(clean), Reference: true},
		{Name: "Independent", Where: named(independent)}, {Name: "Compromised", Where: named(compromised)}}
	if d := p.Download; d != nil && d.Independent == "" {
		bases = slices.Delete(bases, 1, 2)
	}
	printed := strings.NewReplacer("Independent", "LAION-400M", "Direct Similarity Minimization",
		"Direct Sim. Min.").Replace
	return study.Projections{
		{Number: "4", Title: titles["4"], Corner: "Model", Rows: bases, Paper: "salmu", Printed: printed,
			Columns: study.WithTarget(clean, study.Select(columns, leaks...))},
		{Number: "5", Title: titles["5"], Corner: "Method", Targets: targetRow, Guests: true, Columns: columns,
			Rows: []study.RowSet{{Where: []study.Label{partKey.Is(ofMethods)}}}, Paper: "salmu",
			Printed: func(row string) string { return row }},
		{Number: "6", Title: titles["6"], Corner: "Method", Columns: study.WithTarget(clean, columns), Paper: "salmu",
			Rows: []study.RowSet{{Name: "Clean (Reference)", Where: named(clean), Reference: true},
				{Where: []study.Label{partKey.Is(ofClean)}}}, Printed: printed},
	}
}

// Cells returns the certified cells of a table of the paper, row by row.
func (r *Results) Cells(number string) ([]certify.Cell, error) {
	p, err := r.Preset.tables().Table(number)
	if err != nil {
		return nil, err
	}
	return r.set.Cells(p), nil
}

// Against compares every other row of a table with the row called name, on the examples that both rows have. The name
// is complete, such as "DELETE/5x", or only a method, such as "DELETE"; each row is then compared with the method at
// its own budget. Case does not matter. P-values are adjusted over the study's own comparisons, and separately for each
// imported model.
func (r *Results) Against(number, name string) (*study.Comparisons, error) {
	p, err := r.Preset.tables().Table(number)
	if err != nil {
		return nil, err
	}
	found, err := r.set.Against(p, name)
	if err != nil {
		return nil, err
	}
	found.Title = fmt.Sprintf("%s (%s)", found.Title, r.Preset.Name)
	return found, nil
}

// Origin returns the runs and rows that a cell of a table was computed from.
func (r *Results) Origin(number, name, column string) (*study.Origin, error) {
	p, err := r.Preset.tables().Table(number)
	if err != nil {
		return nil, err
	}
	found, err := r.set.Origin(p, name, column)
	if err != nil {
		return nil, err
	}
	found.Study, found.Preset = Study, r.Preset.Name
	found.How = "in each world " + found.How + ", then the mean of the worlds"
	return found, nil
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
	p, err := r.Preset.tables().Table(number)
	if err != nil {
		return nil, err
	}
	cells := r.set.Cells(p)
	t := study.Table(fmt.Sprintf("Table %s. %s (%s)", number, p.Title, r.Preset.Name), p.Corner, cells, len(p.Columns),
		certified)
	t.Note = r.note(certified, p.Columns, cells) + study.Warnings(cells) + r.set.Notes.Below(cells) + r.Preset.lacks(number)
	return t, nil
}

// tabulate computes the certified cells of rows and returns them as a table. The title ends with the preset's name.
func (r *Results) tabulate(title, corner string, rows []study.Row, columns ...study.Metric) *report.Table {
	return table.Table(fmt.Sprintf("%s (%s)", title, r.Preset.Name), corner, rows,
		study.Columns(columns, r.set.References()), true)
}

func (r *Results) note(certified bool, columns []study.Metric, cells []certify.Cell) string {
	examples := fmt.Sprintf("n: %s; %s examples in each. ", Worlds.Count(r.Seeds()), r.counts(columns))
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
	if r.Seeds() == 1 {
		return "; one world says nothing of others"
	}
	return ""
}

// counts formats the number of examples in each column, in the first world.
func (r *Results) counts(columns []study.Metric) string {
	var parts []string
	refs := r.set.References()[0]
	for _, c := range columns {
		parts = append(parts, fmt.Sprintf("%s %d", c.Name, c.Examples(refs[clean], refs)))
	}
	return strings.Join(parts, ", ")
}
