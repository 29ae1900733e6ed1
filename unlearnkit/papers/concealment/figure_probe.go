package concealment

import (
	"fmt"
	"image"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// ProbeFigure draws one of Figures 5 to 17 of "Unlearning or Concealment?". It shows the pictures of partial diffusion
// for a prompt with an erased model and, as a control, with gold.
func ProbeFigure(p *Probe, sheets, gold Sheets) (*chart.Figure, error) {
	prompt := p.Attack.Prompt
	if len(p.Attack.Unlearned) == 0 {
		return nil, fmt.Errorf("probe of %q: no method erased anything; draw only gold", prompt.Paper)
	}
	grids, err := pictureGrids(named{"original", sheets.Original}, named{prompt.Method, sheets.Unlearned},
		named{"gold", gold.Unlearned})
	if err != nil {
		return nil, err
	}
	strip, err := psiStrip("Partial diffusion with "+prompt.Method, p, false, sheets.Strip)
	if err != nil {
		return nil, err
	}
	control, err := psiStrip("Partial diffusion with gold", p, true, gold.Strip)
	if err != nil {
		return nil, err
	}
	curves, err := probeCharts(p)
	if err != nil {
		return nil, err
	}
	kind := "retain"
	if prompt.Forget {
		kind = "forget"
	}
	probe := chart.Stack{
		Title: fmt.Sprintf("“%s” after %s", prompt.Paper, prompt.Method),
		Note:  fmt.Sprintf("Here “%s”: a prompt to %s. Erased: %s", prompt.Prompt, kind, prompt.Erased),
		Caption: fmt.Sprintf("(a) to (c): 25 pictures drawn by each model alone. (d), (e): one seed over ψ. "+
			"%s. (f) to (h): all pictures that the original begins and the other model completes, %d at each "+
			"ψ; colours are models, bands 95 %% over training seeds and noises (gold: over noises). (f) Full "+
			"lines: the share in which the judge sees the erased concept or, for prompts to retain, what the "+
			"prompt asks for; broken lines: P(O), the classifier's probability for the original. Each model "+
			"has its own classifier, so gold's differs. (g) s = (1 - arctan cos)/(π/2) of the classifier's "+
			"features, as in the paper's code: .14 for equal pictures, .64 for orthogonal ones. (h) Kernel "+
			"Inception Distance on the judge's features, no unit, logarithmic axis: values and band ends below "+
			".1, also negative ones, are drawn at .1; gold has no band. Full lines in (g) and (h): to the "+
			"original's pictures; broken lines: to those that the model draws alone. Gold has never seen %s, "+
			"so what comes back from gold was not in its weights", answerMeans, p.Pictures, prompt.Erased),
		Width: stripWidth, Rows: []chart.StackRow{
			{Height: 3.1, Letters: "abc", Figures: grids},
			{Height: bareStrip, Letters: "d", Figures: []*chart.Figure{strip}},
			{Height: bareStrip, Letters: "e", Figures: []*chart.Figure{control}},
			{Height: 3.2, Letters: "fgh", Figures: curves},
		},
	}
	if textured(p) {
		probe.Caption += ". " + textureCaveat
	}
	return probe.Figure()
}

// GoldFigure draws Figure 4: what partial diffusion recovers of a concept that a model was not trained on.
func GoldFigure(p *Probe, gold Sheets) (*chart.Figure, error) {
	grids, err := pictureGrids(named{"original", gold.Original}, named{"gold", gold.Unlearned})
	if err != nil {
		return nil, err
	}
	strip, err := psiStrip("Partial diffusion with gold", p, true, gold.Strip)
	if err != nil {
		return nil, err
	}
	last := len(p.Recovered) - 1
	graph, err := chart.Lines{
		Title: "Recognised as the concept", X: chart.Axis{Label: "ψ", Min: -.02, Max: 1.02},
		Y:       shareAxis("share of pictures"),
		Series:  []chart.Series{curveSeries(p.Recovered[last], "gold", chart.Gold)},
		Targets: []chart.Target{{Name: "half", Value: .5}}, Beyond: goldDraws(),
	}.Figure()
	if err != nil {
		return nil, err
	}
	return chart.Stack{
		Title: fmt.Sprintf("“%s”, here “%s”: gold has never seen it", p.Attack.Prompt.Paper, p.Attack.Prompt.Prompt),
		Note:  p.GoldAlone,
		Caption: fmt.Sprintf("Grids of 25 pictures drawn by each model alone, one seed over ψ, and the share "+
			"of pictures that the judge takes for %s, with a 95 %% band over noises. %s. The paper sees a "+
			"threshold at ψ ≈ .55", p.Attack.Prompt.Erased, answerMeans),
		Width: stripWidth, Rows: []chart.StackRow{
			{Height: 3.3, Letters: "abd", Figures: append(grids, graph)},
			{Height: bareStrip, Letters: "c", Figures: []*chart.Figure{strip}},
		},
	}.Figure()
}

// named is a grid of pictures with the name of its model.
type named struct {
	name string
	grid image.Image
}

func pictureGrids(grids ...named) ([]*chart.Figure, error) {
	var all []*chart.Figure
	for _, g := range grids {
		f, err := chart.Sheet{Title: g.name, Picture: g.grid}.Figure()
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// leastKID is the lower end of the logarithmic KID axis. Smaller values are drawn there, because an unbiased estimate
// of zero is negative as often as positive.
const leastKID = .1

// probeCharts returns three panels of curves over ψ. They show the judge's answers with the classifier's probability,
// the code's similarity, and KID. The axes are the same in all figures.
func probeCharts(p *Probe) ([]*chart.Figure, error) {
	sees := "shows it"
	if !p.Attack.Prompt.Forget {
		sees = "as asked"
	}
	pair := func(full, broken [2]Curve, names [2]string) (all []chart.Series) {
		for i, whose := range []chart.Role{chart.Unlearned, chart.Gold} {
			suffix := []string{"", ", gold"}[i]
			one := curveSeries(full[i], names[0]+suffix, whose)
			other := curveSeries(broken[i], names[1]+suffix, whose)
			other.Broken = true
			all = append(all, one, other)
		}
		return all
	}
	apart := func(curves []Curve) (to, own [2]Curve) {
		return [2]Curve{curves[0], curves[2]}, [2]Curve{curves[1], curves[3]}
	}
	alike, alikeOwn := apart(p.Similarity)
	far, farOwn := apart(p.Distance)
	psi := chart.Axis{Label: "ψ", Min: -.02, Max: 1.02}
	charts := []chart.Lines{
		{Title: "Judge and classifier", X: psi, Y: shareAxis("share or probability"),
			Series: pair([2]Curve(p.Recovered), [2]Curve(p.Original),
				[2]string{sees, "P(O)"})},
		{Title: "Similarity (low: alike)", X: psi, Y: chart.Axis{Label: "dissimilarity s", Min: .12, Max: .66},
			Series: pair(alike, alikeOwn, [2]string{"to original", "to own"})},
		{Title: "Distance of sets (keys of g)", X: psi,
			Y:      chart.Axis{Label: "KID, log", Log: true, Min: leastKID, Max: 400},
			Series: pair(far, farOwn, [2]string{"to original", "to own"})},
	}
	var figures []*chart.Figure
	for i, graph := range charts {
		if graph.Beyond = goldDraws(); i == len(charts)-1 {
			for _, s := range graph.Series {
				for _, values := range [][]float64{s.Y, s.Lo, s.Hi} {
					for k, value := range values {
						values[k] = math.Max(value, leastKID)
					}
				}
			}
		}
		f, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		f.NoLegend = i == len(charts)-1 // it shares the legend of the panel before
		figures = append(figures, f)
	}
	return figures, nil
}
