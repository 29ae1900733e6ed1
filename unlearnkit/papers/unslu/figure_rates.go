package unslu

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// RatesFigure draws UnSLU-BENCH's Figure 1 for one benchmark, over learning rates: Negative Gradient's scores on test
// clips and on the forget speakers' clips, and the accuracy of the attack on the forget speakers' clips. Rates at which
// Negative Gradient diverged in every world are left out and named below the picture. The rates that the tables choose
// from are marked.
func RatesFigure(benchmark string, curves []Curve, tried []float64, worlds int) (*chart.Figure, error) {
	graph := chart.Lines{
		Title: "Negative Gradient at other learning rates: " + benchmark,
		X:     chart.Axis{Label: "learning rate", Log: true},
		Y:     chart.Axis{Label: "score (0 to 1)", Min: -.02, Max: 1.02},
		Caption: fmt.Sprintf("Marks were measured: means over %s. Bands: 95 %% over worlds, by Student's t, "+
			"cut off at 0 and 1. Broken lines: gold, the model trained without the forget speakers, in the "+
			"colour of its score. F1_T and F1_F are macro F1; MIA is the accuracy of a membership attack on "+
			"the forget clips, .5 by chance",
			Worlds.Count(worlds)),
	}
	if len(tried) > 0 {
		graph.Marked = &chart.Marked{Name: "tried for the tables", X: tried}
	}
	names := map[string]string{"F1_T": "F1_T, test clips", "F1_F": "F1_F, forget clips", "MIA": "MIA"}
	for _, curve := range curves {
		series := chart.Series{Name: names[curve.Column]}
		for i, cell := range curve.Cells {
			if math.IsNaN(cell.Estimate) && curve.Column == curves[0].Column {
				graph.Caption += fmt.Sprintf("; it diverged at %.3g", curve.Rates[i])
			}
			series.Add(curve.Rates[i], cell.Estimate, math.Max(0, cell.Lo), math.Min(1, cell.Hi)) // NaN stays NaN
		}
		graph.Series = append(graph.Series, series)
		graph.Targets = append(graph.Targets, chart.Target{Name: "gold, " + curve.Column, Series: series.Name,
			Value: curve.Gold})
	}
	return graph.Figure()
}
