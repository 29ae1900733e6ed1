package plots

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
)

// curveSeries is a curve of the study of concealment with its band.
func curveSeries(c concealment.Curve, name string) Series {
	s := Series{Name: name}
	for _, p := range c.Points {
		s.add(concealment.Value(p.Psi), p.Value, p.Lo, p.Hi)
	}
	return s
}

// shareAxis is one from none to all.
func shareAxis(label string) Axis { return Axis{Label: label, Min: -.02, Max: 1.02} }

// ConcealmentAccuracy is how the original model learns to draw: how often a judge finds the object and the style that were asked for in its pictures. Methods are judged on a model that passes the gate.
func ConcealmentAccuracy(points []concealment.AccuracyPoint, gate concealment.AccuracyPoint) (*Figure, error) {
	const passes = .9
	chart := Lines{
		Title: "The original learns to draw", X: Axis{Label: "steps of training"}, Y: shareAxis("share of pictures as asked for"),
		Series: []Series{{Name: "object"}, {Name: "style"}}, Targets: []Target{{Name: "gate", Value: passes}},
	}
	if err := filled("accuracy", len(points)); err != nil {
		return nil, err
	}
	for _, p := range points {
		chart.Series[0].add(float64(p.Steps), p.Object.Value, p.Object.Lo, p.Object.Hi)
		chart.Series[1].add(float64(p.Steps), p.Style.Value, p.Style.Lo, p.Style.Hi)
	}
	said := "passes the gate"
	if !(gate.Object.Value >= passes && gate.Style.Value >= passes) {
		said = "does not pass the gate"
	}
	chart.Caption = fmt.Sprintf("%d pictures at each point, bands of 95 %% by Wilson; after %d steps, on %d other pictures: object %.3f [%.3f, %.3f], style %.3f [%.3f, %.3f], so it %s of %.0f %%",
		points[0].Pictures, gate.Steps, gate.Pictures, gate.Object.Value, gate.Object.Lo, gate.Object.Hi, gate.Style.Value, gate.Style.Lo, gate.Style.Hi, said, 100*passes)
	return chart.Figure()
}

// ConcealmentRecovery is how much of what was erased comes back over ψ, of each method and concept beside gold, with how often the same models obey other prompts.
func ConcealmentRecovery(recoveries []concealment.Recovery, seeds int) (*Figure, error) {
	var panels []*Figure
	for _, r := range recoveries {
		chart := Lines{Title: r.Title, X: Axis{Label: "ψ"}, Y: shareAxis("share recognised")}
		for i, c := range r.Curves {
			chart.Series = append(chart.Series, curveSeries(c, fmt.Sprintf("%s (retains %.2f)", c.Name, r.Retained[i])))
		}
		panel, err := chart.Figure()
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	if err := filled("recovery", len(panels)); err != nil {
		return nil, err
	}
	f, err := Panels{
		Title: "What comes back of erased concepts, beside gold",
		Caption: fmt.Sprintf("Share of pictures that show what was erased, as the judge sees them, over the prompts that ask for it; bands of 95 %% by resampling noise and, of methods, %s; "+
			"in brackets how often other prompts are obeyed: of a destroyed model nothing comes back either", concealment.TrainingSeeds(seeds)),
		Columns: min(3, len(panels)), Figures: panels,
	}.Figure()
	if err == nil {
		f.Height *= 1.25 // every panel has a legend of its own
	}
	return f, err
}
