package salmu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// joined is the largest distance in RetFail at which a line joins two points of a curve. If points are farther apart,
// nothing between them was measured.
const joined = .25

// PriceFigure plots the general knowledge that methods have lost against their remaining leak, with a panel for each
// method and the same axes in all panels. Its curves are at the study's learning rates, and at lower rates with more
// steps. Each curve runs from the Compromised model at the right to the left.
func PriceFigure(curves []PriceCurve) (*chart.Figure, error) {
	x := chart.Axis{Label: "RetFail left", Min: -.02}
	y := chart.Axis{Label: "GenKnow lost", Min: -.05}
	for _, curve := range curves {
		for _, p := range curve.Points {
			x.Max, y.Max = max(x.Max, p.RetFail+.03), max(y.Max, p.Lost+.03)
		}
	}
	var charts []*chart.Lines
	for _, curve := range curves {
		if len(charts) == 0 || charts[len(charts)-1].Title != curve.Method {
			charts = append(charts, &chart.Lines{Title: curve.Method, X: x, Y: y})
		}
		graph := charts[len(charts)-1]
		graph.Series = append(graph.Series, priceSeries(curve))
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
		Caption: fmt.Sprintf("One world, so there are no intervals. Each mark is one budget of a run; the mark "+
			"at the right end is Compromised, which has lost nothing. “As in Table 5”: the study's learning "+
			"rate; “a tenth”: a tenth of it with more steps; “the paper's ratio”: the paper's proportion to "+
			"the rate of pretraining. At equal RetFail the lower mark costs less. Marks more than %g of "+
			"RetFail apart are not joined, because nothing between them was measured", joined),
		Figures: panels}.Figure()
}

// priceSeries returns a curve as a series of a chart, from the lowest RetFail on. The line is interrupted where points
// are far apart.
func priceSeries(curve PriceCurve) chart.Series {
	series := chart.Series{Name: curve.pace()}
	for i, p := range slices.SortedFunc(slices.Values(curve.Points), func(a, b PricePoint) int {
		return cmp.Compare(a.RetFail, b.RetFail)
	}) {
		if i > 0 && p.RetFail-series.X[i-1] > joined {
			series.Gaps = append(series.Gaps, (p.RetFail+series.X[i-1])/2)
		}
		series.X, series.Y = append(series.X, p.RetFail), append(series.Y, p.Lost)
	}
	return series
}
