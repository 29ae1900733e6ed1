package remem

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/grid"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Verdicts of methods; what the data do not decide is [certify.Unresolved].
const (
	NotErased certify.Verdict = "not erased" // a fifth or more of what gold lacks is still answered
	Masked    certify.Verdict = "masked"     // it is not, but help brings back more than it brings gold
	Erased    certify.Verdict = "erased"     // it is not, and help brings back no more than it brings gold
	Damaged   certify.Verdict = "damaged"    // less than four fifths of what was to be kept is answered as before
)

// Thresholds of verdicts.
const (
	MostLeft  = .2  // of what the taught model knows beyond gold, in what counts as erased
	LeastKept = .8  // of what the taught model knows of the others
	MostGain  = .05 // by which help may bring back more than it brings gold, in what counts as erased
)

// Assessment is whether a method has erased what it was to forget, by two questions: is it gone, beside gold alone? And
// does help bring back more than it brings gold? All shares are of what the taught model answers rightly beyond gold.
type Assessment struct {
	Size, Method string

	Left     certify.Corrected // what is still answered of what gold does not know
	Gone     certify.Verdict
	Gain     certify.Corrected // by learning half again, beyond gold's gain
	Back     certify.Verdict   // masked if help brings back more than it brings gold, erased if it does not
	Kept     float64           // of what is to be kept
	Exposure float64           // beyond gold's
	Verdict  certify.Verdict
	Change   string // what another verdict would take
}

// Verdicts judge every method at the largest ratio. P-values are Bonferroni's over sizes and methods.
func (r *Results) Verdicts() (all []Assessment) {
	for size := range r.Preset.Sizes {
		for m := range r.Preset.Methods {
			all = append(all, r.assess(size, m))
		}
	}
	for i := range all {
		all[i].Left.Count, all[i].Gain.Count = len(all), len(all)
		all[i].judge()
	}
	return all
}

// numbers is a panel of one number a world for each name.
func (r *Results) numbers(size int, of map[string]func(s *SizeScores) float64) *certify.Panel {
	panel := &certify.Panel{}
	for name, value := range of {
		var byWorld [][]grid.Outcome
		for world := range r.Worlds {
			v := value(&r.Worlds[world].Sizes[size])
			byWorld = append(byWorld, []grid.Outcome{{Value: v, Tested: v}})
		}
		panel.Add(name, table.Repeated(certified{Family: certify.Family{Name: "models"}, Percent: true}, byWorld))
	}
	return panel
}

// untold is how much of what it was not told again a model answers after the last budget, or before the first.
func (h Helped) untold(after bool) float64 {
	if len(h.Relearnt) == 0 {
		return math.NaN()
	}
	at := 0
	if after {
		at = len(h.Relearnt) - 1
	}
	return meanOf(h.Relearnt[at], right)
}

func (r *Results) assess(size, method int) Assessment {
	nan := math.NaN()
	unknown := certify.Corrected{Estimate: certify.Estimate{Value: nan, Lo: nan, Hi: nan}}
	a := Assessment{Size: r.Preset.Sizes[size].Name, Method: r.Preset.Methods[method].Title, Left: unknown,
		Gain: unknown, Kept: nan, Exposure: nan}
	last := r.Preset.last()
	for _, w := range r.Worlds {
		if w.Sizes[size].Methods[last][method].lost() {
			a.Change = "a model that did not diverge"
			return a
		}
	}
	forget := func(m *Model) float64 { return m.share(right, PartForget, "") }
	retain := func(m *Model) float64 { return m.share(right, PartRetain, "") }
	values := map[string]func(s *SizeScores) float64{
		"own":    func(s *SizeScores) float64 { return forget(s.Methods[last][method]) },
		"before": func(s *SizeScores) float64 { return forget(s.Befores[last]) },
		"gold":   func(s *SizeScores) float64 { return forget(s.Gold) },
		"kept":   func(s *SizeScores) float64 { return retain(s.Methods[last][method]) },
		"keep":   func(s *SizeScores) float64 { return retain(s.Befores[last]) },
		"exposed": func(s *SizeScores) float64 {
			return s.Methods[last][method].exposure("") - s.Gold.exposure("")
		},
	}
	helped := r.Worlds[0].Sizes[size].Helped[0].Relearnt != nil
	if helped {
		for name, place := range map[string]int{"own": 2 + method, "gold": 1, "before": 0} {
			values[name+" told"] = func(s *SizeScores) float64 { return s.Helped[place].untold(true) }
			values[name+" untold"] = func(s *SizeScores) float64 { return s.Helped[place].untold(false) }
		}
	}
	panel := r.numbers(size, values)
	span := certify.Difference(certify.Mean("before"), certify.Mean("gold"))
	if !(panel.Estimate(span).Value > 0) {
		a.Change = "a taught model that knows more than gold"
		return a
	}
	a.Left.Estimate = panel.Estimate(func(m certify.Means) float64 { return (m("own") - m("gold")) / span(m) })
	a.Kept = panel.Estimate(func(m certify.Means) float64 { return m("kept") / m("keep") }).Value
	a.Exposure = panel.Estimate(certify.Mean("exposed")).Value
	untold := certify.Difference(certify.Mean("before untold"), certify.Mean("gold untold"))
	if helped && panel.Estimate(untold).Value > 0 {
		a.Gain.Estimate = panel.Estimate(func(m certify.Means) float64 {
			return (m("own told") - m("own untold") - m("gold told") + m("gold untold")) / untold(m)
		})
	}
	return a
}

