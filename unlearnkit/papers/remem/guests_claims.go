package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// guestClaims judges, for each imported model, what the paper claims of all its methods, in the worlds that the user
// has imported. Claims about several numbers of people are left out, because imported models have forgotten one number.
func (r *Results) guestClaims() (judged []certify.Judged) {
	for _, g := range r.guestScores {
		for size := range r.Preset.Sizes {
			own, _ := r.with(g, size)
			if own == nil {
				continue
			}
			panel := &certify.Panel{}
			own.addMethods(panel, 0)
			row := own.Preset.Sizes[0].Name + "/" + own.Preset.Methods[0].Title
			judged = append(judged, study.JudgeGuest("remem", r.Preset.Name, row, len(own.Worlds), panel,
				own.sizeClaims())...)
		}
		judged = append(judged, r.bothSizes(g)...)
	}
	return judged
}

// sizeClaims returns the claims about an imported model of one size. r must come from [Results.with].
func (r *Results) sizeClaims() (claims []certify.Claim) {
	size, model := r.Preset.Sizes[0].Name, r.Preset.Methods[0].Title
	less := func(column string) certify.Quantity { return r.lessUnnamed(size, model, column) }
	add := func(name, source, quote, unit string, of []certify.Condition) {
		claims = append(claims, certify.Claim{Name: model + " " + name + ", " + size, Source: source, Quote: quote,
			Unit: unit, Of: of})
	}
	const all, onMean = "as of all methods: ", "as of the mean of the methods: "
	for _, column := range []string{"ROUGE", "EM_r"} {
		add(fmt.Sprintf("keeps less %s of questions without the name", column), all+results, harder, "percent",
			certify.MoreThan(0, less(column)))
	}
	add("erases alike with and without the name", all+results, comparable, "percent",
		certify.Between(-margin, margin, less("EM_f")))
	add("loses more without the name of what is kept than of what is forgotten", onMean+results, asymmetric, "percent",
		certify.Above(less("EM_r"), less("EM_f")))
	add("forgets unseen words and layouts, too: EM_t is below EM_f", onMean+"§6.2, Table 2",
		eradicated, "percent", certify.Above(r.at(size, model, "EM_f"), r.at(size, model, "EM_t")))
	add("leaves Exposure above that of a model that never learnt", "as of NPO: "+results, warns, "Exposure",
		r.moreExposed(size, model))
	add("gets back more from other facts than a model that never learnt", all+ratioPart, superficial, "percent",
		gainsMore(size, model))
	add("answers less of multiple choice than the base model", all+choicePart, degradation, "percent",
		certify.Greater(size+"/"+baseRow, size+"/"+model)("choices"))
	last := &claims[len(claims)-1]
	var guesses bool
	if guesses, last.Caveat = r.guesses(0); guesses {
		last.Of = nil
	}
	return claims
}

// bothSizes judges the claims that compare both sizes of an imported model, in the worlds that have both.
func (r *Results) bothSizes(g guestScores) []certify.Judged {
	if len(r.Preset.Sizes) < 2 {
		return nil
	}
	shared := guestScores{Name: g.Name}
	for _, models := range g.Sizes {
		shared.Sizes = append(shared.Sizes, slices.Clone(models))
	}
	small, large := shared.Sizes[0], shared.Sizes[1]
	for world := range small {
		if small[world].Model == nil || large[world].Model == nil {
			small[world], large[world] = guestModel{}, guestModel{}
		}
	}
	panel := &certify.Panel{}
	var own *Results
	for size := range 2 {
		if own, _ = r.with(shared, size); own == nil {
			return nil
		}
		own.addMethods(panel, 0)
	}
	model := own.Preset.Methods[0].Title
	var claims []certify.Claim
	for _, claim := range ofSizes {
		claims = append(claims, certify.Claim{Name: claim.says + " with " + model,
			Source: "as of all methods: " + results, Quote: claim.quote, Unit: "percent",
			Of: certify.MoreThan(0, r.moreInLarger(model, claim.column))})
	}
	return study.JudgeGuest("remem", r.Preset.Name, model, len(own.Worlds), panel, claims)
}
