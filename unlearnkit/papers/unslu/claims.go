package unslu

import (
	"fmt"
	"slices"
	"strings"

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
			judged = study.Mix(Worlds, r.Preset.Name, mini.judged(), judged,
				func(certify.Judged) bool { return true })
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
	var mini [2][]certify.Judged
	for i, p := range []Preset{Mini(), byPasses} {
		results, err := NewPlan(p).Read(r.store)
		if err != nil {
			return nil, err
		}
		mini[i] = results.judged()
	}
	t := &report.Table{Title: "Claims whose verdict differs (mini, wider)", Corner: "Claim"}
	for _, what := range []string{"mini", "mini, by passes", "wider"} {
		t.Columns = append(t.Columns, report.Column{Name: what, Words: true}, report.Column{Name: "Quantity, " + what})
	}
	t.Columns = append(t.Columns, report.Column{Name: "p, wider", Words: true})
	same := 0
	for _, wider := range r.judged() {
		row, verdicts := report.Row{Name: wider.Claim}, map[string]bool{}
		for _, j := range []certify.Judged{of(mini[0], wider.Claim), of(mini[1], wider.Claim), wider} {
			verdicts[study.VerdictOf(j)] = true
			row = row.With(report.Word(study.VerdictOf(j)), study.QuantityCell(j))
		}
		if len(verdicts) == 1 {
			same++
			continue
		}
		t.Rows = append(t.Rows, row.With(report.Word(study.DecidingText(wider))))
	}
	t.Note = fmt.Sprintf("mini: %s, by seconds. By passes: the same runs, with time counted in passes of clips "+
		"through the network, as in wider. wider: %s, with a smaller share to forget and more rates. The other "+
		"claims of both presets have the same verdict in all three (%d claims). P-values are corrected within "+
		"families.",
		Worlds.Count(mini[0][0].Seeds), Worlds.Count(len(r.Worlds)), same)
	return t, nil
}

// of returns the claim with a name.
func of(judged []certify.Judged, name string) certify.Judged {
	return judged[slices.IndexFunc(judged, func(j certify.Judged) bool { return j.Claim == name })]
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
	claims := slices.Concat(memoryClaims(), leadClaims(), r.speedClaims(), plusClaims(), methodClaims(), metricClaims(),
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
