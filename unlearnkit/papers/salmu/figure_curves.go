package salmu

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// GapFigure draws SALMUBench's Figure 6 (Clean) or 7 (Compromised): the similarity of portraits in two styles to
// captions that fit every portrait.
func GapFigure(g Gap) (*chart.Figure, error) {
	return chart.Histogram{
		Title: "Two styles of portraits under " + g.Model,
		Caption: fmt.Sprintf("Mean cosine of a portrait with five captions that fit any portrait; n = %d and "+
			"%d; Kolmogorov-Smirnov D = %.3f, %s",
			len(g.Real), len(g.Generated), g.KS.Statistic, certify.PEquation(g.KS.P)),
		X: chart.Axis{Label: "mean cosine with generic captions"},
		Samples: []chart.Sample{{Name: "second style (“real”)", Values: g.Real},
			{Name: "generated people", Values: g.Generated}},
	}.Figure()
}

// RatesFigure draws SALMUBench's Figure 8: two methods at several learning rates. Rates at which a method diverged in
// every world are left out and named below the picture.
func RatesFigure(curves []RateCurve, worlds int) (*chart.Figure, error) {
	caption := fmt.Sprintf("After five passes; bands: 95 %% over %s, by Student's t; broken lines: Clean's "+
		"RetFail and Compromised's GenKnow", Worlds.Count(worlds))
	var panels []*chart.Figure
	for _, column := range []string{"RetFail", "GenKnow"} {
		graph := chart.Lines{Title: column, X: chart.Axis{Label: "learning rate", Log: true},
			Y: chart.Axis{Label: column}}
		for _, curve := range curves {
			if curve.Column != column {
				continue
			}
			series := chart.Series{Name: curve.Method}
			for _, p := range curve.Points {
				if math.IsNaN(p.Estimate) {
					if column == "RetFail" {
						caption += fmt.Sprintf("; %s diverged at %.3g", curve.Method, p.Rate)
					}
					continue
				}
				series.X, series.Y = append(series.X, p.Rate), append(series.Y, p.Estimate)
				series.Lo, series.Hi = append(series.Lo, p.Lo), append(series.Hi, p.Hi)
			}
			if len(series.X) > 0 {
				graph.Series = append(graph.Series, series)
			}
			graph.Targets = []chart.Target{{Name: "target", Value: curve.Target}}
		}
		if len(graph.Series) == 0 && column == "GenKnow" {
			caption += "; GenKnow was not judged"
			continue
		}
		panel, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return chart.Panels{Title: "How two methods depend on the learning rate", Caption: caption, Columns: len(panels),
		Figures: panels}.Figure()
}

// CostsFigure plots how much general knowledge methods lose: on larger models, on models with more object classes, and
// at other learning rates.
func CostsFigure(c Costs) (*chart.Figure, error) {
	var panels []*chart.Figure
	for _, of := range []struct {
		title  string
		x      chart.Axis
		curves []CostCurve
		at     func(p CostPoint) float64
	}{
		{"larger models", chart.Axis{Label: "parameters", Log: true}, c.BySize, func(p CostPoint) float64 {
			return float64(p.Parameters)
		}},
		{"more to keep", chart.Axis{Label: "classes of objects"}, c.ByClasses, func(p CostPoint) float64 {
			return float64(p.Classes)
		}},
		{"other rates", chart.Axis{Label: "multiple of the rates", Log: true}, c.ByFactor,
			func(p CostPoint) float64 { return p.Factor }},
	} {
		graph := chart.Lines{Title: of.title, X: of.x, Y: chart.Axis{Label: "GenKnow lost"}}
		for _, curve := range of.curves {
			if series := costs(curve, of.at); len(series.X) > 0 {
				graph.Series = append(graph.Series, series)
			}
		}
		panel, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	caption := "After five passes, in one world" + ordersCaption(c.Orders)
	return chart.Panels{Title: "Why unlearning costs general knowledge", Caption: caption, Columns: 3,
		Figures: panels}.Figure()
}

// ordersCaption compares the order of the methods with the paper's, or returns "" without orders.
func ordersCaption(orders []Order) string {
	if len(orders) == 0 {
		return ""
	}
	var leak, know []float64
	for _, order := range orders {
		leak, know = append(leak, order.Leak.Statistic), append(know, order.Know.Statistic)
	}
	return fmt.Sprintf(". Over these %d models, Kendall's tau-b between the order of the methods here and in "+
		"the paper is "+
		"%.2f to %.2f for RetFail and %.2f to %.2f for GenKnow; the table orders lists each with its p-value", len(orders),
		slices.Min(leak), slices.Max(leak), slices.Min(know), slices.Max(know))
}

// costs returns a curve as a series of a chart. It leaves out points at which the method diverged.
func costs(curve CostCurve, at func(p CostPoint) float64) chart.Series {
	series := chart.Series{Name: curve.Method}
	for _, p := range curve.Points {
		if !math.IsNaN(p.Estimate) {
			series.X, series.Y = append(series.X, at(p)), append(series.Y, p.Estimate)
		}
	}
	return series
}

// BudgetsFigure plots the scores of methods over their budgets, with a panel for each column of Table 5. Curves start
// at zero passes with the Compromised model. The broken line is the target.
func BudgetsFigure(trajectories []Trajectory, worlds int) (*chart.Figure, error) {
	caption := fmt.Sprintf("Means over %s with 95 %% intervals over worlds, by Student's t; points of one "+
		"budget are drawn side by side. Budgets are snapshots of one run, which starts from Compromised. The "+
		"target is Clean for RetFail and AssocStr, and Compromised for GenKnow and IntraIdSim. DELETE and "+
		"CLIPERase nearly coincide",
		Worlds.Count(worlds))
	var charts []*chart.Lines
	lacking := ""
	for _, t := range trajectories {
		if math.IsNaN(t.Start) {
			lacking = "; " + t.Column + " was not judged"
			continue
		}
		if len(charts) == 0 || charts[len(charts)-1].Title != t.Column {
			charts = append(charts, &chart.Lines{Title: t.Column, Whiskers: true,
				X: chart.Axis{Label: "passes over the forget set"}, Y: chart.Axis{Label: t.Column},
				Targets: []chart.Target{{Name: "target", Value: t.Target},
					{Name: "Compromised, at 0 passes", Value: t.Start}}})
		}
		graph := charts[len(charts)-1]
		if t.Guest {
			graph.Targets = append(graph.Targets, chart.Target{Name: t.Method, Value: t.Points[0].Estimate})
			continue
		}
		series := chart.Series{Name: t.Method}
		for _, p := range t.Points {
			if !math.IsNaN(p.Estimate) {
				series.Add(float64(p.Passes), p.Estimate, p.Lo, p.Hi)
			}
		}
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
	return chart.Panels{Title: "Scores of the methods over their budgets", Caption: caption + lacking,
		Columns: min(2, len(panels)), Figures: panels}.Figure()
}