// judge gives the verdict and what would have changed it, by the intervals that are corrected as the p-values are.
func (a *Assessment) judge() {
	const alpha = .05
	switch a.Gone = certify.Unresolved; {
	case math.IsNaN(a.Left.Value):
		a.Verdict, a.Gone, a.Back = certify.Untestable, certify.Untestable, certify.Untestable
		return
	case a.Left.P(MostLeft) < alpha && a.Left.Value > MostLeft:
		a.Gone = NotErased
	case a.Left.P(MostLeft) < alpha:
		a.Gone = Erased
	}
	switch a.Back = certify.Unresolved; {
	case math.IsNaN(a.Gain.Value):
		a.Back = certify.Untestable
	case a.Gain.P(MostGain) < alpha && a.Gain.Value < MostGain:
		a.Back = Erased
	case a.Gain.P(0) < alpha && a.Gain.Value > 0:
		a.Back = Masked
	}
	leftLo, leftHi := a.Left.Among()
	gainLo, gainHi := a.Gain.Among()
	switch a.Verdict = a.Back; {
	case a.Kept < LeastKept:
		a.Verdict, a.Change = Damaged, fmt.Sprintf("%.2f more of what is to be kept", LeastKept-a.Kept)
	case a.Gone == NotErased:
		a.Verdict, a.Change = NotErased, fmt.Sprintf("%.2f less left", leftLo-MostLeft)
	case a.Gone != Erased:
		a.Verdict = certify.Unresolved
		a.Change = fmt.Sprintf("to know what is left nearer than [%+.2f, %+.2f]", leftLo, leftHi)
	case a.Back == certify.Untestable:
		a.Change = "to try what help brings back"
	case a.Back == Masked:
		a.Change = fmt.Sprintf("%.2f less gain", gainLo)
	case a.Back == Erased:
		a.Change = fmt.Sprintf("%.2f more gain", MostGain-gainHi)
	default:
		a.Change = fmt.Sprintf("to know what help brings beyond gold nearer than [%+.2f, %+.2f]", gainLo, gainHi)
	}
}

// verdictTable lays the verdicts out.
func (r *Results) verdictTable() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Erased or masked? (%s)", r.Preset.Name), Corner: "Size/Method"}
	t.Columns = []report.Column{{Name: "Verdict", Words: true}, {Name: "Gone?", Words: true}, {Name: "Left"},
		{Name: "p erased"}, {Name: "Gain beyond gold"}, {Name: "p"}, {Name: "p within margin"}, {Name: "Kept"},
		{Name: "Exposure beyond gold"}, {Name: "Another verdict takes", Words: true}}
	var bases []certify.Basis
	verdicts := r.Verdicts()
	for _, a := range verdicts {
		if !math.IsNaN(a.Left.Value) {
			bases = append(bases, a.Left.Basis)
		}
		t.Rows = append(t.Rows, report.Row{Name: a.Size + "/" + a.Method, Cells: []report.Cell{
			report.Word(string(a.Verdict)), report.Word(string(a.Gone)), interval(a.Left.Estimate),
			a.Left.PCell(MostLeft), interval(a.Gain.Estimate), a.Gain.PCell(0), a.Gain.PCell(MostGain),
			number("%.2f", a.Kept), number("%+.1f", a.Exposure), report.Word(a.Change),
		}})
	}
	t.Note = fmt.Sprintf("n: %s. Two questions. Is it gone? Left: the share of what the taught model answers rightly "+
		"of D_f beyond gold, which has never learnt it, that the method leaves; more than a fifth is not erased. Does "+
		"help bring it back? The model learns every other attribute of the forgotten people again, and is asked for "+
		"the rest: what it gains beyond what gold gains by the same lessons, as a share of what the taught model "+
		"knows beyond gold. A method erases where it gains less than %.2f more than gold, and masks where it "+
		"gains more than gold otherwise, at 5 %%. A model that keeps less than %.0f %% of what it should is damaged. "+
		"P-values are times the number of sizes and methods, %d, and what another verdict takes is by intervals that "+
		"are corrected likewise.", r.count(), MostGain,
		100*LeastKept, len(verdicts))
	if len(bases) > 0 {
		t.Note += " " + certify.Describe(bases) + "."
	}
	return t
}

func number(format string, value float64) report.Cell {
	if math.IsNaN(value) {
		return report.Word("–")
	}
	return report.Number(fmt.Sprintf(format, value), value)
}

func interval(e certify.Estimate) report.Cell {
	switch {
	case math.IsNaN(e.Value):
		return report.Word("–")
	case math.IsNaN(e.Lo):
		return report.Number(fmt.Sprintf("%+.2f", e.Value), e.Value)
	}
	return report.Number(fmt.Sprintf("%+.2f\n[%+.2f, %+.2f]", e.Value, e.Lo, e.Hi), e.Value)
}
