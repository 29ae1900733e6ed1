package unslu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Claims judges the paper's claims on the results.
func (r *Results) Claims() []certify.Judged { return append(r.judged(), r.guestClaims()...) }

// judged judges the paper's claims, without claims about guests.
func (r *Results) judged() []certify.Judged {
	panel := r.panel()
	return certify.JudgeClaims("unslu", r.Preset.Name, len(r.Worlds), panel, r.claims(panel.Has))
}

// answers returns the claims that answer for the paper: the claims of [Wider], and the claims of [Mini] about what
// wider lacks, the clock, Table 5 and Figure 1.
func (r *Results) answers() []certify.Judged {
	judged := r.judged()
	if r.Preset.Name == Wider().Name && r.store != nil {
		if mini, err := NewPlan(Mini()).Read(r.store); err == nil { // mini ships, so only a damaged store lacks it
			judged = study.Mix(Worlds, r.Preset.Name, mini.judged(), judged, nil)
		}
	}
	return append(judged, r.guestClaims()...)
}

// worlds tabulates the claims whose verdict differs between [Mini], Mini with time counted in passes, and [Wider]. Mini
// in passes separates the clock from what else differs.
func (r *Results) worlds() (*report.Table, error) {
	if r.Preset.Name != Wider().Name || r.store == nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has no second set of worlds: wider has"}
	}
	byPasses := Mini()
	byPasses.ByPasses = true
	sets := []study.ClaimSet{{Name: "mini"}, {Name: "mini, by passes"}}
	for i, p := range []Preset{Mini(), byPasses} {
		mini, err := NewPlan(p).Read(r.store)
		if err != nil {
			return nil, err
		}
		sets[i].Judged = mini.judged()
	}
	t, same := study.Differing("Claims whose verdict differs (mini, wider)",
		append(sets, study.ClaimSet{Name: "wider", Judged: r.judged()})...)
	t.Note = fmt.Sprintf("mini: %s, by seconds. By passes: the same runs, with time counted in passes of clips "+
		"through the network, as in wider. wider: %s, with a smaller share to forget and more rates. The other "+
		"claims of both presets have the same verdict in all three (%d claims). P-values are corrected within "+
		"families.",
		Worlds.Count(byPasses.Worlds), Worlds.Count(len(r.Worlds)), same)
	return t, nil
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
// the claims of the conclusions in §4.
func (r *Results) claims(has func(name string) bool) []certify.Claim {
	claims := slices.Concat(memoryClaims(), leadClaims(), r.speedClaims(), plusClaims(), methodClaims(), metricClaims(),
		r.epochClaims(), r.rateClaims(), backboneClaims())
	for i, c := range claims {
		if c.Source == "§4, In conclusion" {
			claims[i].Family = certify.Headline
		}
	}
	claims = certify.InFamily("§4", claims)
	certify.Testable(claims, has)
	return claims
}
