package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// TriesFigure plots how often a concept still appears over the number of passes. It has a panel for each method and
// concept, and a curve for each tried rate. pictures is the number of pictures per point.
func TriesFigure(choices []Choice, pictures int) (*chart.Figure, error) {
	var panels []*chart.Figure
	for _, c := range choices {
		if len(c.Trials) == 0 {
			continue
		}
		panel, err := triesPanel(c)
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return withNotes("tries", 1.3, chart.Panels{ // makes room for legends
		Title: "Settings that were tried before the verdicts",
		Caption: fmt.Sprintf("Share of %d pictures asked for the concept that show it, by passes of the method "+
			"and learning rate: one training each, bands 95 %% by Wilson over pictures alone. A setting must "+
			"get below the line and obey other prompts at least %g times as often as the original (retained)",
			pictures, attack.LeastRetained),
		Columns: min(2, len(panels)), Figures: panels,
	})
}

func triesPanel(c Choice) (*chart.Figure, error) {
	graph := chart.Lines{Title: c.Method + " of " + c.Erased, X: chart.Axis{Label: "passes"},
		Y:       shareAxis("share of pictures"),
		Targets: []chart.Target{{Name: "to be below", Value: attack.MostLeft}}}
	for i, t := range c.Trials { // trials are sorted by rate
		if i == 0 || t.Rate != c.Trials[i-1].Rate {
			graph.Series = append(graph.Series, chart.Series{Name: fmt.Sprintf("rate %g", t.Rate)})
		}
		shown := t.shown()
		graph.Series[len(graph.Series)-1].Add(float64(t.Budget), shown.Value, shown.Lo, shown.Hi)
	}
	panel, err := graph.Figure()
	if err != nil {
		return nil, err
	}
	panel.Note = fmt.Sprintf("%d of %d reach it", c.reach(), len(c.Trials))
	if used, is := c.chosen(); is {
		panel.Note += fmt.Sprintf("; used: %g, %d passes, retains %.2f", used.Rate, used.Budget, used.Retained)
	}
	return panel, nil
}
