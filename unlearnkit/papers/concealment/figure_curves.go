package concealment

import (
	"errors"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// curveSeries returns a curve with its band as a series of a chart. It leaves out ratios at which the original takes no
// step, because their pictures equal those at ψ = 0.
func curveSeries(c Curve, name string, role chart.Role) chart.Series {
	s := chart.Series{Name: name, Role: role}
	for _, p := range c.Points {
		if !p.Idle {
			s.Add(Value(p.Psi), p.Value, p.Lo, p.Hi)
		}
	}
	return s
}

// goldDraws returns the paper's threshold, from which gold draws the erased concept.
func goldDraws() *chart.Target {
	return &chart.Target{Name: "ψ ≥ .55", Value: metric.PsiThreshold}
}

// shareAxis returns an axis for shares, slightly longer than the range from 0 to 1.
func shareAxis(label string) chart.Axis { return chart.Axis{Label: label, Min: -.02, Max: 1.02} }

// AccuracyFigure plots how models learn to draw: how often a judge finds the requested object and style in their
// pictures, for each kind of network output. The first model is the original. Methods are applied to it only if it
// passes the gate, a minimum share of such pictures.
func AccuracyFigure(models []Accuracy, gate AccuracyPoint) (*chart.Figure, error) {
	const passes, least = .9, .5
	if len(models) == 0 || len(models[0].Points) == 0 {
		return nil, errors.New("accuracy: nothing to draw")
	}
	graph := func(title string, of func(p AccuracyPoint) stat.Effect) (*chart.Figure, error) {
		graph := chart.Lines{Title: title, X: chart.Axis{Label: "steps of training"},
			Y:       chart.Axis{Label: "share of pictures as asked for", Min: least, Max: 1.02},
			Targets: []chart.Target{{Name: "gate", Value: passes}}}
		for _, m := range models {
			series := chart.Series{Name: "puts out " + m.Output}
			for _, p := range m.Points {
				share := of(p)
				series.Add(float64(p.Steps), share.Value, share.Lo, share.Hi)
			}
			graph.Series = append(graph.Series, series)
		}
		return graph.Figure()
	}
	object, err := graph("object", func(p AccuracyPoint) stat.Effect { return p.Object })
	if err != nil {
		return nil, err
	}
	style, err := graph("style", func(p AccuracyPoint) stat.Effect { return p.Style })
	if err != nil {
		return nil, err
	}
	said := "passes the gate"
	if !(gate.Object.Value >= passes && gate.Style.Value >= passes) {
		said = "does not pass the gate"
	}
	return chart.Panels{
		Title: "Learning to draw", Columns: 2, Figures: []*chart.Figure{object, style},
		Caption: fmt.Sprintf("%d pictures at each point; bands: 95 %% by Wilson. The original, which predicts "+
			"%s, after %d steps on %d other pictures: object %.3f [%.3f, %.3f], style %.3f [%.3f, %.3f]; it %s "+
			"of %.0f %%. Shares below %g are not shown",
			models[0].Points[0].Pictures, models[0].Output, gate.Steps, gate.Pictures, gate.Object.Value,
			gate.Object.Lo, gate.Object.Hi, gate.Style.Value, gate.Style.Lo, gate.Style.Hi, said, 100*passes, least),
	}.Figure()
}

// RecoveryFigure plots how much of an erased concept returns over ψ, for each method and concept and for gold. It adds
// the verdict, and how often the same models obey other prompts. Methods' bands are over trainings, as the caption
// says.
func RecoveryFigure(recoveries []Recovery, trainings string) (*chart.Figure, error) {
	const most = 26 // letters name the panels
	left := ""
	if n := len(recoveries) - most; n > 0 {
		recoveries, left = recoveries[:most], fmt.Sprintf("; the panels of %d more concepts of guests are left out", n)
	}
	method := "the method" // one name for all panels, which share the legend
	var guests []string
	for _, r := range recoveries {
		if r.Guest != "" {
			method, guests = "the method or guest", append(guests, r.Guest)
		}
	}
	var panels []*chart.Figure
	for _, r := range recoveries {
		graph := chart.Lines{Title: r.Title, X: chart.Axis{Label: "ψ", Min: -.02, Max: 1.02},
			Y: shareAxis("share of pictures"), Beyond: goldDraws()}
		for i, role := range []chart.Role{chart.Unlearned, chart.Gold} {
			graph.Series = append(graph.Series,
				curveSeries(r.Curves[i], []string{method, "gold, which never saw it"}[i], role))
		}
		panel, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		panel.Note = fmt.Sprintf("%s; retains %.2f, gold %.2f", r.Verdict, r.Retained[0],
			r.Retained[1])
		panels = append(panels, panel)
	}
	return withNotes("recovery", 1.12, chart.Panels{
		Title: "How often erased concepts come back, compared with gold",
		Caption: fmt.Sprintf("Share of pictures in which the judge sees the erased concept, over the prompts "+
			"that ask for it; bands: 95 %% over noises and, for methods, %s. Below each title: the verdict "+
			"below ψ = .55, and how often other prompts are obeyed (retained), because a destroyed model "+
			"recovers nothing either. From ψ = .55 on (shaded), according to the paper, even gold draws concepts that "+
			"it has never seen. At ψ = .001 and .01 the original takes none of the 20 steps: these points equal ψ = "+
			"0 and are not drawn", trainings) + study.GuestCaption(guests...) + left,
		Columns: min(3, len(panels)), Figures: panels,
	})
}

// withNotes combines panels that have a note below the title. The factor taller makes room for the notes.
func withNotes(name string, taller float64, p chart.Panels) (*chart.Figure, error) {
	if len(p.Figures) == 0 {
		return nil, errors.New(name + ": nothing to draw")
	}
	p.Taller = taller
	return p.Figure()
}
