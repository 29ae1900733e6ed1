package unslu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// metricClaims returns the claims about GUM and NoMUS. They use the benchmark on which the paper compares both metrics.
func metricClaims() []certify.Claim {
	row := func(name string) string { return epochsBenchmark + "/" + name }
	original, gold, ng, unsir, scrub := row(originalRow), row(goldRow), row("NG"), row("UNSIR"), row("SCRUB")
	const (
		trivial = "both Original and Gold models (two trivial “unlearning” approaches) achieve large NoMUS scores"
		similar = "NG and SCRUB score similarly in terms of utility"
	)
	score := certify.All(certify.Alike(knownMargin, ng, scrub)("F1_T"), certify.Alike(attackMargin, ng, scrub)("MIA"))
	return []certify.Claim{
		certify.Says("The original's NoMUS is at most .05 below NG's, UNSIR's and SCRUB's", metricPart, trivial, "NoMUS",
			certify.NotBelow(.05, original, ng, unsir, scrub)),
		certify.Says("Gold has the largest NoMUS", metricPart, trivial, "NoMUS",
			certify.Greater(gold, original, ng, unsir, scrub)),
		certify.Says("UNSIR gives the speakers away no less than the original", metricPart,
			"UNSIR deteriorates the efficacy, with a MIA score worse than the original model", "MIA",
			certify.Greater(unsir, original)),
		certify.Says("UNSIR's NoMUS is within .05 of NG's all the same", metricPart,
			"This unexpectedly large value is due to the fact that NoMUS does not contextualize MIA scores", "NoMUS",
			certify.Alike(.05, unsir, ng)),
		certify.Says("NG and SCRUB have an F1_T within .03 and a MIA within .05 of each other", metricPart, similar,
			"score", certify.Is(score)),
		certify.Says("NG and SCRUB have a NoMUS within .05 of each other", metricPart,
			"resulting in similar NoMUS scores", "NoMUS", certify.Alike(.05, ng, scrub)),
		certify.Says("NG has the higher GUM of the two", metricPart,
			"This (large!) gap in efficiency is reflected in GUM scores (.563 vs .429)", "GUM",
			certify.Greater(ng, scrub)),
	}
}

// epochClaims returns the claims about the original's number of epochs. It skips budgets at which models are at chance
// level.
func (r *Results) epochClaims() []certify.Claim {
	budgets := slices.DeleteFunc(slices.Clone(r.Preset.Epochs.Budgets),
		func(epochs int) bool { return epochs <= r.Preset.Epochs.Chance })
	if len(budgets) < 2 {
		return nil
	}
	row := func(budget int) string { return fmt.Sprintf("epochs/%d", budget) }
	likeGold := func(margin float64, column string, budgets ...int) certify.Relation {
		return certify.Is(certify.Each(budgets, func(budget int) []certify.Condition {
			return certify.Within(margin, certify.Score(row(budget), column), certify.Score(row(budget), column+"(g)"))
		}))
	}
	shorter, last := budgets[:len(budgets)-1], budgets[len(budgets)-1]
	var earlier []string
	for _, budget := range shorter {
		earlier = append(earlier, row(budget))
	}
	shortly := fmt.Sprintf("After %d to %d epochs", shorter[0], shorter[len(shorter)-1])
	if len(shorter) == 1 {
		shortly = fmt.Sprintf("After %d epochs", shorter[0])
	}
	longest := func(column string) certify.Quantity { return certify.Score(row(last), column) }
	claims := []certify.Claim{
		certify.Says(fmt.Sprintf("After %d epochs NG+ leaves F1_T within .03 of gold's", last), epochPart,
			"At 60 epochs, the unlearned model achieves near-gold utility", "F1_T", likeGold(knownMargin, "F1_T", last)),
		certify.Says(fmt.Sprintf("After %d epochs NG+ is nearer to the original than to gold under the attack", last),
			epochPart, "its MIA (.611) is close to the original model one (.628), indicating persistent memorization",
			"MIA", certify.Is(certify.Above(certify.Distance(longest("MIA"), longest("MIA(g)")),
				certify.Distance(longest("MIA"), longest("MIA(o)"))))),
		certify.Says(shortly+" NG+ is within .05 of gold under the attack", epochPart,
			"shorter training durations (5-15 epochs) show better alignment with the gold model", "MIA",
			likeGold(attackMargin, "MIA", shorter...)),
		certify.Says(fmt.Sprintf("The original gives its speakers away more after %d epochs than after %d", last,
			shorter[0]), epochPart, "the model is overfitting the training data, making it harder to forget", "MIA",
			certify.Is(certify.Greater(row(last), row(shorter[0]))("MIA(o)"))),
		certify.Says("GUM is the smallest after the longest training", epochPart, "the prolonged training creates rigid "+
			"decision boundaries that retain speaker-specific patterns, making unlearning interventions less effective",
			"GUM", certify.Least(row(last), earlier...)),
	}
	if len(shorter) < 3 {
		return claims
	}
	ideal := len(shorter) / 2
	others := slices.Clone(earlier)
	others[ideal] = row(last)
	return append(claims, certify.Says(fmt.Sprintf("NG+ gives its speakers away least after %d epochs", shorter[ideal]),
		epochPart, "The ideal operating point appears around 11 epochs", "MIA",
		certify.Least(row(shorter[ideal]), others...)))
}

