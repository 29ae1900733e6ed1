package concealment

import (
	"fmt"
	"image"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
)

// Probe is Figures 5 to 17 of "Unlearning or Concealment?": what partial diffusion makes of a prompt with an erased
// model, and as a control with gold.
func Probe(p *concealment.Probe, sheets, gold concealment.Sheets) (*plots.Figure, error) {
	prompt := p.Attack.Prompt
	if len(p.Attack.Unlearned) == 0 {
		return nil, fmt.Errorf("probe of %q: no method erased anything; draw gold alone", prompt.Paper)
	}
	grids, err := pictures(named{"original", sheets.Original}, named{prompt.Method, sheets.Unlearned},
		named{"gold", gold.Unlearned})
	if err != nil {
		return nil, err
	}
	strip, err := psiStrip("Partial diffusion with "+prompt.Method, p.Psi, prompt.Method, sheets.Strip)
	if err != nil {
		return nil, err
	}
	control, err := psiStrip("Partial diffusion with gold", p.Psi, "gold", gold.Strip)
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
	return plots.Stack{
		Title: fmt.Sprintf("“%s”, here “%s”, after %s of %s", prompt.Paper, prompt.Prompt, prompt.Method,
			prompt.Erased),
		Caption: fmt.Sprintf("A prompt to %s. Each grid has 25 pictures by one model alone; each strip one seed over "+
			"ψ. P: pictures that the original has begun and the other model completes; "+
			"P(O) is the probability that a classifier gives the original, 1 - P(O) the other model; s is (1 - "+
			"arctan cos)/(π/2) of the classifier's features, as in the paper's code; bands of 95 %% by "+
			"resampling training seeds and noise. Gold has never seen %s: what comes back of it was not in the "+
			"weights", kind, prompt.Erased),
		Width: 8, Rows: []plots.StackRow{
			{Height: 2.75, Letters: "aaa", Figures: grids},
			{Height: stripHeight, Letters: "b", Figures: []*plots.Figure{strip}},
			{Height: stripHeight, Letters: "b", Figures: []*plots.Figure{control}},
			{Height: 2.7, Letters: "cde", Figures: curves},
		},
	}.Figure()
}

// Gold is Figure 4: what partial diffusion brings back of a concept that a model has never seen.
func Gold(p *concealment.Probe, gold concealment.Sheets) (*plots.Figure, error) {
	grids, err := pictures(named{"original", gold.Original}, named{"gold", gold.Unlearned})
	if err != nil {
		return nil, err
	}
	strip, err := psiStrip("Partial diffusion with gold", p.Psi, "gold", gold.Strip)
	if err != nil {
		return nil, err
	}
	last := len(p.Recovered) - 1
	chart, err := plots.Lines{
		Title: "Recognised as the concept", X: plots.Axis{Label: "ψ"}, Y: shareAxis("share of pictures"),
		Series:  []plots.Series{curveSeries(p.Recovered[last], "gold")},
		Targets: []plots.Target{{Name: "half", Value: .5}},
	}.Figure()
	if err != nil {
		return nil, err
	}
	return plots.Stack{
		Title: fmt.Sprintf("“%s”, here “%s”: gold has never seen it", p.Attack.Prompt.Paper, p.Attack.Prompt.Prompt),
		Caption: fmt.Sprintf("Grids of 25 pictures by each model alone, a strip of one seed over ψ, and the share of "+
			"pictures that the judge takes for %s, with a band of 95 %% by resampling noise. The paper sees a "+
			"threshold at ψ ≈ .55",
			p.Attack.Prompt.Erased),
		Width: 7, Rows: []plots.StackRow{
			{Height: 2.9, Letters: "abd", Figures: append(grids, chart)},
			{Height: 1.7, Letters: "c", Figures: []*plots.Figure{strip}},
		},
	}.Figure()
}

// Strips is Figures 2 and 3: partial diffusion of one seed for several prompts.
func Strips(psi []string, attacks []*concealment.AttackScores, sheets []concealment.Sheets) (*plots.Figure, error) {
	if len(attacks) != len(sheets) {
		return nil, fmt.Errorf("strips: %d of sheets for %d prompts; give one for each", len(sheets), len(attacks))
	}
	figure := plots.Stack{Title: "Probing erased models with partial diffusion", Width: 8,
		Caption: "Upper rows: what the original takes the picture for that it hands over at ψ; lower rows: what the " +
			"erased model makes of it. One seed"}
	for i, a := range attacks {
		title := fmt.Sprintf("%s: “%s”, here “%s”", a.Prompt.Method, a.Prompt.Paper, a.Prompt.Prompt)
		strip, err := psiStrip(title, psi, a.Prompt.Method, sheets[i].Strip)
		if err != nil {
			return nil, err
		}
		figure.Rows = append(figure.Rows, plots.StackRow{Height: stripHeight, Letters: string(rune('a' + i)),
			Figures: []*plots.Figure{strip}})
	}
	return figure.Figure()
}

// named is a grid of pictures and whose they are.
type named struct {
	name string
	grid image.Image
}

func pictures(grids ...named) ([]*plots.Figure, error) {
	var all []*plots.Figure
	for _, g := range grids {
		f, err := plots.Sheet{Title: g.name, Picture: g.grid}.Figure()
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// stripHeight is that of a strip over ψ, in inches.
const stripHeight = 1.75

// psiStrip is a strip with two rows over ψ.
func psiStrip(title string, psi []string, completed string, picture image.Image) (*plots.Figure, error) {
	return plots.Sheet{Title: title, Columns: psi, Axis: "ψ", Picture: picture,
		Rows: []string{"x₀ seen by the original", "completed by " + completed}}.Figure()
}

// probeCharts are the three panels of curves over ψ: the classifier's probability, the code's similarity, and KID.
func probeCharts(p *concealment.Probe) ([]*plots.Figure, error) {
	erased := p.Original[0]
	var against concealment.Curve
	for _, point := range erased.Points {
		against.Points = append(against.Points,
			concealment.Point{Psi: point.Psi, Value: 1 - point.Value, Lo: 1 - point.Hi, Hi: 1 - point.Lo})
	}
	psi := plots.Axis{Label: "ψ"}
	charts := []plots.Lines{
		{Title: "Classifier", X: psi, Y: shareAxis("softmax"),
			Series: []plots.Series{curveSeries(erased, "P(O)"), curveSeries(against, "1 - P(O)"),
				curveSeries(p.Original[1], "P(O) of gold")}},
		{Title: "Similarity", X: psi, Y: plots.Axis{Label: "s, low is alike"}, Series: pairSeries(p.Similarity)},
		{Title: "KID", X: psi, Y: plots.Axis{Label: "mean KID"}, Series: pairSeries(p.Distance)},
	}
	var figures []*plots.Figure
	for _, chart := range charts {
		f, err := chart.Figure()
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// pairSeries are the curves to the original's and to the other model's pictures, of the erased model and of gold.
func pairSeries(curves []concealment.Curve) []plots.Series {
	var all []plots.Series
	for i, name := range []string{"P-O", "P-U", "P-O of gold", "P-gold"} {
		all = append(all, curveSeries(curves[i], name))
	}
	return all
}
