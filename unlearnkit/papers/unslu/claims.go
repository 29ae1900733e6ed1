package unslu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Claims judges the paper's claims on the results. [Wider] has no clock, Table 5 or Figure 1, so claims about these are
// judged on the results of [Mini].
func (r *Results) Claims() []certify.Judged {
	panel := r.panel()
	judged := certify.JudgeClaims("unslu", r.Preset.Name, len(r.Worlds), panel, r.claims(panel.Has))
	if r.Preset.ByPasses && r.store != nil {
		if mini, err := NewPlan(Mini()).Read(r.store); err == nil {
			judged = completed(judged, mini.Claims())
		}
	}
	return append(judged, r.guestClaims()...)
}

// completed returns the claims of all, each as in judged if it is there and not about the clock.
func completed(judged, all []certify.Judged) (claims []certify.Judged) {
	clock := speedClaims()
	for _, claim := range all {
		own := slices.IndexFunc(judged, func(j certify.Judged) bool { return j.Claim == claim.Claim })
		if own >= 0 && !slices.ContainsFunc(clock, func(c certify.Claim) bool { return c.Name == claim.Claim }) {
			claim = judged[own]
		} else {
			claim.Caveat = fmt.Sprintf("judged in the %s of %s", Worlds.Count(claim.Seeds), claim.Preset)
		}
		claims = append(claims, claim)
	}
	return claims
}

// Names of the paper's benchmarks, grouped as its claims group them.
var (
	english      = []string{"FSC/wav2vec 2.0", "FSC/HuBERT", "SLURP*/wav2vec 2.0", "SLURP*/HuBERT"}
	multilingual = []string{"ITALIC/XLS-R 128", "ITALIC/XLS-R 53-IT", "de-De/XLS-R 128", "de-De/XLS-R 53-DE",
		"fr-FR/XLS-R 128", "fr-FR/XLS-R 53-FR"}
	massive = multilingual[2:]
	all     = slices.Concat(english, multilingual)
)

// claims returns the paper's claims. has reports whether the panel has the mean called name. The headline family has
// the claims of the abstract and of the conclusions in §4.
func (r *Results) claims(has func(name string) bool) []certify.Claim {
	claims := slices.Concat(memoryClaims(), leadClaims(), speedClaims(), plusClaims(), methodClaims(), metricClaims(),
		r.epochClaims(), r.rateClaims(), backboneClaims())
	for i, c := range claims {
		switch {
		case c.Source == "Abstract", c.Source == "§4, In conclusion":
			claims[i].Family = certify.Headline
		case strings.HasPrefix(c.Source, "§2"):
			claims[i].Family = "§2"
		}
	}
	claims = certify.InFamily("§4", claims)
	certify.Testable(claims, has)
	return claims
}
