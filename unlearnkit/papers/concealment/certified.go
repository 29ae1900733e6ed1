package concealment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// TableNumbers are the tables of the paper that the study makes.
var TableNumbers = []string{"1", "2", "3", "4"}

// Cells are the certified cells of a table of the paper, row by row. The target of each is gold's score, the model's
// that has never seen what was erased, attacked in the same way. Table 4 has no scores but the figures in which the
// paper shows its prompts.
func (r *Results) Cells(number string) ([]certify.Cell, error) {
	if number == "4" {
		return r.figureCells(), nil
	}
	if !slices.Contains(TableNumbers, number) {
		return nil, fmt.Errorf("the study has no table %q; it has %s", number, strings.Join(TableNumbers, ", "))
	}
	var cells []certify.Cell
	for _, row := range r.rowsOf(number) {
		warning := r.weak(row)
		for i, c := range r.Preset.Columns() {
			cell := r.cell(row, c)
			if i < 2 {
				cell.Warning = warning // of CCS and CRS
			}
			cells = append(cells, cell)
		}
	}
	if len(cells) == 0 {
		return nil, r.noTable(number)
	}
	certify.Adjust(cells)
	printed(cells, "table"+number)
	return cells, nil
}

// rowsOf are the rows of a table of the paper.
func (r *Results) rowsOf(number string) []*AttackScores {
	var rows []*AttackScores
	for i := range r.Attacks {
		if a := &r.Attacks[i]; fmt.Sprint(a.Prompt.Table) == number {
			rows = append(rows, a)
		}
	}
	return rows
}

// weakClassifier is the accuracy below which a classifier does not tell two models apart.
const weakClassifier = .6

// weak is a warning of a classifier that has not learnt to tell the models of a row apart, so that its scores say
// nothing; "" of one that has.
func (r *Results) weak(row *AttackScores) string {
	if v := r.plain(Column{of: validation(classifier)}, row); v < weakClassifier {
		return fmt.Sprintf("the classifier is right of %.2f of the pictures that it has not seen", v)
	}
	return ""
}

// cell certifies a score of a row beside gold's. The paper has no test of its own.
func (r *Results) cell(row *AttackScores, c Column) certify.Cell {
	values, gold := r.outcomes(c, row)
	cell := certify.Certify(values, gold, c.Margin)
	cell.Row, cell.Column, cell.From = row.Prompt.Paper, c.Name, study.RunsOf(r.readings(c, row)...)
	if c.Margin == 0 || c.Name == "CCS" && !row.Prompt.Forget {
		cell.Verdict = "" // being like gold says nothing here
	}
	return cell
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// printed fills in what the paper has in the same place.
func printed(cells []certify.Cell, item string) {
	known := map[[2]string]string{}
	for _, p := range paper(item) {
		known[[2]string{p.Row, p.Column}] = p.Value
	}
	for i, cell := range cells {
		cells[i].Printed = known[[2]string{cell.Row, cell.Column}]
	}
}

// paper are the numbers of an item of the paper, which ship with the program.
func paper(item string) []papers.Cell {
	cells, err := papers.Open("concealment", item)
	if err != nil {
		panic(err)
	}
	return cells
}

// figureCells are Table 4: the figure of each prompt that has one, in their order, beside the paper's.
func (r *Results) figureCells() []certify.Cell {
	known := map[string]string{}
	for _, p := range paper("table4") {
		if p.Column == "Figure" {
			known[p.Value] = p.Value
		}
	}
	var cells []certify.Cell
	nan := math.NaN()
	for _, a := range r.shown() {
		name := fmt.Sprintf("Figure %d", a.Prompt.Figure)
		cells = append(cells, certify.Cell{
			Row: a.Prompt.Paper, Column: "Figure", Estimate: float64(a.Prompt.Figure), Lo: nan, Hi: nan, Target: nan,
			Margin: nan, P: nan, PAdjusted: nan, TOSTP: nan, Difference: nan, DifferenceLo: nan, DifferenceHi: nan,
			DifferenceP: nan, DifferenceAdjusted: nan, Printed: known[name],
		})
	}
	return cells
}

// firstShown is the first of the figures that show what partial diffusion makes of a prompt.
const firstShown = 5

// shown are the prompts that have a figure of five panels, in the order of the figures.
func (r *Results) shown() []*AttackScores {
	var shown []*AttackScores
	for i := range r.Attacks {
		if a := &r.Attacks[i]; a.Prompt.Figure >= firstShown {
			shown = append(shown, a)
		}
	}
	slices.SortFunc(shown, func(a, b *AttackScores) int { return a.Prompt.Figure - b.Prompt.Figure })
	return shown
}
