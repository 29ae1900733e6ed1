package concealment

import (
	"errors"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// notRepeated is shown in place of a verdict over several originals if the concept was erased from one original only.
const notRepeated = "not repeated"

// answer holds the verdicts on a concept that a method erases, below ψ = .55: over one original, and over the originals
// of [Originals]. Several is nil if that preset leaves the concept out or lacks runs.
type answer struct {
	One     Assessment
	Several *Assessment
}

// final returns the verdict that answers the question: the one over several originals if there is one.
func (a answer) final() Assessment {
	if a.Several != nil {
		return *a.Several
	}
	return a.One
}

// answers returns the study's answers. It also returns the results over several originals, or nil without them.
func (r *Results) answers() (all []answer, several *Results, err error) {
	if several, err = r.severalOriginals(); err != nil {
		return nil, nil, err
	}
	return r.answersWith(several), several, nil
}

// severalOriginals returns the results of [Originals]. It returns nil for presets other than [Mini], and without runs.
func (r *Results) severalOriginals() (*Results, error) {
	if r.Preset.Name != Mini().Name || r.store == nil {
		return nil, nil
	}
	several, err := NewPlan(Originals()).Read(r.store)
	if absent := (*study.Absent)(nil); err != nil && !errors.As(err, &absent) {
		return nil, err
	}
	return several, nil
}

// answersWith returns the study's answers. several may be nil.
func (r *Results) answersWith(several *Results) (all []answer) {
	below, _, _ := r.Preset.areas()
	repeated := several.repeat(below)
	for _, one := range r.verdicts(below, ownThresholds) {
		if one.group.erased != "" {
			all = append(all, answer{One: one, Several: repeated.combined(one)})
		}
	}
	return all
}

// repeats holds the verdicts on single concepts over several originals.
type repeats struct {
	verdicts  []Assessment
	originals int
}

// repeat returns the verdicts of results over several originals on some grids, or none if r is nil.
func (r *Results) repeat(grids ...psiGrid) repeats {
	if r == nil {
		return repeats{}
	}
	p := repeats{originals: r.Preset.Seeds}
	for _, grid := range grids {
		p.verdicts = append(p.verdicts, r.verdicts(grid, ownThresholds)...)
	}
	return p
}

// combined returns the verdict over several originals on the concept and grid of one, or nil.
func (p repeats) combined(one Assessment) *Assessment {
	at := slices.IndexFunc(p.verdicts, func(v Assessment) bool {
		return v.Name == one.Name && v.Grid == one.Grid && one.group.erased != ""
	})
	if at < 0 {
		return nil
	}
	return &p.verdicts[at]
}

// text returns the verdict over one original. If the verdict over several differs, text names both.
func (p repeats) text(one Assessment) string {
	several := p.combined(one)
	if several == nil || several.Verdict == one.Verdict {
		return string(one.Verdict)
	}
	return fmt.Sprintf("%s with 1 original; %s with %d", one.Verdict, several.Verdict, p.originals)
}

// originalsTable tabulates the study's answers: the verdicts over one original and over several.
func (r *Results) originalsTable() (*report.Table, error) {
	if r.Preset.isAddition() {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has no answers for all methods and concepts: mini has"}
	}
	all, several, err := r.answers()
	if err != nil {
		return nil, err
	}
	return r.tableOfAnswers(all, several), nil
}

func (r *Results) tableOfAnswers(all []answer, several *Results) *report.Table {
	t := &report.Table{Title: fmt.Sprintf("The answer for each method and concept, below ψ .55 (%s)", r.Preset.Name),
		Corner: "Method", Columns: words("Answer", "One original", "Several originals")}
	t.Columns = append(t.Columns, numbers("Excess, one", "Excess, several", "Gain beyond gold, one",
		"Gain beyond gold, several", "p, one", "p, several")...)
	var bases []certify.Basis
	for _, a := range all {
		one, other := a.One, Assessment{Verdict: notRepeated}
		excess, gain, p := report.Word(""), report.Word(""), report.Word("")
		if a.Several != nil {
			other = *a.Several
			bases = append(bases, other.Gain.Basis)
			excess, gain, p = differing(other.Excess.Simultaneous()), differing(other.Gain.Simultaneous()),
				other.Gain.PCell(0)
		}
		t.Rows = append(t.Rows, report.Named(one.Name).With(report.Word(string(a.final().Verdict)),
			report.Word(string(one.Verdict)), report.Word(string(other.Verdict)),
			differing(one.Excess.Simultaneous()), excess, differing(one.Gain.Simultaneous()), gain,
			one.Gain.PCell(0), p))
	}
	t.Note = fmt.Sprintf("One: %s of each method, all from one original, and one training of gold. Excess, gain and p "+
		"as in table verdicts.", TrainingSeeds.Count(r.Preset.Seeds))
	if several == nil {
		t.Note += " Nothing here was repeated with other originals. The results of mini have three methods and " +
			"concepts with five originals; if their runs are missing, this command makes them: unlearnlab run " +
			"concealment --preset originals."
		return t
	}
	t.Note += fmt.Sprintf(" Several: %s, each with its own original, gold model and erasure. The answer is the verdict "+
		"over several originals where there is one. P-values over several are corrected for %d verdicts. Several: %s.",
		TrainingSeeds.Count(several.Preset.Seeds), several.Preset.Judged, certify.Describe(bases))
	return t
}
