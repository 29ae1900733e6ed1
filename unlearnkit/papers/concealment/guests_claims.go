package concealment

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// guestClaims judges, for each imported model and concept, what the paper claims of all its methods: that they conceal
// the concept, and that they keep others. Claims about scores, captions and single prompts are left out, because they
// are about the paper's own prompts and methods.
func (r *Results) guestClaims() (judged []certify.Judged) {
	if r.Preset.CaptionsAlone {
		return nil
	}
	for _, g := range r.guests {
		own := r.withGuest(g)
		if len(own.Attacks) == 0 {
			continue
		}
		method := own.Preset.Methods[0]
		name := method.Title + " of " + g.Erasure.Paper
		panel := &certify.Panel{}
		claims := append(own.concealmentClaims(panel, own.judgedConcepts(), method.Title, name),
			retainClaim(method.Title, name, maintaining))
		own.addRetained(panel, method)
		for i := range claims {
			claims[i].Source = "as of the methods: " + claims[i].Source
		}
		judged = append(judged, study.JudgeGuest("concealment", r.Preset.Name, name, own.Preset.Seeds, panel,
			claims)...)
	}
	return judged
}
