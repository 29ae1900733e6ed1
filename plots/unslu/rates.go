package unslu

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/unslu"
)

// Rates is UnSLU-BENCH's Figure 1: what Negative Gradient makes of test clips, of the forget speakers' and of the
// attack on these, over learning rates. A rate at which it diverged in every world is left out and named below the
// picture.
func Rates(curves []unslu.Curve, worlds int) (*plots.Figure, error) {
	chart := plots.Lines{
		Title:   "What Negative Gradient forgets and breaks at other rates",
		X:       plots.Axis{Label: "learning rate", Log: true},
		Y:       plots.Axis{Label: "score"},
		Caption: fmt.Sprintf("Bands: 95 %% over %s, by Student's t; broken lines: gold", unslu.Worlds.Count(worlds)),
	}
	names := map[string]string{"F1_T": "macro F1, test clips", "F1_F": "macro F1, forget clips", "MIA": "MIA"}
	for _, curve := range curves {
		series := plots.Series{Name: names[curve.Column]}
		for i, cell := range curve.Cells {
			if math.IsNaN(cell.Estimate) && curve.Column == curves[0].Column {
				chart.Caption += fmt.Sprintf("; it diverged at %.3g", curve.Rates[i])
			}
			series.Add(curve.Rates[i], cell.Estimate, cell.Lo, cell.Hi)
		}
		chart.Series = append(chart.Series, series)
		chart.Targets = append(chart.Targets, plots.Target{Name: "gold, " + names[curve.Column], Value: curve.Gold})
	}
	return chart.Figure()
}
