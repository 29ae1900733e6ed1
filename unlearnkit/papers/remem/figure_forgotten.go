package remem

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func verdicts(r *Results) (*chart.Figure, error) {
	all := r.Verdicts()
	if !slices.ContainsFunc(all, func(a Assessment) bool { return !math.IsNaN(a.Left.Value) }) {
		return nil, lacks(r, "has no method that can be judged: a verdict needs "+all[0].Change)
	}
	all = append(all, r.guestVerdicts()...)
	slices.SortStableFunc(all, func(a, b Assessment) int { return r.Preset.size(a.Size) - r.Preset.size(b.Size) })
	return VerdictsFigure(all, r.Seeds())
}

// VerdictsFigure plots the two fractions that decide the verdicts, with their thresholds. The first fraction is how
// much of the knowledge that the taught model has and gold lacks remains after unlearning. The second is how much more
// of it a model than gold regains by relearning.
func VerdictsFigure(all []Assessment, worlds int) (*chart.Figure, error) {
	left := chart.DotWhisker{Title: "Left after unlearning", X: chart.Axis{Label: "share of what gold lacks"},
		Target: &chart.Target{Name: "gold: nothing left"},
		Region: &chart.Region{Name: fmt.Sprintf("erased: up to %g", MostLeft), Hi: MostLeft},
		Words: map[chart.Verdict]string{chart.Larger: fmt.Sprintf("more than %g is left", MostLeft),
			chart.Smaller: fmt.Sprintf("less than %g is left", MostLeft), chart.Unresolved: "undecided"}}
	gain := chart.DotWhisker{Title: "Brought back by relearning half of the attributes",
		X:      chart.Axis{Label: "share of what gold lacks, beyond gold's gain"},
		Target: &chart.Target{Name: "as much as gold gains"},
		Region: &chart.Region{Name: fmt.Sprintf("nothing: up to %g", MostGain), Hi: MostGain},
		Words: map[chart.Verdict]string{chart.Larger: "recovers more than gold",
			chart.Smaller: fmt.Sprintf("less than %g more", MostGain), chart.Unresolved: "undecided"}}
	untried, out, guests := 0, []string{}, []string{}
	for _, a := range all {
		if math.IsNaN(a.Left.Value) {
			out = append(out, fmt.Sprintf("%s of size %s (a verdict needs %s)", a.Method, a.Size, a.Change))
			continue
		}
		name, short := a.Method+": "+string(a.Verdict), a.Method
		if a.Guest {
			guests, short = append(guests, a.Method), study.GuestLabel(a.Method, mostLetters)
			name = study.GuestLabel(a.Method, mostLetters-len(": "+a.Verdict)) + ": " + string(a.Verdict)
		}
		left.Rows = append(left.Rows, estimate(a, name, a.Left.Estimate, mark(a.Gone)))
		if math.IsNaN(a.Gain.Value) {
			untried++
			continue
		}
		gain.Rows = append(gain.Rows, estimate(a, short, a.Gain.Estimate, mark(a.Back)))
	}
	if len(left.Rows) == 0 {
		return nil, errors.New("verdicts: no method can be judged: " + strings.Join(out, "; "))
	}
	charts := []chart.DotWhisker{left}
	if len(gain.Rows) > 0 {
		charts = append(charts, gain)
	}
	row := chart.StackRow{Height: 1.5 + .25*float64(len(left.Rows)+2)}
	for i, graph := range charts {
		graph.X.Min, graph.X.Max = reach(graph)
		figure, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		row.Letters, row.Figures = row.Letters+string(rune('a'+i)), append(row.Figures, figure)
	}
	return chart.Stack{Title: "Forgotten facts that remain or are relearnt", Width: 8,
		Caption: verdictCaption(all, worlds, untried, out) + study.GuestCaption(guests...),
		Rows:    []chart.StackRow{row}}.Figure()
}

// mostLetters is the number of letters that fit beside a row.
const mostLetters = 24

func estimate(a Assessment, name string, of certify.Estimate, v chart.Verdict) chart.Estimate {
	e := chart.Estimate{Name: name, Group: "Size " + a.Size, Value: of.Value, Lo: of.Lo, Hi: of.Hi, Verdict: v}
	if math.IsNaN(of.Lo) {
		e.Lo, e.Hi = of.Value, of.Value
	}
	if a.Guest {
		e.Group = "guests"
	}
	return e
}

// mark returns the mark for one of the two partial verdicts.
func mark(v certify.Verdict) chart.Verdict {
	switch v {
	case Left, Back:
		return chart.Larger
	case Gone, NotBack:
		return chart.Smaller
	}
	return chart.Unresolved
}

