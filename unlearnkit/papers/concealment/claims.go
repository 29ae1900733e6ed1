package concealment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// ofFigures names the family of claims in the captions of Figures 5 to 17, which belong to no section of the appendix.
const ofFigures = "appendix, figures"

// Claims judges the paper's claims on the results. The headline claim is that methods conceal concepts instead of
// unlearning them, as the abstract and the first contribution state.
func (r *Results) Claims() []certify.Judged {
	panel := &certify.Panel{}
	claims := certify.InFamily(ofFigures, r.captionClaims(panel))
	if !r.Preset.CaptionsAlone {
		shown := slices.Concat(r.kidClaims(panel), r.affectedClaims(panel))
		section := slices.Concat([]certify.Claim{r.forgottenClaim(panel)}, r.separationClaims(panel), classClaims(),
			curveClaims(r.drivenPsi()), goldClaims(), retainClaims())
		r.fill(panel)
		judged := r.judgedConcepts()
		var conceal []certify.Claim
		for _, m := range methods() {
			conceal = append(conceal, r.concealmentClaims(panel, judged, m.Title, m.Title)...)
		}
		claims = slices.Concat(certify.InFamily(certify.Headline, conceal), claims,
			certify.InFamily(ofFigures, shown), certify.InFamily("§4", section))
	}
	certify.Testable(claims, panel.Has)
	judged := certify.JudgeClaims("concealment", r.Preset.Name, r.Preset.Seeds, panel, claims)
	return append(judged, r.guestClaims()...)
}

// answeredClaims returns the claims that answer for the paper. If the runs of [Originals] are complete, they answer for
// claims about one caption, which are about one pair of method and concept. Other claims that both presets can test are
// about eight pairs from one original in [Mini] and about three pairs from five originals there, so both must decide
// them.
func (r *Results) answeredClaims() []certify.Judged {
	judged := r.Claims()
	several, err := r.severalOriginals()
	if err != nil || several == nil { // the text before the claims names the error
		return judged
	}
	return study.Mix(TrainingSeeds, r.Preset.Name, judged, several.Claims(), func(claim certify.Judged) study.Answering {
		if strings.Contains(claim.Source, inCaption) {
			return study.Second
		}
		return study.Both
	})
}

// inCaption follows the name of a figure in the sources of claims.
const inCaption = ", caption"

// judgedConcepts returns the assessments of single concepts by the name of the grid, for the two grids of the claims.
func (r *Results) judgedConcepts() map[string][]Assessment {
	below, with, _ := r.Preset.areas()
	judged := map[string][]Assessment{}
	for _, grid := range []psiGrid{below, with} {
		parts := r.concepts(grid)
		r.decide(parts, ownThresholds)
		judged[grid.Name] = parts
	}
	return judged
}

// concealmentClaims returns the claims that a method conceals concepts; name is the method's name in the claims. Such a
// claim has two conditions: without help a method's models show little of the concept, and with the original's help
// more of it comes back than in gold. Like verdicts, the claims skip concepts whose erasure is known to have failed,
// and models that are damaged.
func (r *Results) concealmentClaims(panel *certify.Panel, judged map[string][]Assessment, method,
	name string) (claims []certify.Claim) {
	below, with, _ := r.Preset.areas()
	for _, grid := range []psiGrid{below, with} {
		source := "Abstract"
		rows := group{method: method}.excluding(judged[grid.Name]).rows
		if len(rows) == 0 && len(r.attackRows(true, method)) > 0 {
			source += "; its models are damaged or show the concept alone, or the judge is not valid"
		}
		excess, gain := r.beyondGold(panel, method+" "+grid.Name+": ", grid, rows)
		claims = append(claims, certify.Claim{
			Name: fmt.Sprintf("%s conceals: %s help brings more of it back than it brings gold, and alone it "+
				"is erased", name, grid.Name),
			Source: source, Quote: "This is concealment and not actual unlearning", Unit: "share of pictures",
			Effect: name + " conceals",
			Of:     certify.All(certify.LessThan(mostConcept, excess), certify.MoreThan(0, gain)),
		})
	}
	return claims
}

