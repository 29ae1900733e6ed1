package remem

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

func states(r *Results) (*chart.Figure, error) {
	at, there := place(r, profile.FIUBench)
	if !there {
		return nil, lacks(r, "teaches nobody in the shape of FIUBench")
	}
	if r.Preset.Traced == 0 {
		return nil, lacks(r, "traces nothing")
	}
	means, err := r.Cells("5")
	if err != nil {
		return nil, err
	}
	// The few public people are drawn last, so that other dots do not hide them.
	all, kept := r.Names(), []certify.Cell{}
	var names []Remembered
	for _, shape := range compared {
		if at, there := place(r, shape); there {
			names, kept = append(names, all[at+1]), append(kept, means[2*at+2:2*at+4]...)
		}
	}
	names, kept = append(names, all[0]), append(kept, means[:2]...)
	const site = "hidden state"
	return StatesFigure(names, kept, []Map{r.Map(at, site), r.Map(len(r.Preset.Shapes), site)}, r.Seeds(),
		r.tokenCaveat())
}

// StatesFigure draws ReMem's Figure 2. It shows how well each person's name is memorised, and through which activations
// the effect of the name's words passes. The cells are the means of Table 5. If caveat is not empty, it qualifies the
// dots.
func StatesFigure(names []Remembered, means []certify.Cell, maps []Map, worlds int,
	caveat string) (*chart.Figure, error) {
	if caveat != "" {
		caveat = ". But " + caveat
	}
	graph := chart.Scatter{Title: "Names", X: chart.Axis{Label: "1/perplexity of the name, %"},
		Y: chart.Axis{Label: "Min-10 % of the name, %"}}
	var dots []string
	for _, set := range names {
		dots = append(dots, fmt.Sprintf("%d of %s", len(set.Names), set.Set))
		group := chart.PointGroup{Name: set.Set}
		for _, name := range set.Names {
			group.Points = append(group.Points, chart.NamedPoint{X: name.Inverse, Y: name.MinK})
		}
		graph.Groups = append(graph.Groups, group)
	}
	scatter, err := graph.Figure()
	if err != nil {
		return nil, err
	}
	row := chart.StackRow{Height: 3.1, Letters: "a", Figures: []*chart.Figure{scatter}}
	drawn, untraced := traced(maps)
	if len(drawn) > 0 {
		heat := heatMap("Where the name acts: hidden states", drawn, effectSpan(drawn), func(m Map) string {
			return fmt.Sprintf("%s, n = %d", m.Name, m.Traced)
		})
		figure, err := heat.Figure()
		if err != nil {
			return nil, err
		}
		row.Letters, row.Figures = "ab", append(row.Figures, figure)
	}
	return chart.Stack{Title: "How well people are memorised", Width: 8, Rows: []chart.StackRow{row},
		Caption: fmt.Sprintf("(a) One dot per person: %s. Real Set: public people that the base model knows; "+
			"the others: the people of %s that are taught in each shape. Probability of the name's least "+
			"likely tenth of tokens against the geometric mean of all its tokens. %s%s. %s", strings.Join(dots, ", "), Worlds.Count(worlds),
			meansOf(means), caveat, mapCaption("(b)", drawn, untraced)),
	}.Figure()
}

// meansOf lists the means of Table 5 next to the paper's values.
func meansOf(cells []certify.Cell) string {
	var said []string
	for i := 0; i+1 < len(cells); i += 2 {
		text := fmt.Sprintf("%s %.1f and %.1f", cells[i].Row, cells[i].Estimate, cells[i+1].Estimate)
		if cells[i].Printed != "" {
			text += fmt.Sprintf(" (printed %s and %s)", cells[i].Printed, cells[i+1].Printed)
		}
		said = append(said, text)
	}
	return "Means of Min-k % and 1/perplexity: " + strings.Join(said, "; ")
}

