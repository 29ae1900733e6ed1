package unslu

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// Rounding is the largest difference between a recomputed and a printed GUM that rounding can explain: half a unit of
// the last digit, and a little for the fitted time.
const Rounding = .0006

// residuals holds the figure's data: the printed GUM values, and the values recomputed with both utilities.
type residuals struct {
	Caption   string           `json:"caption"`
	Tolerance float64          `json:"tolerance"`
	Cells     []audit.GUMValue `json:"cells"`
}

// reading is an interpretation of the utility in GUM.
type reading struct {
	name     string
	residual func(audit.GUMValue) float64
}

var (
	onAccuracy = reading{"utility = test accuracy", func(c audit.GUMValue) float64 { return c.Accuracy - c.Printed }}
	onF1       = reading{"utility = macro F1", func(c audit.GUMValue) float64 { return c.F1 - c.Printed }}
)

// GUMFigure shows the residuals of UnSLU-BENCH's printed GUM values (Tables 1 to 3) relative to its formula, with a row
// for each column of the tables. One series uses the test accuracy as the utility, the other macro F1. The tolerance is
// the largest residual that rounding can explain. Methods with a larger residual are named.
func GUMFigure(cells []audit.GUMValue, tolerance float64) (*chart.Figure, error) {
	if len(cells) == 0 {
		return nil, fmt.Errorf("GUM residuals: nothing to draw")
	}
	if !(tolerance > 0) || math.IsInf(tolerance, 0) {
		return nil, fmt.Errorf("GUM residuals: tolerance %g; give what rounding can explain, such as %g", tolerance,
			Rounding)
	}
	d := residuals{Tolerance: tolerance, Cells: cells}
	columns := d.columns()
	accuracy, f1 := d.outside(onAccuracy), d.outside(onF1)
	graph := chart.DotRows{
		Title: "The printed GUM against its formula under two readings",
		Caption: fmt.Sprintf("Recomputed minus printed GUM of %d cells in %d columns; rounding explains ±%g. "+
			"Beyond that are %d cells with accuracy and %d with macro F1", len(cells), len(columns), tolerance, accuracy, f1),
		X: chart.Axis{Label: "recomputed − printed GUM"}, Lines: columns,
		Series: []chart.DotSeries{d.dots(onAccuracy, columns), d.dots(onF1, columns)},
		Region: &chart.Region{Name: fmt.Sprintf("rounding, ±%g", tolerance), Lo: -tolerance, Hi: tolerance},
	}
	d.Caption = graph.Caption
	if accuracy == 0 && f1 > 0 {
		graph.Title = "The printed GUM is computed from accuracy, not from macro F1"
	}
	figure, err := graph.Figure()
	if err != nil {
		return nil, fmt.Errorf("GUM residuals: %w", err)
	}
	figure.Height *= 1.35 // make room for a name above and below each mark
	return figure.WithData(d), nil
}

func (d residuals) columns() []string {
	var columns []string
	for _, c := range d.Cells {
		if !slices.Contains(columns, c.Column) {
			columns = append(columns, c.Column)
		}
	}
	return columns
}

// outside counts the cells whose residual exceeds the tolerance.
func (d residuals) outside(r reading) (n int) {
	for _, c := range d.Cells {
		if math.Abs(r.residual(c)) > d.Tolerance {
			n++
		}
	}
	return n
}

// dots returns the residuals from the largest to the smallest, so that the largest are named if there is little room.
func (d residuals) dots(r reading, columns []string) chart.DotSeries {
	series := chart.DotSeries{Name: r.name}
	for _, c := range slices.SortedStableFunc(slices.Values(d.Cells), func(a, b audit.GUMValue) int {
		return cmp.Compare(math.Abs(r.residual(b)), math.Abs(r.residual(a)))
	}) {
		dot := chart.Dot{Line: slices.Index(columns, c.Column), Value: r.residual(c)}
		if math.Abs(dot.Value) > d.Tolerance {
			dot.Name = c.Row
		}
		series.Dots = append(series.Dots, dot)
	}
	return series
}
