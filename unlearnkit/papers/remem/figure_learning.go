package remem

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

func shapes(r *Results) (*chart.Figure, error) {
	all := r.learntByShape()
	var chosen []Learnt
	for _, shape := range compared {
		if at, there := place(r, shape); there {
			chosen = append(chosen, all[at])
		}
	}
	if len(chosen) == 0 {
		return nil, lacks(r, "teaches people in one shape alone")
	}
	return ShapesFigure(chosen, r.Preset.People.Identities, r.Seeds())
}

// ShapesFigure draws ReMem's Figure 1: how much models learn about the same people from the questions of several
// benchmarks.
func ShapesFigure(learnt []Learnt, people, worlds int) (*chart.Figure, error) {
	graph := chart.Radar{Title: "The same people, taught in the formats of three benchmarks", Max: 100,
		Target: &chart.Target{Name: "all that is taught", Value: 100}}
	columns := []string{"ROUGE", "GPT", "EM"}
	for _, spoke := range []string{"ROUGE", "GPT-score", "EM"} {
		graph.Spokes = append(graph.Spokes, spoke+", %")
	}
	var said []string
	for _, l := range learnt {
		series, em := chart.RadarSeries{Name: l.Name}, l.Scores["EM"]
		if math.IsNaN(em.Estimate) {
			said = append(said, l.Name+" diverged")
			continue
		}
		for _, column := range columns {
			series.Values = append(series.Values, l.Scores[column].Estimate)
		}
		graph.Series = append(graph.Series, series)
		text := fmt.Sprintf("%s %.1f", l.Name, em.Estimate)
		if !math.IsNaN(em.Lo) {
			text += fmt.Sprintf(" [%.1f, %.1f]", max(0, em.Lo), min(100, em.Hi))
		}
		said = append(said, text)
	}
	intervals := ""
	if worlds > 1 {
		intervals = ", with 95 % by Student's t over worlds"
	}
	graph.Caption = fmt.Sprintf("n: %s of %d people, the smaller size. Answers to the taught questions, "+
		"averaged over worlds: ROUGE-L recall, the score of rules that replace a language model, and exact "+
		"match (EM). EM%s: %s", Worlds.Count(worlds), people, intervals,
		strings.Join(said, "; "))
	return graph.Figure()
}

func learning(r *Results) (*chart.Figure, error) {
	if len(r.Preset.Counts) < 2 || len(r.Preset.Shares) < 2 {
		return nil, lacks(r, "teaches one person by one number and kind of questions alone")
	}
	return LearningFigure(r.learntByCount(), r.learntByShare(), r.Seeds())
}

// LearningFigure draws ReMem's Figure 3: how much a model learns about one person. Panels (a) and (b) show the number
// of questions, panel (c) the share that names the person.
func LearningFigure(byCount, byShare []Learnt, worlds int) (*chart.Figure, error) {
	questions := chart.Axis{Label: "questions about the person"}
	score := chart.Axis{Label: "score, %", Min: -2, Max: 102}
	var diverged []string
	var panels []*chart.Figure
	for i, panel := range []struct {
		graph   chart.Lines
		learnt  []Learnt
		columns []string
		names   []string
		within  bounds
	}{
		{chart.Lines{Title: "Learnt", X: questions, Y: score}, byCount, []string{"EM", "ROUGE", "EM_t"},
			[]string{"EM, taught", "ROUGE, taught", "EM, test"}, percentBounds},
		{chart.Lines{Title: "Perplexity", X: questions, Y: chart.Axis{Label: "perplexity of the test's answers"}},
			byCount, []string{"Perplexity"}, []string{"test"}, perplexityBounds},
		{chart.Lines{Title: "Kinds of questions", X: chart.Axis{Label: "single-hop questions taught, %"}, Y: score,
			Marked: &chart.Marked{Name: "the paper's peak", X: []float64{70}}},
			byShare, []string{"EM_t, single", "EM_t, multi"}, []string{"EM, single-hop test", "EM, multi-hop test"},
			percentBounds},
	} {
		graph := panel.graph
		for k, column := range panel.columns {
			series := chart.Series{Name: panel.names[k]}
			for _, l := range panel.learnt {
				cell := l.Scores[column]
				panel.within.add(&series, l.Value, cell)
				if k == 0 && cell.Warning != "" {
					diverged = append(diverged, fmt.Sprintf("(%c) %s at %g", 'a'+i, cell.Warning, l.Value))
				}
			}
			if len(series.X) > 0 {
				graph.Series = append(graph.Series, series)
			}
		}
		figure, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		panels = append(panels, figure)
	}
	caption := fmt.Sprintf("n: %s with one person each, the smaller size. EM: exact match. Taught: the taught "+
		"questions; test: %d questions in unseen words about unseen layouts, half of which name the person "+
		"(single-hop). (c) uses 100 questions. The number of epochs is fixed, so more questions mean more "+
		"steps. %s", Worlds.Count(worlds), profile.TestPictures,
		bands(worlds))
	if len(diverged) > 0 {
		caption += "; " + strings.Join(diverged, "; ")
	}
	const taller = 1.3 // makes room for a legend in every panel
	return chart.Panels{Title: "Learning about one person", Caption: caption, Columns: 3, Taller: taller,
		Figures: panels}.Figure()
}
