package unslu

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Claims judges the paper's claims on the results.
func (r *Results) Claims() []certify.Judged { return append(r.judged(), r.guestClaims()...) }

// judged judges the paper's claims, without claims about guests.
func (r *Results) judged() []certify.Judged {
	panel := r.panel()
	return certify.JudgeClaims("unslu", r.Preset.Name, len(r.Worlds), panel, r.claims(panel.Has))
}

// answers returns the claims that answer for the paper: the claims of [Wider], and the claims of [Mini] about what wider
// lacks, the clock, Table 5 and Figure 1.
func (r *Results) answers() []certify.Judged {
	judged := r.judged()
	if r.Preset.Name == Wider().Name && r.store != nil {
		if mini, err := NewPlan(Mini()).Read(r.store); err == nil { // mini ships, so only a damaged store lacks it
			judged = study.Mix(Worlds, r.Preset.Name, mini.judged(), judged, notByClock)
		}
	}
	return append(judged, r.guestClaims()...)
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