func sites(r *Results) (*chart.Figure, error) {
	above, both := place(r, profile.MLLMU)
	below, there := place(r, profile.FullShape)
	if !both || !there {
		return nil, lacks(r, "does not teach people in the formats of MLLMU-Bench and ReMem")
	}
	if r.Preset.Traced == 0 {
		return nil, lacks(r, "traces nothing")
	}
	var maps [][]Map
	for _, model := range []int{above, below} {
		var row []Map
		for _, site := range MapSites {
			row = append(row, r.Map(model, site))
		}
		maps = append(maps, row)
	}
	if drawn, _ := traced(slices.Concat(maps...)); len(drawn) == 0 {
		return nil, lacks(r, "has no answer that depends on the words that name the person, so there is "+
			"nothing to trace")
	}
	return SitesFigure(maps)
}

// SitesFigure draws ReMem's Figure 5: through which activations answers pass. It has a row for each model and a map for
// each site.
func SitesFigure(models [][]Map) (*chart.Figure, error) {
	all, untraced := traced(slices.Concat(models...))
	stack := chart.Stack{Title: "Activations that answers about taught people pass through", Width: 8}
	var first []Map // maps of each row
	for _, maps := range models {
		drawn, _ := traced(maps)
		if len(drawn) == 0 {
			continue
		}
		heat := heatMap(drawn[0].Name, drawn, effectSpan(all), func(m Map) string { return m.Site })
		figure, err := heat.Figure()
		if err != nil {
			return nil, err
		}
		stack.Rows = append(stack.Rows, chart.StackRow{Height: 2.3, Letters: string(rune('a' + len(first))),
			Figures: []*chart.Figure{figure}})
		first = append(first, drawn[0])
	}
	names := map[string]bool{}
	untraced = slices.DeleteFunc(untraced, func(m Map) bool {
		known := names[m.Name]
		names[m.Name] = true
		return known
	})
	stack.Caption = mapCaption("All", first, untraced)
	return stack.Figure()
}

// traced separates maps with traced answers from maps without.
func traced(maps []Map) (drawn, untraced []Map) {
	for _, m := range maps {
		if m.Traced == 0 {
			untraced = append(untraced, m)
		} else {
			drawn = append(drawn, m)
		}
	}
	return drawn, untraced
}

// effectSpan returns a scale that all maps share. It extends from zero, or from the smallest effect if that is
// negative, to the largest effect.
func effectSpan(maps []Map) chart.Scale {
	scale := chart.Scale{Label: "probability restored"}
	for _, m := range maps {
		for _, effects := range m.Effects {
			scale.Min, scale.Max = math.Min(scale.Min, slices.Min(effects)), math.Max(scale.Max, slices.Max(effects))
		}
	}
	return scale
}

// heatMap draws maps side by side.
func heatMap(title string, maps []Map, scale chart.Scale, name func(m Map) string) chart.HeatMap {
	heat := chart.HeatMap{Title: title, XLabel: "layer, from 0", Scale: scale}
	for _, m := range maps {
		panel := chart.Matrix{Name: name(m), Rows: m.Rows, Values: m.Effects}
		for layer := range m.Effects[0] {
			panel.Columns = append(panel.Columns, fmt.Sprint(layer))
		}
		heat.Panels = append(heat.Panels, panel)
	}
	return heat
}

// mapCaption describes the answers from which the maps are computed.
func mapCaption(which string, drawn, untraced []Map) string {
	text := ""
	if len(drawn) > 0 {
		var counts []string
		for _, m := range drawn {
			counts = append(counts, fmt.Sprintf("%d of %d of %s", m.Traced, m.Asked, m.Name))
		}
		text = fmt.Sprintf("%s: how much of the lost probability of the true answer comes back when an "+
			"activation is restored, if the question names an object instead of the person. Maximum over each "+
			"part of the prompt, mean over questions. Questions that lose at most .05 count as zero; traced: "+
			"%s. All maps share one colour scale", which, strings.Join(counts, ", "))
	}
	for _, m := range untraced {
		if text != "" {
			text += ". "
		}
		text += fmt.Sprintf("%s has no map: of %d questions none loses as much", m.Name, m.Asked)
	}
	return text
}
