package concealment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// tableNumbers lists the tables of the paper that the study reproduces.
var tableNumbers = []string{"1", "2", "3", "4"}

// Cells returns the certified cells of a table, row by row. A cell's target is the score under the same attack of gold,
// a model trained without the erased concept. Table 4 has no scores; its cells are figure numbers.
func (r *Results) Cells(number string) ([]certify.Cell, error) {
	if number == "4" {
		return r.figureCells(), nil
	}
	if !slices.Contains(tableNumbers, number) {
		return nil, fmt.Errorf("the study has no table %q; it has %s", number, strings.Join(tableNumbers, ", "))
	}
	var cells []certify.Cell
	for _, row := range r.rowsOf(number) {
		cells = append(cells, r.rowCells(row)...)
	}
	if len(cells) == 0 {
		return nil, r.noTable(number)
	}
	certify.Adjust(cells)
	printed(cells, "table"+number)
	return append(cells, r.guestCells(number)...), nil
}

// rowCells certifies the scores of a row.
func (r *Results) rowCells(row *AttackScores) (cells []certify.Cell) {
	warning := r.weak(row)
	for i, c := range r.Preset.Columns() {
		cell := r.cell(row, c)
		if i < 2 {
			cell.Warning = warning // CCS and CRS
		}
		cells = append(cells, cell)
	}
	return cells
}

// rowsOf returns the rows of a table of the paper.
func (r *Results) rowsOf(number string) []*AttackScores {
	var rows []*AttackScores
	for i := range r.Attacks {
		if a := &r.Attacks[i]; fmt.Sprint(a.Prompt.Table) == number {
			rows = append(rows, a)
		}
	}
	return rows
}

// weakClassifier is the validation accuracy below which a classifier does not distinguish two models.
const weakClassifier = .6

// weak returns a warning if the row's classifier has not learnt to distinguish the models, so that its scores are
// meaningless. Otherwise it returns "".
func (r *Results) weak(row *AttackScores) string {
	if v := r.plain(validation(classifier), row); v < weakClassifier {
		return fmt.Sprintf("the classifier is right on %.2f of the pictures that it has not seen", v)
	}
	return ""
}

// cell compares a row's score with gold's. The paper reports no such test.
func (r *Results) cell(row *AttackScores, c Column) certify.Cell {
	values, gold := r.outcomes(c, row)
	m := c(row)
	cell := certify.Certify(values, gold, m.Margin.Absolute)
	cell.Row, cell.Column, cell.From = row.Prompt.Paper, m.Name, study.RunsOf(r.readings(c, row)...)
	if m.Margin.Absolute == 0 || m.Name == "CCS" && !row.Prompt.Forget {
		cell.Verdict = "" // equality with gold is not a goal here
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

// printed fills in the values that the paper prints.
func printed(cells []certify.Cell, item string) {
	known := map[[2]string]string{}
	for _, p := range paper(item) {
		known[[2]string{p.Row, p.Column}] = p.Value
	}
	for i, cell := range cells {
		cells[i].Printed = known[[2]string{cell.Row, cell.Column}]
	}
}

// paper returns the numbers in a table or figure of the paper. They are embedded in the program.
func paper(item string) []papers.Cell {
	cells, err := papers.Open("concealment", item)
	if err != nil {
		panic(err)
	}
	return cells
}

// figureCells returns the cells of Table 4: one for each prompt with a five-panel figure, in the order of the figures.
// Its estimate is the figure's number.
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

// firstShown is the first figure that shows partial diffusion for a single prompt.
const firstShown = 5

// shown returns the rows of the prompts that have a five-panel figure, in the order of the figures.
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

// readings returns the scores that a column reads for a row: scores of the method's models, and of gold.
func (r *Results) readings(c Column, row *AttackScores) (all []study.Reading) {
	if r.plan == nil {
		return nil
	}
	m := c(row)
	looks := m.File == ViewsFile
	attacked := r.plan.Attacked[slices.IndexFunc(r.plan.Attacked, func(a Attacks) bool {
		return a.Prompt == row.Prompt
	})]
	unlearned, golds := attacked.Unlearned, append([]*study.Run{attacked.Gold}, attacked.Golds...)
	if looks {
		unlearned, golds = nil, r.plan.gold(row.Erasure).looks()
		for _, model := range r.plan.pairOf(row.Prompt.Method, row.Prompt.Erased).Models {
			unlearned = append(unlearned, model.Look)
		}
	}
	add := func(run *study.Run, use study.Use, repetition int) {
		all = append(all, study.Reading{Run: run, For: use, Repetition: repetition,
			File: cmp.Or(m.File, PicturesFile), Rows: m.Selection(nil)})
	}
	for seed, run := range unlearned {
		add(run, study.ForValue, seed)
	}
	for _, gold := range golds {
		add(gold, study.ForTarget, -1)
	}
	for _, control := range r.controls {
		own, attacked := control.attacks[row.Prompt.Prompt]
		switch {
		case !control.again || !attacked || control.Erasure != row.Erasure:
		case looks:
			add(control.look, study.ForTarget, -1)
		default:
			add(own.run, study.ForTarget, -1)
		}
	}
	return all
}

// samples returns the outcomes of a row's models, by training seed.
func (r *Results) samples(c Column, row *AttackScores) (all []study.Sample) {
	for seed, a := range row.Unlearned {
		all = append(all, c(row).Samples(r.scored(c, row, a), nil, seed)...)
	}
	return all
}

// plain returns the mean of a score over training seeds, without an interval.
func (r *Results) plain(c Column, row *AttackScores) float64 {
	var means []float64
	for _, a := range row.Unlearned {
		means = append(means, mean(r.sample(c, row, a).Values))
	}
	return mean(means)
}

// noTable returns the error for a table without any prompt in the preset.
func (r *Results) noTable(number string) error {
	var shown []string
	for _, other := range tableNumbers {
		if len(r.rowsOf(other)) > 0 {
			shown = append(shown, other)
		}
	}
	return r.noPromptOf("table "+number, shown)
}
