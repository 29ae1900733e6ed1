package remem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Claims judges the paper's claims on the results. A preset that repeats only a part of the paper has no claims about
// the rest.
func (r *Results) Claims() []certify.Judged {
	panel := r.panel()
	claims := r.claims()
	certify.Testable(claims, panel.Has)
	if slices.Contains(additions, r.Preset.Name) {
		claims = slices.DeleteFunc(claims, func(c certify.Claim) bool { return c.Of == nil })
	}
	r.leaveOneOut(panel, claims)
	judged := certify.JudgeClaims("remem", r.Preset.Name, len(r.Worlds), panel, claims)
	return append(judged, r.guestClaims()...)
}

// leastWorlds is the smallest number of complete worlds of [Refusing] whose claims answer for the paper.
const leastWorlds = 6

// answers returns the claims that answer for the paper. If enough worlds of [Refusing] are complete, they answer for
// the claims that need one rate, equal steps, refusals or a model that can answer multiple choice. Other claims that
// both presets judge are about two base models, and are decided only if both are.
func (r *Results) answers() []certify.Judged {
	judged := r.Claims()
	refusing := r.second(Refusing())
	if refusing == nil {
		return judged
	}
	return study.Mix(Worlds, r.Preset.Name, judged, refusing.Claims(), func(claim certify.Judged) study.Answering {
		if strings.Contains(claim.Caveat, byRates) || claim.Caveat == sameEpochs || claim.Source == choicePart {
			return study.Second
		}
		return study.Both
	})
}

// second reads the results of a preset that repeats a part of [Mini]. It returns nil if r has another preset than
// [Mini], or if too few worlds are complete.
func (r *Results) second(p Preset) *Results {
	if r.Preset.Name != Mini().Name || r.store == nil {
		return nil
	}
	plan, err := NewPlan(p).PresetPlan().Shown(r.store)
	if err != nil {
		return nil
	}
	found, err := plan.Part(r.store)
	if err != nil {
		return nil
	}
	if second := found.(*Results); len(second.Worlds) >= leastWorlds {
		return second
	}
	return nil
}

// differing tabulates the claims whose verdict differs between two presets. Either is nil if its runs are missing.
func (r *Results) differing(a, b *Results, how string) (*report.Table, error) {
	if a == nil || b == nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has no second set of worlds: mini has"}
	}
	t, same := study.Differing(fmt.Sprintf("Claims whose verdict differs (%s, %s)", a.Preset.Name, b.Preset.Name),
		study.ClaimSet{Name: a.Preset.Name, Judged: a.Claims()},
		study.ClaimSet{Name: b.Preset.Name, Judged: b.Claims()})
	t.Note = fmt.Sprintf("%s: %s. %s: %s. %s. The other claims of both presets have the same verdict (%d claims). "+
		"P-values are corrected within families.", a.Preset.Name, a.count(), b.Preset.Name, b.count(), how, same)
	return t, nil
}

// Counted describes which worlds were read if some are missing. Otherwise it returns "".
func (r *Results) Counted() string {
	if r.lack == "" {
		return ""
	}
	return r.count()
}

// claims returns the paper's claims, each in the family of its section.
func (r *Results) claims() []certify.Claim {
	claims := slices.Concat(r.shapeClaims(), r.nameClaims(), r.circuitClaims(), r.countClaims(), r.shareClaims(),
		r.taughtClaims(), r.extremeClaims(), r.middleClaims(), r.tradeClaims(), r.hopClaims(), r.scaleClaims(),
		r.maskingClaims(), r.choiceClaims(), r.ratioClaims())
	for i, c := range claims {
		claims[i].Family = familyOf(c.Source)
	}
	return claims
}

// familyOf returns the family of a claim by its source in the paper: the headline, or the section.
func familyOf(source string) string {
	section, _, _ := strings.Cut(source, ",")
	if section == abstract || section == conclusion {
		return certify.Headline
	}
	return section
}