// rateClaims returns the claims about Figure 1. They compare the lowest and the highest of the rates that the tables
// choose from. Lower rates leave the model unchanged, and higher rates destroy it.
func (r *Results) rateClaims() []certify.Claim {
	tried := r.triedRates()
	if len(tried) < 2 {
		return nil
	}
	low, high := rateName(tried[0]), rateName(tried[len(tried)-1])
	const (
		smallest = "the lowest of the rates moves the model least"
		limited  = "the original utility is preserved, but the unlearning effect is limited"
		large    = "a large LR affects the model more significantly, producing better unlearning, but affecting the " +
			"overall performance"
	)
	claims := []certify.Claim{
		certify.Says("NG at rate "+low+" leaves F1_T within .03 of the original's", ratePart, limited, "F1_T",
			certify.Alike(knownMargin, "rates/"+low, ratesBenchmark+"/"+originalRow)).Checks(smallest),
		certify.Says("NG at rate "+low+" still gives the forget speakers away more than gold", ratePart, limited, "MIA",
			certify.Greater("rates/"+low, ratesBenchmark+"/"+goldRow)).Checks(smallest),
	}
	for _, c := range []struct{ column, says string }{
		{"F1_T", "recognises test clips worse"}, {"F1_F", "recognises the forget speakers worse"},
		{"MIA", "gives the forget speakers away less"},
	} {
		claims = append(claims, certify.Says("NG at rate "+high+" "+c.says+" than at "+low, ratePart, large, c.column,
			certify.Greater("rates/"+low, "rates/"+high)).Checks("the highest of the rates moves the model farthest"))
	}
	return claims
}

// triedRates returns the rates that the tables choose from. It returns nil if Figure 1 lacks one of them.
func (r *Results) triedRates() []float64 {
	at := r.Preset.place(r.Preset.Rates.Benchmark)
	if at < 0 {
		return nil
	}
	swept := r.Preset.Rates.Method
	for _, m := range r.Preset.Benchmarks[at].Methods {
		if m.Name != swept.Name {
			continue
		}
		for _, rate := range m.Rates {
			if !slices.ContainsFunc(swept.Rates,
				func(other float64) bool { return rateName(other) == rateName(rate) }) {
				return nil
			}
		}
		return m.Rates
	}
	return nil
}

// backboneClaims returns the claims that compare backbones by the F1_T of the originals.
func backboneClaims() []certify.Claim {
	var broad, tuned []string
	for at := 0; at < len(multilingual); at += 2 {
		broad, tuned = append(broad, multilingual[at]), append(tuned, multilingual[at+1])
	}
	return []certify.Claim{
		{Name: "Backbones that were tuned to the language recognise more than the broad one", Unit: "F1_T",
			Source: certify.Ours + ": Tables 2 and 3",
			Of:     certify.Above(mean(tuned, originalRow, "F1_T"), mean(broad, originalRow, "F1_T"))},
		{Name: "HuBERT recognises more than wav2vec 2.0 on SLURP*", Unit: "F1_T",
			Source: certify.Ours + ": Table 2",
			Of:     certify.Above(value(english[3], originalRow, "F1_T"), value(english[2], originalRow, "F1_T"))},
	}
}
