package remem

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// ratios returns a function that draws Figure 6 or 7, depending on the size of the models.
func ratios(size int) func(r *Results) (*chart.Figure, error) {
	return func(r *Results) (*chart.Figure, error) {
		if size >= len(r.Preset.Sizes) {
			return nil, lacks(r, "has no results of models of a second size")
		}
		if len(r.Preset.Forget) < 2 {
			return nil, lacks(r, "forgets one number of people alone")
		}
		return RatiosFigure(r.Preset.Sizes[size].Name, r.Preset.Forget, r.byRatio(size), r.Seeds())
	}
}

// RatiosFigure draws ReMem's Figure 6 or 7: how methods score on retained and on forgotten knowledge, over the number
// of people to forget. The first two models are the taught model and gold.
func RatiosFigure(size string, people []int, models []Forgetful, worlds int) (*chart.Figure, error) {
	titles := map[string]string{"ROUGE": "ROUGE, kept", "EM_r": "EM_r, kept", "EM_f": "EM_f, forgotten",
		"EM_t": "EM_t, unseen words", "GPT": "GPT-score, forgotten", "Exp": "Exposure, forgotten"}
	var panels []*chart.Figure
	for _, column := range RatioColumns {
		graph := chart.Lines{Title: titles[column], X: chart.Axis{Label: "people to forget"},
			Y: chart.Axis{Label: "%", Min: -4, Max: 104}, Whiskers: true}
		for i, m := range models {
			series := chart.Series{Name: strings.NewReplacer("Before", "taught", "Gold", "gold").Replace(m.Model)}
			for ratio, scores := range m.Scores {
				if scores == nil {
					continue // an imported model of another number
				}
				percentBounds.add(&series, float64(people[ratio]), scores[column])
			}
			switch {
			case len(series.X) == 0: // the model diverged for every number of people
			case i < 2:
				series.Lo, series.Hi = nil, nil
				graph.Guides = append(graph.Guides, series)
			default:
				graph.Series = append(graph.Series, series)
			}
		}
		panel, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	caption := fmt.Sprintf("n: %s, both kinds of questions together. ROUGE and EM_r are about the people who "+
		"are kept at every number: higher is better. The other panels are about the people to forget: the goal "+
		"is gold's level. The taught model answers the same questions. Gold never learnt any of the %d people "+
		"of the largest number, at smaller numbers either; a random ranking has an Exposure of 50. Methods as "+
		"in the paper. A larger number also means more steps. %s", Worlds.Count(worlds), people[len(people)-1], whiskers(worlds))
	if slices.ContainsFunc(models, func(m Forgetful) bool { return m.Guest }) {
		caption += ". Guests are models from elsewhere, which have forgotten the largest number"
	}
	return chart.Panels{Title: "Methods by number of people to forget, size " + size,
		Caption: caption + divergences(people, models), Columns: 3, Figures: panels}.Figure()
}

// divergences lists the models that diverged, with the numbers of people to forget.
func divergences(people []int, models []Forgetful) (text string) {
	for _, m := range models {
		for ratio, scores := range m.Scores {
			cell := scores[RatioColumns[0]]
			switch {
			case cell.Warning == "":
			case math.IsNaN(cell.Estimate):
				text += fmt.Sprintf("; %s of %d diverged in every world", m.Model, people[ratio])
			default:
				text += fmt.Sprintf("; %s of %d %s, the point is of the others", m.Model, people[ratio], cell.Warning)
			}
		}
	}
	return text
}