// captionClaims returns the claims in captions that a concept is generated at some ratio. Such a claim requires that
// most pictures show the concept at this ratio. It is not tested without a valid judge, or if the paper's original
// takes a step at the ratio and ours takes none.
func (r *Results) captionClaims(panel *certify.Panel) []certify.Claim {
	var claims []certify.Claim
	for _, c := range generated() {
		if r.Preset.CaptionsAlone && !ofOneStep(c) {
			continue
		}
		name := "caption of " + c.figure
		var rows []*AttackScores
		for i := range r.Attacks {
			a := &r.Attacks[i]
			if a.Prompt.Figure == c.number && len(a.Unlearned) > 0 {
				rows = []*AttackScores{a}
				r.addNoise(panel, name, rows,
					asShare(r.Preset.recovered(singlePsi(c.psi, r.Preset.Attack.Psi))))
			}
		}
		claim := certify.Claim{
			Name:   fmt.Sprintf("%q is generated at ψ = %s by most seeds after %s", c.prompt, c.psi, c.method),
			Source: c.figure + inCaption, Quote: c.says, Contradiction: c.contradiction, Family: c.family,
			Unit: "share of pictures",
		}
		switch {
		case r.rests(c.psi) && Value(c.psi)*paperSteps >= 1:
			claim.Source += fmt.Sprintf(": a step of %d, none of %d", paperSteps, r.Preset.Attack.Sampling.Steps)
		case r.mistaken(group{rows: rows}):
			claim.Source += "; the judge is not valid"
		default:
			claim.Of = certify.MoreThan(.5, certify.Mean(name))
		}
		claims = append(claims, claim)
	}
	return claims
}

// ofOneStep reports whether a caption is about ψ = .01, at which the original takes one of the paper's hundred steps.
func ofOneStep(c caption) bool { return Value(c.psi) == 1./paperSteps }

// rests reports whether psi is one of the paper's ratios at which the original takes no step.
func (r *Results) rests(psi string) bool {
	return slices.ContainsFunc(r.idle(), func(idle string) bool { return Value(idle) == Value(psi) })
}

// paperSteps is the number of diffusion steps in the paper's attacks.
const paperSteps = 100

// caption holds a claim that a figure's caption makes about a prompt.
type caption struct {
	figure, prompt, method, psi string
	number                      int
	says                        string // quoted sentence
	family                      string // family of the claim, if the figure is not in the appendix
	contradiction               string // how another caption about the same prompt contradicts it
}

// captionWords maps figures to sentences from their captions. contradictions maps some figures to another caption that
// contradicts theirs.
var (
	captionWords = map[int]string{
		5:  "At ψ = 0.089, the forgotten concept is generated from the unlearned model.",
		7:  "At ψ = 0.25, the forgotten concept is generated from the unlearned model.",
		9:  "At ψ = 0.01, the forgotten concept is generated from the unlearned model.",
		10: "At ψ ∼ 0.001, the forgotten concept is generated from the unlearned model.",
		13: "At ψ ∼ 0.01, the forgotten concept is generated by the unlearned model",
		14: "At ψ ∼ 0.01, the forgotten concept is generated by the unlearned model.",
		15: "At ψ ∼ 0.55, the forgotten concept is generated by the unlabeled model.",
		16: "At ψ ∼ 0.05, the forgotten concept is generated from the unlearned model.",
	}
	contradictions = map[int]string{
		14: "Figure 3a says of the same prompt that the concept is forgotten",
	}
)

// generated returns the captions of the five-panel figures that give a ratio. It adds the caption of Figure 2c, because
// its ratio differs from the ratio in Figure 9. Figures 2a and 2b repeat Figures 5 and 7.
func generated() []caption {
	const lastShown = 17
	all := []caption{{figure: "Figure 2c", prompt: "Dragon in style of Greg Rutkowski", method: "Ablating Concepts",
		psi: "0.25", number: 9, family: "§4",
		says: "At ψ = 0.25, the forgotten concept is generated from the unlearned model."}}
	for number := firstShown; number <= lastShown; number++ {
		c := caption{number: number, figure: fmt.Sprintf("Figure %d", number), says: captionWords[number],
			contradiction: contradictions[number]}
		for _, cell := range paper(fmt.Sprintf("figure%d", number)) {
			switch c.prompt = cell.Row; cell.Column {
			case "Method":
				c.method = cell.Value
			case "psi":
				c.psi = cell.Value
			}
		}
		if c.psi != "" {
			all = append(all, c)
		}
	}
	return all
}

