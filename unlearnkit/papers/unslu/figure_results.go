package unslu

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// drawnColumns lists the scores that [ResultsFigure] draws, with their titles.
var drawnColumns = []struct{ column, title string }{
	{"F1_T", "Macro F1, test clips"}, {"F1_F", "Macro F1, forget clips"}, {"MIA", "MIA"}, {"GUM", "GUM"},
}

// ResultsFigure draws a table of results, with a panel for each score and a row for each model of each benchmark. A row
// shows the measured value with its interval, and the printed value. Models that diverged in every world are left out
// and named.
func ResultsFigure(number string, cells []certify.Cell, worlds int) (*chart.Figure, error) {
	stack := chart.Stack{Title: "Table " + number + ", as printed and here", Width: 8}
	row, diverged, guests := chart.StackRow{}, []string{}, []string{}
	for i, c := range drawnColumns {
		graph := chart.DotWhisker{Title: c.title, X: chart.Axis{Label: "score", Min: -.04, Max: 1.04}}
		if c.column != "GUM" {
			graph.Words = map[chart.Verdict]string{chart.NoVerdict: "gold"}
		}
		for _, cell := range cells {
			if cell.Column != c.column {
				continue
			}
			if cell.Guest {
				guests = append(guests, cell.Levels[len(cell.Levels)-1])
			}
			if math.IsNaN(cell.Estimate) && cell.Guest {
				continue
			}
			if math.IsNaN(cell.Estimate) {
				diverged = append(diverged, cell.Row+" has no "+c.column)
				continue
			}
			e, err := estimate(cell)
			if err != nil {
				return nil, err
			}
			graph.Rows = append(graph.Rows, e)
		}
		figure, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		lines := float64(len(graph.Rows))
		row.Height = max(row.Height, 1.2+.16*lines)
		row.Letters, row.Figures = row.Letters+string(rune('a'+i)), append(row.Figures, figure)
		if len(row.Figures) == 2 {
			stack.Rows, row = append(stack.Rows, row), chart.StackRow{}
		}
	}
	stack.Caption = fmt.Sprintf("n: %s. Dots: our means with 95 %% by Student's t over worlds, cut off at 0 "+
		"and 1; marks and colours compare the interval of the difference from gold with the margin. GUM is not "+
		"compared. Open marks: printed "+
		"values, of models a thousand times as large on recorded voices", Worlds.Count(worlds))
	if len(diverged) > 0 {
		stack.Caption += "; " + strings.Join(diverged, ", ")
	}
	if text := study.GuestCaption(guests...); text != "" {
		stack.Caption += text + ". They have no GUM, because nobody knows how long their unlearning took"
	}
	return stack.Figure()
}

// verdicts maps verdicts to marks. A cell without a verdict, such as the gold model's, is not compared.
var verdicts = map[certify.Verdict]chart.Verdict{certify.Matched: chart.Matched,
	certify.UnderForgotten: chart.UnderForgotten, certify.OverForgotten: chart.OverForgotten,
	certify.Unresolved: chart.Unresolved, "": chart.NoVerdict}

// mostLetters is the number of letters that fit beside a row.
const mostLetters = 24

// estimate converts a cell to a row of a chart, in the group of its benchmark, or of the guests below it.
func estimate(cell certify.Cell) (chart.Estimate, error) {
	parts := report.Levels(cell.Row, cell.Levels)
	last := len(parts) - 1
	name, group := parts[last], strings.Join(parts[:last], "/")
	if cell.Guest {
		name, group = study.GuestLabel(name, mostLetters), "guests"
	}
	e := chart.Estimate{Name: name, Group: group, Value: cell.Estimate,
		Lo: math.Max(0, cell.Lo), Hi: math.Min(1, cell.Hi), Verdict: verdicts[cell.Verdict]}
	if slices.ContainsFunc([]float64{e.Lo, e.Hi}, math.IsNaN) {
		e.Lo, e.Hi = e.Value, e.Value
	}
	if cell.Printed == "" {
		return e, nil
	}
	printed, err := strconv.ParseFloat(cell.Printed, 64)
	if err != nil {
		return e, fmt.Errorf("%s of %s: the printed value: %w", cell.Column, cell.Row, err)
	}
	e.Printed = &printed
	return e, nil
}
