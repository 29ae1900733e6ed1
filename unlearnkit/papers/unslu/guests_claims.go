package unslu

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// guestClaims judges, for each imported model, what the paper claims of its best method, in the worlds that the user
// has imported. Claims about GUM and about seconds are left out, because nobody knows how long the unlearning of an
// imported model took.
func (r *Results) guestClaims() (judged []certify.Judged) {
	for i, b := range r.Preset.Benchmarks {
		for _, row := range r.guestRows(i, b.levels()) {
			own := &Results{Preset: r.Preset}
			for world, e := range row.Scores {
				if e != nil {
					own.Worlds = append(own.Worlds, r.Worlds[world])
				}
			}
			given := slices.DeleteFunc(slices.Clone(row.Scores), func(e *study.Evaluation) bool { return e == nil })
			panel := &certify.Panel{}
			add := func(lines []line, metrics ...study.Metric) {
				p := own.part(i, b.levels(), metrics, lines...)
				p.Rows = append(p.Rows, study.RowOf(row.Levels, false, given...))
				addPart(panel, "", p)
			}
			add(r.allRows(i), f1(Test), f1(Forget), mia(Test)) // at the rates that are chosen over all worlds
			add(r.methodRows(i), efficacy())                   // the original and gold have no efficacy
			judged = append(judged, study.JudgeGuest("unslu", r.Preset.Name, row.Name, len(own.Worlds), panel,
				claimsOf(row.Levels[len(row.Levels)-1], b.Name()))...)
		}
	}
	return judged
}

// claimsOf returns the claims about an imported model on a benchmark.
func claimsOf(model, benchmark string) []certify.Claim {
	on := []string{benchmark}
	return []certify.Claim{
		{Name: model + " is within .03 of gold's F1_T and F1_F and within .05 of its MIA on " + benchmark,
			Source: "as of NG: §4, In conclusion", Unit: "score", Quote: wellRounded, Of: rounded(model, on)},
		{Name: model + " is nearer to gold under the attack than CF-k and UNSIR on " + benchmark,
			Source: certify.Ours + ": as of NG", Unit: "E", Of: nearerGold(model, on)},
	}
}
