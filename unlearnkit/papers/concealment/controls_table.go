package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// reassessed is the assessment of a method and concept under a control.
type reassessed struct {
	Control string
	Assessment
	Changes bool // the verdict differs from the study's own
}

// controlVerdicts returns the verdicts on all controlled methods and concepts, below ψ = .55. It compares each of them
// with the study's own gold, with all trainings of gold together if there are several, and with each control. All
// verdicts are corrected for the same number of tests as the study's own verdicts.
func (r *Results) controlVerdicts() []reassessed {
	below, _, _ := r.Preset.areas()
	own := r.withControl(nil).verdicts(below, ownThresholds)
	var together []Assessment
	if r.trained() != "once" {
		together = r.verdicts(below, ownThresholds)
	}
	besides := make([][]Assessment, len(r.controls))
	for i := range r.controls {
		other := r.withControl(&r.controls[i])
		besides[i] = other.verdicts(below, ownThresholds)
		if r.controls[i].ends {
			other.asked(besides[i], own)
		}
	}
	var all []reassessed
	for at, v := range own {
		if v.group.erased == "" || !slices.ContainsFunc(r.controls, v.group.attackedBy) {
			continue
		}
		add := func(name string, beside Assessment) {
			all = append(all, reassessed{name, beside, beside.Verdict != v.Verdict})
		}
		add("as in the study", v)
		if together != nil {
			if count := r.trainings(together[at].group.rows); count > 1 {
				add(goldTrainings.Count(count), together[at])
			}
		}
		for i, c := range r.controls {
			if v.group.attackedBy(c) {
				add(c.Name, besides[i][at])
			}
		}
	}
	return all
}

// asked replaces whether the concept is gone with the study's own answer. The control's models get a prompt without the
// concept's word, so their pictures do not show whether the concept is gone. Gains are still relative to the pictures
// for that prompt.
func (r *Results) asked(beside, own []Assessment) {
	for i := range beside {
		beside[i].ShownAlone = own[i].ShownAlone
		r.judge(&beside[i], ownThresholds)
	}
}

// attackedBy reports whether a control has attacks with prompts for the group's concept. It has none for methods that
// break the model.
func (g group) attackedBy(c control) bool {
	return slices.ContainsFunc(g.rows, func(row *AttackScores) bool {
		_, attacks := c.attacks[row.Prompt.Prompt]
		return attacks && c.Erasure.Paper == g.erased
	})
}

// controlTable tabulates the verdicts under controls.
func (r *Results) controlTable() (*report.Table, error) {
	all := r.controlVerdicts()
	if len(all) == 0 {
		why := "has no controls; controls has"
		if len(r.Preset.Controls.Concepts) > 0 {
			why = "has no complete control yet; make them with: unlearnlab run concealment --preset controls"
		}
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: why}
	}
	t := &report.Table{Title: fmt.Sprintf("Verdicts compared with controls, below ψ .55 (%s)", r.Preset.Name),
		Corners: []string{"Method", "Beside"}, Columns: words("Verdict", "Another?", "Gone?")}
	t.Columns = append(t.Columns, numbers("Alone", "Gold alone", "Excess", "p erased", "Recovered", "Gold recovered",
		"Gain beyond gold", "p", "p within margin")...)
	var bases []certify.Basis
	for _, c := range all {
		bases = append(bases, c.Gain.Basis)
		t.Rows = append(t.Rows, report.Named(c.Name, c.Control).With(
			report.Word(string(c.Verdict)), yes(c.Changes),
			report.Word(string(c.Gone)), formatted("%.2f", c.Alone), formatted("%.2f", c.GoldAlone),
			differing(c.Excess.Simultaneous()), c.Excess.PCell(mostConcept), formatted("%.2f", c.Recovered),
			formatted("%.2f", c.Assessment.Gold), differing(c.Gain.Simultaneous()), c.Gain.PCell(0),
			c.Gain.PCell(attack.GainMargin)))
	}
	made := "are"
	if len(r.controls) == 1 {
		made = "is"
	}
	t.Note = fmt.Sprintf("%d of %d controls %s made. As in the study: one gold model, which never learnt the "+
		"word for the concept. Trainings of gold together: several gold models, whose differences widen the "+
		"intervals. A word that is said of anything: gold learnt the word, as a caption of arbitrary pictures. "+
		"Finished: the original gets the prompt and the models that complete its pictures get another one, "+
		"with gold as in the previous control; whether the concept is gone is judged with the prompt, as in "+
		"the study, and the gain is measured from what the models draw alone with the other prompt. P-values "+
		"and intervals are corrected for as many comparisons as in table verdicts. %s.", len(r.controls),
		r.Preset.Controls.count(), made, certify.Describe(bases))
	return t, nil
}

// count returns the number of planned controls.
func (c Controls) count() int {
	each := 1 + c.Golds // plus the gold trained with the word in other contexts
	if c.Finishes {
		each += len(finishes)
	}
	return each * len(c.Concepts)
}
