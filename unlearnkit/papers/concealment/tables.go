package concealment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

var titles = map[string]string{
	"1": "ESD-x and ESD-u",
	"2": "Ablating Concepts",
	"3": "SDD",
	"4": "Prompts and their figures",
}

// Table returns a table of results. If certified is false, the paper's tables have only the four scores that the paper
// prints.
func (r *Results) Table(number string, certified bool) (*report.Table, error) {
	return r.Below(r.table(number, certified))
}

func (r *Results) table(number string, certified bool) (*report.Table, error) {
	if t, err := study.ExtraTable(furtherTables(), r, number); t != nil || err != nil {
		return t, err
	}
	cells, err := r.Cells(number)
	if err != nil {
		return nil, err
	}
	if number == "4" {
		return r.figureTable(cells), nil
	}
	t := &report.Table{Title: fmt.Sprintf("Table %s. %s (%s)", number, titles[number], r.Preset.Name), Corner: "Prompt",
		Columns: words("Here", "Method", "Concept", "Class")}
	columns := r.Preset.Columns()
	shown := columns[:printedColumns]
	if certified {
		shown = columns
	}
	for _, c := range shown {
		t.Columns = append(t.Columns, report.Column{Name: c.name()})
	}
	rows := r.rowsOf(number)
	for _, guests := range r.guestRows(number) {
		for _, row := range guests {
			rows = append(rows, row.AttackScores)
		}
	}
	for i, row := range rows {
		line := report.Row{Name: cells[i*len(columns)].Row, Cells: row.words(), Guest: cells[i*len(columns)].Guest}
		for _, cell := range cells[i*len(columns):][:len(shown)] {
			line.Cells = append(line.Cells, study.Cell(cell, text(cell, certified), certified))
		}
		t.Rows = append(t.Rows, line)
	}
	t.Note = r.note(certified, cells) + r.doubts.Below(cells)
	for i := 0; i < len(cells); i += len(columns) {
		if warning := cells[i].Warning; warning != "" {
			t.Note += fmt.Sprintf(" %s: %s.", cells[i].Row, warning)
		}
	}
	return t, nil
}

// words returns columns for texts.
func words(names ...string) []report.Column {
	var columns []report.Column
	for _, name := range names {
		columns = append(columns, report.Column{Name: name, Words: true})
	}
	return columns
}

func numbers(names ...string) []report.Column {
	var columns []report.Column
	for _, name := range names {
		columns = append(columns, report.Column{Name: name})
	}
	return columns
}

// words returns the cells that describe the row: prompt, method, concept and class.
func (a *AttackScores) words() []report.Cell {
	return []report.Cell{report.Word(a.Prompt.Prompt), report.Word(a.Prompt.Method), report.Word(a.Prompt.Erased),
		report.Word(a.class())}
}

func (a *AttackScores) class() string {
	if a.Prompt.Forget {
		return "Forget"
	}
	return "Retain"
}

// text formats a cell. A certified cell has up to five lines.
func text(cell certify.Cell, certified bool) string {
	if math.IsNaN(cell.Estimate) {
		return "–"
	}
	if !certified {
		return fmt.Sprintf("%.2f", cell.Estimate)
	}
	star := ""
	if cell.Differs() {
		star = "*"
	}
	lines := []string{fmt.Sprintf("%.2f%s", cell.Estimate, star)}
	if !math.IsNaN(cell.Lo) {
		lines = append(lines, fmt.Sprintf("[%.2f, %.2f]", cell.Lo, cell.Hi))
	}
	lines = append(lines, fmt.Sprintf("gold %.2f", cell.Target))
	if cell.Printed != "" {
		lines = append(lines, "printed "+cell.Printed)
	}
	if cell.Verdict != "" {
		lines = append(lines, string(cell.Verdict))
	}
	return strings.Join(lines, "\n")
}

func (r *Results) note(certified bool, cells []certify.Cell) string {
	a := r.Preset.Attack
	note := fmt.Sprintf("n: %s; %d pictures at each ψ with noise that no classifier has seen, sets of %d; "+
		"classifier %s; CCS and CRS as in the paper's code, averaged over ψ = %s.",
		TrainingSeeds.Count(r.Preset.Seeds), a.Pictures, a.Set, Classifiers[classifier],
		strings.Join(r.Preset.allRatios().Psi, ", "))
	if idle := r.idle(); len(idle) > 0 {
		note += fmt.Sprintf(" The original takes none of the %d steps at ψ = %s: there the other model draws "+
			"alone.", a.Sampling.Steps, strings.Join(idle, " and "))
	}
	if !certified {
		return note + " In retain rows CRS is one minus the CRS of forget rows: the same quantity."
	}
	return note + " Recovered: the share of pictures below ψ = .55 in which the judge sees the erased concept " +
		"or, in retain rows, what the prompt asks for. Retained: the share of the gate's other prompts that " +
		"the model obeys. Validation: the classifier's accuracy on unseen pictures of the two models; if it is " +
		"near .5, CCS means nothing. Intervals are 95 %, by Student's t, of shares by Wilson; " + r.goldEnters() +
		". A star: the value differs from gold's. " + certify.Describe(bases(cells)) + r.singleTraining() + "."
}

// goldEnters states whether each training seed has its own gold model or all seeds share one per concept.
func (r *Results) goldEnters() string {
	if len(r.further) > 0 {
		return "every training seed is compared with a gold of its own"
	}
	return "gold was made once for each concept and enters once"
}

func bases(cells []certify.Cell) (all []certify.Basis) {
	for _, c := range cells {
		if !math.IsNaN(c.DifferenceP) {
			all = append(all, c.Basis)
		}
	}
	return all
}

// singleTraining returns a warning if there is only one training, else "".
func (r *Results) singleTraining() string {
	if r.Preset.Seeds == 1 {
		return "; one training says nothing of others"
	}
	return ""
}

// idle returns the paper's ratios at which the original takes no step.
func (r *Results) idle() []string {
	handovers, err := r.Preset.Handovers()
	if err != nil {
		panic(err)
	}
	var idle []string
	for _, h := range handovers {
		if h.Original == 0 && slices.Contains(PaperPsi, h.Psi) {
			idle = append(idle, h.Psi)
		}
	}
	return idle
}

// figureTable returns Table 4 from its cells.
func (r *Results) figureTable(cells []certify.Cell) *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Table 4. %s (%s)", titles["4"], r.Preset.Name), Corner: "Prompt",
		Columns: append(words("Here", "Method", "Concept", "Class"), report.Column{Name: "Figure"})}
	for i, row := range r.shown() {
		cell := report.Number(fmt.Sprintf("Figure %g", cells[i].Estimate), cells[i].Estimate)
		t.Rows = append(t.Rows, report.Row{Name: row.Prompt.Paper, Cells: append(row.words(), cell)})
	}
	return t
}
