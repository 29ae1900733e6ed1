package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// VerdictTable tabulates the verdicts. If several originals change a verdict, its cell names both.
func (r *Results) VerdictTable() (*report.Table, error) {
	several, err := r.severalOriginals()
	if err != nil {
		return nil, err
	}
	below, with, mean := r.Preset.areas()
	repeated := several.repeat(below, with, mean)
	t := r.verdictTable(r.Verdicts(), repeated)
	if len(repeated.verdicts) > 0 {
		t.Note += fmt.Sprintf(" Some concepts were erased again from %d originals; if that changes a verdict, the table "+
			"names both (table originals).", repeated.originals)
	}
	if guests := r.guestVerdicts(); len(guests) > 0 {
		for _, row := range r.verdictTable(guests, repeats{}).Rows {
			row.Guest = true
			t.Rows = append(t.Rows, row)
		}
		t.Note += " Guests are imported models; their p-values are corrected for the two questions only."
	}
	return t, nil
}

func (r *Results) verdictTable(verdicts []Assessment, repeated repeats) *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Unlearning or concealment? (%s)", r.Preset.Name),
		Corners: []string{"Compared", "Method"}}
	t.Columns = append(t.Columns, words("Verdict", "Gone?")...)
	t.Columns = append(t.Columns, numbers("Prompts", "Alone", "Gold alone", "Excess", "p erased", "Recovered",
		"Gold recovered", "Gain beyond gold", "p", "p within margin")...)
	t.Columns = append(t.Columns, words("Another verdict takes")...)
	t.Columns = append(t.Columns, numbers("Half at", "Gold half at", "Above gold at", "Retained", "Gold retained",
		"Kept", "p damaged")...)
	var bases []certify.Basis
	for _, v := range verdicts {
		if v.Prompts > 0 {
			bases = append(bases, v.Gain.Basis)
		}
		t.Rows = append(t.Rows, report.Named(v.Grid, v.Name).With(
			report.Word(repeated.text(v)), report.Word(string(v.Gone)),
			report.Number(fmt.Sprint(v.Prompts), float64(v.Prompts)), formatted("%.2f", v.Alone),
			formatted("%.2f", v.GoldAlone), differing(v.Excess.Simultaneous()), v.Excess.PCell(mostConcept),
			formatted("%.2f", v.Recovered), formatted("%.2f", v.Gold), differing(v.Gain.Simultaneous()),
			v.Gain.PCell(0), v.Gain.PCell(attack.GainMargin), report.Word(v.Change), formatted("%.2f", v.Half),
			formatted("%.2f", v.GoldHalf), formatted("%.3g", v.Above),
			formatted("%.2f", v.Retained), formatted("%.2f", v.GoldRetained),
			part(v.Kept.Simultaneous()), v.Kept.PCell(leastRetained),
		))
	}
	elsewhere := ""
	if r.Preset.Judged > 0 {
		elsewhere = " and in the study"
	}
	t.Note = fmt.Sprintf("n: %s, %d pictures per prompt at each ψ. %s Alone: the share of pictures in which "+
		"the judge sees the erased concept at ψ = 0, where the method's model draws alone. Gold is the model "+
		"trained without the concept, %s for each concept. A concept is gone if its share surely exceeds "+
		"gold's by less than %g, and shown if it surely exceeds it by more. Recovered: the same share over "+
		"this part of the curve, from ψ = %s on; Gain: Recovered minus Alone. A concept is not erased if it is "+
		"shown, or if its gain surely exceeds gold's. A method conceals a concept that is gone although its gain surely "+
		"exceeds gold's; it does not conceal one that is gone and whose gain surely exceeds gold's by less "+
		"than %.2f. Retained: the share of other prompts obeyed. Kept: Retained relative to the original; a "+
		"model that surely keeps less than %.0f %% is damaged. The judge is not valid for a concept that it "+
		"surely sees in more than %.0f %% of what gold draws by the concept's name; its interval has to lie "+
		"above that share, a larger estimate is not enough (table judge). A method's own row leaves out "+
		"concepts that are shown or have no verdict. Half at: the ψ from which most pictures show the concept. "+
		"Above gold at: the first ψ at which the 95 %% interval lies above gold's. %s. P-values are multiplied "+
		"by the number of methods and concepts, %d here%s, for each part of the curve separately. Intervals "+
		"are simultaneous, so a threshold lies outside exactly if its p is below .05. After a p: the number of "+
		"trainings on the same side. If trainings differ by a standard deviation of a picture's outcome or more, a "+
		"concept at the border is called gone more often than the level says (docs/verification.md). Table "+
		"thresholds shows other thresholds.",
		TrainingSeeds.Count(r.Preset.Seeds), r.Preset.Attack.Pictures, r.Frame(), r.trained(), mostConcept,
		r.Preset.paperPsi(false)[0], attack.GainMargin, 100*leastRetained, 100*mostMistaken, certify.Describe(bases),
		r.counted(verdicts), elsewhere)
	return t
}

// trained describes how often gold was trained.
func (r *Results) trained() string {
	if len(r.further) > 0 {
		return "once for each training seed and"
	}
	most := 1
	for _, a := range r.Attacks {
		most = max(most, 1+len(a.Others))
	}
	if most == 1 {
		return "once"
	}
	return fmt.Sprintf("up to %d times", most)
}