// tableWords quotes, for each table, the paper's sentences about its scores.
var tableWords = []struct{ number, kid, says, saysCRS, saysKID string }{
	{"1", "further from", "as indicated by residual traces in the CCS_forget",
		"ESD-u achieves a CRS_forget score of 0.05 for “Nudity,” indicating effective removal",
		"KID scores (KID-O: 0.18, KID-U: 0.21) reflect visual fidelity but do not fully capture the unlearning process"},
	{"2", "nearer to", "concepts like “R2D2” yield a high CCS_forget score of 0.99, indicating retained traces",
		"While erasing “Greg Rutkowski Style Dragons” achieves a CRS_forget score of 0.01",
		"KID scores reflect image fidelity but not full concept erasure"},
	{"3", "nearer to", maintaining, crsQuote,
		"KID does not fully evaluate whether concepts are forgotten or merely suppressed in the latent space"},
}

// crsQuote is the sentence in §4 about the CRS of forget and retain prompts.
const crsQuote = "achieving low CRS_forget scores (0.01 to 0.03) and high CRS_retain scores (0.97 to 0.98)"

// classClaims returns the claims about the scores of forget prompts and retain prompts.
func classClaims() (claims []certify.Claim) {
	for _, t := range tableWords {
		forget := func(column string) certify.Quantity { return certify.Mean(columnName(t.number, true, column)) }
		retain := func(column string) certify.Quantity { return certify.Mean(columnName(t.number, false, column)) }
		kid := certify.Above(forget("KID-U"), forget("KID-O"))
		if t.number == "1" {
			kid = certify.Above(forget("KID-O"), forget("KID-U"))
		}
		in, source := "In Table "+t.number+" ", "Table "+t.number
		claims = append(claims,
			certify.Claim{Name: in + "CCS is higher in forget rows than in retain rows", Source: source, Quote: t.says,
				Unit: "CCS", Of: certify.Above(forget("CCS"), retain("CCS"))},
			certify.Claim{Name: in + "d, of which CRS is made, differs by less than .02 between forget and retain " +
				"rows: the mirror alone tells them apart", Source: source + ": .00 to .05 and 1 - (.96 to .99)",
				Quote: t.saysCRS, Unit: "d", Of: certify.Within(.02, forget("CRS d"), retain("CRS d"))},
			certify.Claim{Name: in + "pictures of forget rows are " + t.kid + " the original's than the unlearned " +
				"model's by KID", Source: source, Quote: t.saysKID, Unit: "KID", Of: kid},
		)
	}
	forget := func(column string) certify.Quantity { return certify.Mean(columnName("any", true, column)) }
	retain := func(column string) certify.Quantity { return certify.Mean(columnName("any", false, column)) }
	return append(claims,
		certify.Claim{Name: "CRS of retained concepts is above .9 by equation (7)", Source: "Tables 1 to 3: .96 to .99",
			Quote: crsQuote, Unit: "CRS", Of: certify.MoreThan(.9, retain("CRS (7)")),
			Contradiction: "equation (7) gives .5 to pictures equal to the original's"},
		certify.Claim{Name: "CRS of forgotten concepts is below .1 by equation (8)",
			Source: "Tables 1 to 3: .00 to .05", Quote: crsQuote, Unit: "CRS",
			Of:            certify.LessThan(.1, forget("CRS (8)")),
			Contradiction: "equation (8) gives .5 to pictures equal to the unlearned model's"},
		certify.Claim{Name: "CRS tells forget from retain rows by more than .9", Source: "Tables 1 to 3",
			Quote: crsQuote, Unit: "CRS", Of: certify.LessThan(.1, func(m certify.Means) float64 {
				return retain("CRS d")(m) + forget("CRS d")(m)
			})},
	)
}

