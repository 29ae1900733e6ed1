package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// guestClaims judges the paper's claims about its best methods on each imported model, in the worlds that the user has
// imported. Each imported model has its own family of claims, so that no verdict about the paper depends on it.
func (r *Results) guestClaims() (judged []certify.Judged) {
	for _, row := range r.set.Guests {
		name := study.GuestTitle(study.GuestKey.Of(row.Labels), r.Seeds(), r.Seeds(), Worlds)
		var worlds []int
		var scores []*study.Evaluation
		for i, e := range row.Scores {
			if e != nil {
				worlds, scores = append(worlds, r.set.Repetitions[i]), append(scores, e)
			}
		}
		part := Results{Preset: r.Preset, set: r.set.Only(worlds...)}
		panel := &certify.Panel{}
		for _, base := range []string{clean, compromised} {
			part.add(panel, base, part.baseRow(base, true, base))
		}
		part.add(panel, name, study.RowOf([]string{name}, false, scores...))
		judged = append(judged, study.JudgeGuest("salmu", r.Preset.Name, row.Name, len(worlds), panel, claimsOf(name))...)
	}
	return judged
}

// claimsOf returns the claims about an imported model.
func claimsOf(model string) []certify.Claim {
	return []certify.Claim{
		certify.Says(model+" reaches Clean's RetFail", "as of DELETE: Table 5, RetFail .001 of both", bestTradeOff, "RetFail",
			asLeaky.near(model, clean)),
		{Name: model + " removes nine tenths of the leak", Source: "as of the methods: §12.1", Quote: bestTradeOff,
			Unit: "share of RetFail", Of: certify.MoreThan(.9, lostShare(model, "RetFail"))},
		certify.Says(model+" costs less than a twentieth of general knowledge",
			"as of DELETE: Table 5, GenKnow .632 against .638", bestTradeOff, "GenKnow",
			twentieth.hardlyAbove(compromised, model)),
	}
}
