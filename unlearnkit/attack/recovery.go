package attack

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// Recovery shows how much of a forgotten concept an attack recovered over its budgets, from the models and from gold. A
// second panel shows how much retained knowledge the same models keep. The caption names the models for which this was
// not measured. All curves belong to one column.
func Recovery(curves []Curve) (*chart.Figure, error) {
	if len(curves) == 0 {
		return nil, errors.New("recovery: nothing to draw")
	}
	column := curves[0].Column
	graph := chart.Lines{Title: "Recovered", X: chart.Axis{Label: curves[0].Axis}, Y: chart.Axis{Label: column.Label}}
	if column.Share {
		graph.Y.Min, graph.Y.Max = -.02, 1.02
	}
	retained := chart.DotWhisker{Title: "Retained",
		X: chart.Axis{Label: "accuracy on what was to be retained", Min: -.02, Max: 1.02}}
	roles := rolesOf(curves)
	for i, c := range curves {
		if c.Column != column || c.Axis != graph.X.Label {
			return nil, fmt.Errorf("recovery: curves of %s over %s and of %s over %s; draw one figure for each",
				c.Column.Name, c.Axis, column.Name, graph.X.Label)
		}
		if s := recoverySeries(c); len(s.X) > 0 {
			s.Role = roles[i]
			graph.Series = append(graph.Series, s)
		}
		if c.Model.Retained.Measured() {
			e := c.Model.Retained.Estimate()
			retained.Rows = append(retained.Rows,
				chart.Estimate{Name: c.Model.Name, Value: e.Value, Lo: e.Lo, Hi: e.Hi, Verdict: chart.Unresolved})
		}
	}
	title := "Recovery of the forgotten concept"
	if !slices.ContainsFunc(curves, func(c Curve) bool { return c.Model.Role == Gold }) {
		title += ", without gold to compare with"
	}
	left, err := graph.Figure()
	if err != nil {
		return nil, err
	}
	if len(retained.Rows) == 0 {
		left.Title, left.Caption = title, recoveryCaption(curves)
		return left, nil
	}
	right, err := retained.Figure()
	if err != nil {
		return nil, err
	}
	right.NoLegend = true // this panel has no verdicts
	return chart.Panels{Title: title, Caption: recoveryCaption(curves), Columns: 2, Figures: []*chart.Figure{left, right}}.Figure()
}

// rolesOf returns the roles of the models of curves. With more than three unlearned models none has a role.
func rolesOf(curves []Curve) []chart.Role {
	unlearned := []chart.Role{chart.Unlearned, chart.Second, chart.Third}
	roles := make([]chart.Role, len(curves))
	for i, c := range curves {
		switch {
		case c.Model.Role == Gold:
			roles[i] = chart.Gold
		case len(unlearned) == 0:
			return make([]chart.Role, len(curves))
		default:
			roles[i], unlearned = unlearned[0], unlearned[1:]
		}
	}
	return roles
}

// recoverySeries returns a curve with its band, or without one if there are too few units. Points with values that are
// not finite become gaps.
func recoverySeries(c Curve) chart.Series {
	s := chart.Series{Name: c.Model.Name}
	for _, p := range c.Points {
		s.Add(p.Budget.Value, p.Value, p.Lo, p.Hi)
	}
	return s
}

func recoveryCaption(curves []Curve) string {
	how := "95 % bands by resampling the seeds"
	if curves[0].Column.Share {
		how = "95 % bands by Wilson"
	}
	said := []string{fmt.Sprintf("%d seeds at each %s, %s", curves[0].Points[0].N, curves[0].Axis, how)}
	var gold *Curve
	var unmeasured []string
	for i, c := range curves {
		if c.Model.Role == Gold && gold == nil {
			gold = &curves[i]
		}
		if !c.Model.Retained.Measured() {
			unmeasured = append(unmeasured, c.Model.Name)
		}
		if n := len(recoverySeries(c).X); n < len(c.Points) {
			said = append(said, fmt.Sprintf("%s has scores at %d of %d %s", c.Model.Name, n, len(c.Points), c.Axis))
		}
	}
	for _, c := range curves {
		if gold == nil || c.Model.Role == Gold || !c.Column.Recovery {
			continue
		}
		said = append(said, passing(c, c.Passes(*gold)))
	}
	if gold == nil {
		said = append(said, "there is no gold model to compare with, so the attack itself may have caused the recovery")
	}
	if len(unmeasured) > 0 {
		said = append(said, "retained accuracy not measured: "+strings.Join(unmeasured, ", "))
	}
	return strings.Join(said, "; ")
}

func passing(c Curve, p Passing) string {
	if math.IsNaN(p.Separated) {
		return fmt.Sprintf("%s is nowhere above gold with certainty", c.Model.Name)
	}
	return fmt.Sprintf("%s is above gold with certainty from %s = %.3g on", c.Model.Name, c.Axis, p.Separated)
}

// StripRow is one row of [Strip]: the pictures of one model at every budget.
type StripRow struct {
	Name   string
	Images []image.Image
}

// Strip shows pictures over the budgets of an attack. For partial diffusion, these are the original's prediction from
// the latent at which it hands over, and the pictures that other models make from that latent.
func Strip(title, axis string, budgets []Budget, rows []StripRow) (*chart.Figure, error) {
	grid := chart.ImageGrid{Title: title, ColumnsName: axis}
	for _, b := range budgets {
		grid.Columns = append(grid.Columns, b.Text)
	}
	var names []string
	for _, row := range rows {
		names = append(names, row.Name)
		grid.Rows, grid.Images = append(grid.Rows, row.Name), append(grid.Images, row.Images)
	}
	grid.Caption = fmt.Sprintf("From left to right with growing %s; from top to bottom: %s", axis,
		strings.Join(names, ", "))
	return grid.Figure()
}
