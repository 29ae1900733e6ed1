package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// VerdictTable tabulates the verdicts.
func (r *Results) VerdictTable() *report.Table {
	t := r.verdictTable(r.Verdicts())
	if guests := r.guestVerdicts(); len(guests) > 0 {
		for _, row := range r.verdictTable(guests).Rows {
			row.Guest = true
			t.Rows = append(t.Rows, row)
		}
		t.Note += " Guests are models from elsewhere; their p-values are corrected for nothing but the two questions."
	}
	return t
}

func (r *Results) verdictTable(verdicts []Assessment) *report.Table {
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
			report.Word(string(v.Verdict)), report.Word(string(v.Gone)),
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
	t.Note = fmt.Sprintf("n: %s, %d pictures of each prompt at each ψ. %s Alone: share of the pictures that show "+
		"what was "+
		"erased, as the judge sees them, at ψ = 0, where the method's own model draws. Gold is the model that "+
		"was trained "+
		"without it, %s for each concept. An excess over gold of surely less than %g is gone, of surely more is "+
		"shown. "+
		"Recovered: the same share over the part of the curve; what is more than alone is the gain. A concept is "+
		"not erased "+
		"where it is shown, or where the gain surely lies above gold's, whatever is shown alone. A method "+
		"conceals where "+
		"that happens though the concept is gone; it does not conceal where the concept is gone and the gain "+
		"lies surely "+
		"less than %.2f above gold's. Retained: share of other prompts obeyed; Kept: the same as a part of the "+
		"original's; a "+
		"model that surely keeps less than %.0f %% is damaged. The judge is not valid where it surely takes more "+
		"than %.0f "+
		"%% of what gold draws by the concept's name for it, by its interval: a larger share alone does not exclude it "+
		"(table judge). Concepts that are shown, or without a verdict, are "+
		"no part of "+
		"the method's own row. Half at: the ψ from which most pictures show it. Above gold at: the first ψ at "+
		"which the "+
		"interval of 95 %% lies above gold's. %s. P-values are times the number of methods and concepts, %d here%s, "+
		"for each part of the curve by itself; "+
		"intervals are simultaneous, so that a threshold lies outside exactly where its p is below .05. After a "+
		"p: the "+
		"trainings on the same side. Table thresholds shows other thresholds.",
		TrainingSeeds.Count(r.Preset.Seeds), r.Preset.Attack.Pictures, r.Frame(), r.trained(), mostConcept,
		attack.GainMargin, 100*leastRetained, 100*mostMistaken, certify.Describe(bases), r.counted(verdicts), elsewhere)
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