// reach returns an axis range that contains all values, and most of their intervals. With few worlds some intervals
// extend beyond the range.
func reach(d chart.DotWhisker) (lo, hi float64) {
	const least, most, around = -.5, 1.5, .05
	lo, hi = 0, d.Region.Hi
	for _, r := range d.Rows {
		lo, hi = min(lo, r.Value, max(r.Lo, least)), max(hi, r.Value, min(r.Hi, most))
	}
	return lo - around, hi + around
}

func verdictCaption(all []Assessment, worlds, untried int, out []string) string {
	methods := 0
	for _, a := range all {
		if !a.Guest {
			methods++
		}
	}
	intervals := ", each 95 % interval uncorrected, by Student's t over worlds, cut off at the edges"
	if worlds == 1 {
		intervals = ", without intervals"
	}
	text := fmt.Sprintf("n: %s%s. (a) The taught model answers more questions correctly than gold; the panel "+
		"shows the share of these that it still answers correctly after unlearning the largest number of people. "+
		"Colours: decisions by p-values, multiplied by %d for the sizes and methods, about more or less than %g", Worlds.Count(worlds),
		intervals, methods, MostLeft)
	if methods < len(all) {
		text += "; p-values of guests by the number of their own sizes"
	}
	if len(out)+untried < len(all) {
		text += fmt.Sprintf(". (b) Half of the attributes are learnt again; the panel shows how much more of "+
			"the other half the model recovers than gold. A surely positive value means that the method did not "+
			"erase the people, a value below %g that nothing was left. A method is damaged if it surely keeps "+
			"less than %.0f %% of what it should keep",
			MostGain, 100*LeastKept)
	}
	if untried > 0 {
		text += fmt.Sprintf(". Help is not known of %d", untried)
	}
	if len(out) > 0 {
		text += ". Left out: " + strings.Join(out, "; ")
	}
	return text
}

func drawExposure(r *Results) (*chart.Figure, error) {
	var sizes []string
	var models [][]Exposed
	for i, s := range r.Preset.Sizes {
		sizes, models = append(sizes, s.Name), append(models, r.exposures(i))
	}
	return ExposureFigure(sizes, models, r.Preset.Forget[len(r.Preset.Forget)-1], r.Seeds())
}

// ExposureFigure plots the Exposure of each person to forget, with a panel for each size and a row for each model: the
// taught model, gold and the methods.
func ExposureFigure(sizes []string, models [][]Exposed, people, worlds int) (*chart.Figure, error) {
	const random = 50
	row := chart.StackRow{}
	text := ""
	var guests []string
	series := []chart.DotSeries{{Name: "taught"}, {Name: "methods"}, {Name: "gold"}}
	if slices.ContainsFunc(slices.Concat(models...), func(m Exposed) bool { return m.Guest }) {
		series = append(series, chart.DotSeries{Name: "guests"})
	}
	for i, size := range sizes {
		graph := chart.DotRows{Title: "Size " + size,
			X:      chart.Axis{Label: "Exposure, % (rank of the true value)", Min: -3, Max: 103},
			Series: slices.Clone(series),
			Spread: true, Targets: []chart.Target{{Name: "chance: 50", Value: random}}}
		for place, m := range models[i] {
			if m.Mean.Warning != "" {
				text += fmt.Sprintf("; %s of size %s %s", m.Model, size, m.Mean.Warning)
			}
			if len(m.People) == 0 {
				continue
			}
			role, name := 1, m.Model
			switch {
			case m.Guest:
				guests = append(guests, name)
				role, name = 3, study.GuestLabel(name, mostLetters-len(", mean 50.0"))
			case place == 0:
				role, name = 0, "taught"
			case place == 1:
				role, name = 2, "gold"
				graph.Targets = append(graph.Targets, chart.Target{Name: "gold's mean", Value: m.Mean.Estimate})
			}
			dots := &graph.Series[role].Dots
			for _, value := range m.People {
				*dots = append(*dots, chart.Dot{Line: len(graph.Lines), Value: value})
			}
			graph.Lines = append(graph.Lines, fmt.Sprintf("%s, mean %.1f", name, m.Mean.Estimate))
		}
		figure, err := graph.Figure()
		if err != nil {
			return nil, err
		}
		row.Height = max(row.Height, 1.6+.38*float64(len(graph.Lines)))
		row.Letters, row.Figures = row.Letters+string(rune('a'+i)), append(row.Figures, figure)
	}
	return chart.Stack{Title: "Exposure of the people to forget", Width: 8,
		Rows: []chart.StackRow{row},
		Caption: fmt.Sprintf("n: %s of %d people to forget. One mark per person: the likelihood rank of the "+
			"true value among all values of an attribute, from 0 (least likely) to 100 (most likely), averaged "+
			"over attributes. Means over people are next to the names; there are no intervals. Gold never "+
			"learnt these people, but it learnt the other values, so its mean is below chance%s", Worlds.Count(worlds), people,
			text) + study.GuestCaption(guests...)}.Figure()
}
