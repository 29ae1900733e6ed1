package membership

import (
	"errors"
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// ROCFigure plots the fraction of the members that an attack finds against its fraction of false alarms. Both axes are
// logarithmic, because an attack is as useful as the members that it finds at few false alarms (Carlini et al. 2022,
// §IV-A). The axes begin at half an example: points drawn there have no false alarm or find no member.
func ROCFigure(curves []ROC) (*chart.Figure, error) {
	if len(curves) == 0 {
		return nil, errors.New("curves of attacks: nothing to draw")
	}
	graph := chart.Lines{Title: "Members found by attacks",
		X: chart.Axis{Label: "false alarms, share of the non-members", Log: true, Min: 1, Max: 1},
		Y: chart.Axis{Label: "members found, share", Log: true, Min: 1, Max: 1}}
	var said []string
	for _, c := range curves {
		if c.Members < 1 || c.NonMembers < 1 || len(c.Points) == 0 {
			return nil, errors.New("curves of attacks: one has no points; measure it first")
		}
		left, bottom := .5/float64(c.NonMembers), .5/float64(c.Members)
		graph.X.Min, graph.Y.Min = min(graph.X.Min, left), min(graph.Y.Min, bottom)
		s := chart.Series{Name: c.Attack}
		for _, p := range c.Points {
			s.X, s.Y = append(s.X, max(p.FPR, left)), append(s.Y, max(p.TPR, bottom))
		}
		graph.Series = append(graph.Series, s)
		said = append(said, fmt.Sprintf("area under %s %.3f [%.3f, %.3f]", c.Attack, c.Area.Value, c.Area.Lo,
			c.Area.Hi))
	}
	from := max(graph.X.Min, graph.Y.Min)
	graph.Series = append(graph.Series, chart.Series{Name: "chance", X: []float64{from, 1}, Y: []float64{from, 1}})
	first := curves[0]
	graph.Caption = fmt.Sprintf("%s; %d members and %d non-members, which resolve no share of false alarms below "+
		"%.2g; intervals of 95 %%", strings.Join(said, "; "), first.Members, first.NonMembers,
		1/float64(first.NonMembers))
	return graph.Figure()
}
