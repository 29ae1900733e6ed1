package concealment

import (
	"errors"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// replicationFigure compares the scores in the paper's tables with the measured scores. It has a panel for each score,
// with a point for each prompt and the rank correlation.
func replicationFigure(all []replication, seeds int) (*chart.Figure, error) {
	var panels []*chart.Figure
	for _, of := range all {
		if len(of.Pairs) == 0 {
			return nil, errors.New("replication: nothing to draw")
		}
		graph := chart.Scatter{Title: of.Score, X: chart.Axis{Label: "printed"}, Y: chart.Axis{Label: "ours"}}
		for _, table := range []string{"1", "2", "3"} {
			group := chart.PointGroup{Name: "Table " + table}
			for _, p := range of.restricted(table).Pairs {
				group.Points = append(group.Points, chart.NamedPoint{X: p.Printed, Y: p.Own})
			}
			graph.Groups = append(graph.Groups, group)
		}
		panel, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		tau, lo, hi := of.tau()
		panel.Note = fmt.Sprintf("tau-b %.2f [%.2f, %.2f]", tau.Statistic, lo, hi)
		panels = append(panels, panel)
	}
	return chart.Panels{Title: "The paper's scores compared with ours, a point for each " +
		"prompt", Columns: 2, Figures: panels,
		Caption: fmt.Sprintf("%d prompts; ours are means over %s. d of CRS: CRS itself in forget rows, one "+
			"minus CRS in retain rows. The scales of KID differ because the features do. tau-b: Kendall's rank "+
			"correlation over all prompts with its 95 %% interval; 1 is the paper's order, 0 no relation", len(all[0].Pairs),
			TrainingSeeds.Count(seeds)),
	}.Figure()
}
