package study

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Table arranges cells in a table with the given number of columns. A certified table shows intervals and verdicts. Any
// other shows values and marks the best and second-best value within a group of rows. The group of a row is its name
// without the first level.
func Table(title, corner string, cells []certify.Cell, columns int, certified bool) *report.Table {
	t := &report.Table{Title: title, Corner: corner}
	for _, cell := range cells[:min(columns, len(cells))] {
		t.Columns = append(t.Columns, report.Column{Name: cell.Column, Better: report.Nearest, Target: cell.Target})
	}
	for at := 0; at < len(cells); at += columns {
		levels := cells[at].Levels
		line := report.Row{Name: cells[at].Row, Levels: levels, Reference: cells[at].Reference, Guest: cells[at].Guest}
		if len(levels) > 1 {
			line.Group = strings.Join(levels[1:], "/")
		}
		if cells[at].Guest {
			line.Group = "guest/" + line.Group // guests do not compete with the paper's methods for marks
		}
		for _, cell := range cells[at : at+columns] {
			line.Cells = append(line.Cells, Cell(cell, Text(cell, certified && !line.Reference),
				certified && !line.Reference))
		}
		t.Rows = append(t.Rows, line)
	}
	if !certified {
		t.Rank()
	}
	return t
}

// Table computes the cells of rows and columns and arranges them as the function [Table] does. The note lists the
// number of repetitions, the margins of a certified table, what the tests account for, and the models that diverged.
func (g Grid) Table(title, corner string, rows []Row, columns []Column, certified bool) *report.Table {
	cells := g.Cells(rows, columns)
	t := Table(title, corner, cells, len(columns), certified)
	bases, _ := Bases(cells)
	t.Note = fmt.Sprintf("n: %s.", g.Repetitions.Count(len(rows[0].Scores)))
	if certified {
		t.Note += marginNote(cells[:len(columns)])
	}
	if text := certify.Describe(bases); text != "" {
		t.Note += " " + text + "."
	}
	t.Note += Warnings(cells)
	return t
}

// marginNote explains the verdicts in a row of cells. It returns "" if no cell has a margin.
func marginNote(row []certify.Cell) string {
	var margins []string
	for _, cell := range row {
		if cell.Margin > 0 {
			margins = append(margins, fmt.Sprintf("%.3g (%s)", cell.Margin, cell.Column))
		}
	}
	if len(margins) == 0 {
		return ""
	}
	return " A value matches its target within " + strings.Join(margins, ", ") +
		". A star: the value differs from the target after the correction."
}

// standings maps verdicts to the marks that package report draws.
var standings = map[certify.Verdict]report.Standing{certify.Matched: report.Matched,
	certify.UnderForgotten: report.Above, certify.OverForgotten: report.Below, certify.Unresolved: report.Open}

// Cell returns a table cell with a text. If certified is true, it includes the verdict and the interval.
func Cell(cell certify.Cell, text string, certified bool) report.Cell {
	shown := report.Number(text, cell.Estimate)
	if !certified || math.IsNaN(cell.Estimate) {
		return shown
	}
	shown.Judged = &report.Judged{Standing: standings[cell.Verdict], Verdict: string(cell.Verdict),
		Differs: cell.Differs(), Lo: cell.Lo, Hi: cell.Hi, Target: cell.Target}
	return shown
}

// Text formats a cell as its estimate, or, if certified, as three lines with the interval and the verdict. A star marks
// a significant difference from the target.
func Text(cell certify.Cell, certified bool) string {
	switch {
	case math.IsNaN(cell.Estimate) && cell.Warning != "":
		return "diverged"
	case math.IsNaN(cell.Estimate):
		return "–" // the column has no examples for this row
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
	return strings.TrimRight(fmt.Sprintf("%.3f%s%s\n%s", cell.Estimate, star, interval, cell.Verdict), "\n")
}

// Bases returns, for a table's note, what the comparisons with targets are based on. It also returns the number of the
// paper's own tests.
func Bases(cells []certify.Cell) (bases []certify.Basis, own int) {
	for _, c := range cells {
		if !math.IsNaN(c.DifferenceP) {
			bases = append(bases, c.Basis)
		}
		own = max(own, c.PBasis.Tests)
	}
	return bases, own
}

// Warnings formats the warning of each row as a sentence, preceded by a space.
func Warnings(cells []certify.Cell) string {
	text := ""
	for i, cell := range cells {
		if cell.Warning != "" && (i == 0 || cells[i-1].Row != cell.Row) {
			text += fmt.Sprintf(" %s %s.", cell.Row, cell.Warning)
		}
	}
	return text
}
