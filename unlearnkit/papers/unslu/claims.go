package unslu

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Claims judges the paper's claims on the results.
func (r *Results) Claims() []certify.Judged {
	panel := r.panel()
	judged := certify.JudgeClaims("unslu", r.Preset.Name, len(r.Worlds), panel, r.claims(panel.Has))
	return append(judged, r.guestClaims()...)
}

// answers returns the claims that answer for the paper. Beside the claims of [Wider], these are the claims of [Mini]
// about what wider lacks: the clock, Table 5 and Figure 1.
func (r *Results) answers() []certify.Judged {
	judged := r.Claims()
	if r.Preset.Name != Wider().Name || r.store == nil {
		return judged
	}
	mini, err := NewPlan(Mini()).Read(r.store)
	if err != nil {
		return judged // mini ships, so only a damaged store lacks it
	}
	return slices.Concat(study.Mix(Worlds, r.Preset.Name, mini.Claims(), judged, notByClock), r.guestClaims())
}

// notByClock reports whether a claim is about something other than wall-clock time.
func notByClock(claim certify.Judged) bool {
	return !slices.ContainsFunc(speedClaims(), func(c certify.Claim) bool { return c.Name == claim.Claim })
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