// curveClaims returns the claims about scores as functions of ψ, and a claim about the picture at ψ = .001, from which
// the published protocol's classifier may have learnt.
func curveClaims(psi []string) []certify.Claim {
	rising := func(what string) []certify.Condition {
		var steps [][]certify.Condition
		for i := 1; i < len(psi); i++ {
			rise := certify.Difference(certify.Mean(atPsi(what, psi[i])), certify.Mean(atPsi(what, psi[i-1])))
			steps = append(steps, certify.MoreThan(-.02, rise))
		}
		return certify.All(steps...)
	}
	const guided = "more steps of the original make pictures more like the original's"
	return []certify.Claim{
		certify.Claim{Name: "P(original) never falls by more than .02 from one ψ to the next", Family: certify.Headline,
			Source: "Abstract; Figures 5 to 17 (c)", Quote: "It reports the probability of the unlearned model’s " +
				"generations to be aligned with the original domain knowledge with increasing amount of guidance",
			Unit: "P(original)", Of: rising("P(O)")}.Checks(guided),
		certify.Claim{Name: "CRS of forgotten concepts never falls by more than .02 from one ψ to the next",
			Family: certify.Headline, Source: "Abstract; CRS as in the tables", Quote: "It reports the extent of " +
				"retrieval of the forgotten concepts with increasing amount of guidance",
			Unit: "d", Of: rising("d")}.Checks(guided),
		certify.Claim{Name: "The similarity to the original's pictures never falls by more than .02 from one ψ to the next",
			Family: ofFigures, Source: "Figures 5 to 17 (d)", Quote: "we show the distance between the unlearned and " +
				"original model based on the proposed partial diffusion based probing",
			Unit: "corrected CRS", Of: rising("similarity")}.Checks(guided),
		certify.Claim{Name: "Recovery never falls by more than .02 from one ψ to the next", Family: ofFigures,
			Source: "Figures 5 to 17 (b)", Quote: "how the “unlearned” concepts are generated through the proposed " +
				"Partial Diffusion based attack on the unlearned model",
			Unit: "share of pictures", Of: rising("recovered")}.Checks(guided),
		{Name: "A classifier that has learnt from the picture at ψ = .001 calls it less the original's than pictures " +
			"that it has not seen", Source: "§4: seed 42 is among the seeds of both sets",
			Quote: "A total of 200 images were used for each evaluation set.", Unit: "P(original)",
			Of: certify.Above(certify.Mean(atPsi("P(O)", PaperPsi[0])), certify.Mean(publishedFirst))},
	}
}

// goldClaims returns the claims about the paper's threshold: from ψ = .55 on, gold draws concepts that it was not
// trained on.
func goldClaims() []certify.Claim {
	source := fmt.Sprintf("Figure 4, §4: ψ ≈ %g", metric.PsiThreshold)
	const (
		enough = "We observe at ψ ≥ 0.55 the retrained model has received sufficient information to upscale the " +
			"latents to a desert-rose."
		abstract = "Below ψ = 0.55, the gold model produces more abstract outputs, reflecting its adapted distribution."
		unit     = "share of pictures"
	)
	threshold, before := goldPsi[0], goldPsi[1]
	most := func(rows, psi string) []certify.Condition {
		return certify.MoreThan(.5, certify.Mean(atPsi(rows, psi)))
	}
	few := func(rows, psi string) []certify.Condition {
		return certify.LessThan(.5, certify.Mean(atPsi(rows, psi)))
	}
	return []certify.Claim{
		{Name: "Gold draws the rose that it has never seen with most seeds at ψ = .55", Source: source, Quote: enough,
			Unit: unit, Of: most(goldRose, threshold)},
		{Name: "Gold does not draw the rose with most seeds at ψ = .45", Source: source, Quote: abstract, Unit: unit,
			Of: few(goldRose, before)},
		{Name: "Gold draws what it has never seen, over the tables' concepts, with most seeds at ψ = .55",
			Source: source, Quote: enough, Unit: unit, Of: most(goldTables, threshold)},
		{Name: "Gold does not draw what it has never seen, over the tables' concepts, with most seeds at ψ = .45",
			Source: source, Quote: abstract, Unit: unit, Of: few(goldTables, before)},
	}
}

// retainClaims returns the claims that methods keep other concepts than the erased one.
func retainClaims() (claims []certify.Claim) {
	for _, m := range methods() {
		quote := maintaining
		if m.Name == "sdd" {
			quote = "showing no significant degradation in retain set fidelity"
		}
		claims = append(claims, retainClaim(m.Title, m.Title, quote))
	}
	return claims
}

// maintaining is the paper's sentence about concepts that are to be kept.
const maintaining = "We evaluate effectiveness of concept erasure and maintaining generative capability on other " +
	"related concepts."

// retainClaim returns the claim that a method keeps other concepts; name is the method's name in the claim.
func retainClaim(method, name, quote string) certify.Claim {
	return certify.Claim{
		Name:   name + " keeps nine tenths of what the original draws rightly of other prompts",
		Source: "§4", Quote: quote, Unit: "share of pictures",
		Of: certify.MoreThan(0, func(means certify.Means) float64 {
			return means(keepingOf(method)) - .9*means(keepingOf(originalTitle))
		}),
	}
}
