package language

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// rankingFigure returns a function that draws the candidates on an axis of perplexity.
func rankingFigure(r *exposure.Ranking) func() (*plots.Figure, error) {
	return func() (*plots.Figure, error) {
		const longest = 40
		series := []chart.DotSeries{{Name: "true"}, {Name: "candidates"}}
		for _, c := range r.Candidates {
			if math.IsInf(c.Perplexity, 0) {
				return nil, errors.New("a candidate's perplexity is too large to draw; remove --figure")
			}
			to := &series[1]
			if c.True {
				to = &series[0]
			}
			to.Dots = append(to.Dots, chart.Dot{Value: c.Perplexity, Name: fmt.Sprintf("%.*s", longest, c.Text)})
		}
		graph := chart.DotRows{Title: "How likely a model finds candidates", Lines: []string{r.Prefix},
			X:      chart.Axis{Label: "perplexity (smaller is more likely)", Log: true},
			Series: slices.DeleteFunc(series, func(s chart.DotSeries) bool { return len(s.Dots) == 0 })}
		if r.Truth != nil {
			graph.Caption = r.Truth.String()
		}
		return plots.Draw(graph.Figure())
	}
}

// mostLines is the largest number of prefixes that are drawn on separate lines.
const mostLines = 24

// summaryFigure returns a function that draws the Exposure of every secret, with a line for each prefix, and the
// interval of the mean.
func summaryFigure(s *exposure.Summary) func() (*plots.Figure, error) {
	return func() (*plots.Figure, error) {
		graph := chart.DotRows{Title: "Exposure of secrets", X: chart.Axis{Label: "Exposure", Min: 0, Max: 100}}
		dots := chart.DotSeries{Name: "secrets"}
		for _, r := range s.Items {
			if !slices.Contains(graph.Lines, r.Prefix) {
				graph.Lines = append(graph.Lines, r.Prefix)
			}
		}
		single := len(graph.Lines) > mostLines
		if single {
			graph.Lines = []string{"all prefixes"}
		}
		for _, r := range s.Items {
			if r.Truth.Candidates < 2 {
				continue
			}
			line := 0
			if !single {
				line = slices.Index(graph.Lines, r.Prefix)
			}
			dots.Dots = append(dots.Dots, chart.Dot{Line: line, Value: r.Truth.Exposure,
				Name: fmt.Sprintf("%.40s", r.Truth.Text)})
		}
		graph.Series = []chart.DotSeries{dots}
		graph.Caption = fmt.Sprintf("%d secrets; by chance %.1f", s.N, s.Chance)
		if !math.IsNaN(s.Lo) {
			graph.Region = &chart.Region{Name: "mean, interval of 95 %", Lo: s.Lo, Hi: s.Hi}
			graph.Caption = fmt.Sprintf("mean %.1f [%.1f, %.1f] of %s", s.Mean, s.Lo, s.Hi, graph.Caption)
		}
		return plots.Draw(graph.Figure())
	}
}
