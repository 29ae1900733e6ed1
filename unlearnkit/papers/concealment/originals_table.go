package concealment

import (
	"errors"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// originalsTable compares the verdicts of [Mini] and [Originals], which have one original and several.
func (r *Results) originalsTable() (*report.Table, error) {
	if r.Preset.Name != Mini().Name || r.store == nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "is not compared with the preset originals; mini is"}
	}
	others, err := NewPlan(Originals()).Read(r.store)
	if absent := (*study.Absent)(nil); errors.As(err, &absent) {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: fmt.Sprintf("cannot be compared with originals, which "+
			"lacks %d runs; make them with: unlearnlab run concealment --preset originals", len(absent.Runs))}
	}
	if err != nil {
		return nil, err
	}
	return r.besideOriginals(others), nil
}

// besideOriginals tabulates the verdicts on the concepts of others next to the study's own.
func (r *Results) besideOriginals(others *Results) *report.Table {
	t := &report.Table{Title: "Verdicts over one original and over several, below ψ .55", Corner: "Method",
		Columns: words("One original", "Several originals")}
	t.Columns = append(t.Columns, numbers("Excess, one", "Excess, several", "Gain beyond gold, one",
		"Gain beyond gold, several", "p, one", "p, several")...)
	below, _, _ := r.Preset.areas()
	own, all := r.verdicts(below, ownThresholds), others.verdicts(below, ownThresholds)
	var bases []certify.Basis
	for _, several := range all {
		at := slices.IndexFunc(own, func(v Assessment) bool { return v.Name == several.Name })
		if at < 0 || several.group.erased == "" {
			continue
		}
		one := own[at]
		bases = append(bases, several.Gain.Basis)
		t.Rows = append(t.Rows, report.Named(several.Name).With(report.Word(string(one.Verdict)),
			report.Word(string(several.Verdict)), differing(one.Excess.Simultaneous()),
			differing(several.Excess.Simultaneous()), differing(one.Gain.Simultaneous()),
			differing(several.Gain.Simultaneous()), one.Gain.PCell(0), several.Gain.PCell(0)))
	}
	t.Note = fmt.Sprintf("One: five trainings of a method that start from one original, with one training of gold. "+
		"Several: %s, each with its own original, gold model and erasure. The answer of the study is the verdict over "+
		"several originals. Excess, gain and p as in table verdicts; one is corrected for %d methods and concepts, "+
		"several for %d. Several: %s.", TrainingSeeds.Count(others.Preset.Seeds), r.counted(own), others.counted(all),
		certify.Describe(bases))
	return t
}
