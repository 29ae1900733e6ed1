package salmu

import (
	"cmp"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// PriceFigure plots the general knowledge that methods have lost against their forgetting, at the study's rates and at lower
// ones with more steps, with one panel per method. Read from right to left, curves follow a method from Compromised on.
func PriceFigure(curves []PriceCurve) (*chart.Figure, error) {
	var charts []*chart.Lines
	for _, curve := range curves {
		if len(charts) == 0 || charts[len(charts)-1].Title != curve.Method {
			charts = append(charts, &chart.Lines{Title: curve.Method, X: chart.Axis{Label: "RetFail left"},
				Y: chart.Axis{Label: "GenKnow lost"}})
		}
		series := chart.Series{Name: curve.Pace()}
		for _, p := range slices.SortedFunc(slices.Values(curve.Points), func(a, b PricePoint) int {
			return cmp.Compare(a.RetFail, b.RetFail)
		}) {
			series.X, series.Y = append(series.X, p.RetFail), append(series.Y, p.Lost)
		}
		graph := charts[len(charts)-1]
		graph.Series = append(graph.Series, series)
	}
	var panels []*chart.Figure
	for _, graph := range charts {
		panel, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return chart.Panels{Title: "What forgetting costs at lower rates with more steps", Columns: min(2, len(panels)),
		Caption: "In one world; each curve begins on the right at Compromised, which has lost nothing; a point is a " +
			"budget. At equal RetFail the lower curve costs less",
		Figures: panels}.Figure()
}
