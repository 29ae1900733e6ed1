package unslu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// metricClaims returns the claims about GUM and NoMUS, on the benchmark on which the paper compares them.
func metricClaims() []certify.Claim {
	at := func(row, column string) certify.Quantity { return value(epochsBenchmark, row, column) }
	const (
		trivial = "both Original and Gold models (two trivial “unlearning” approaches) achieve large NoMUS scores"
		similar = "NG and SCRUB score similarly in terms of utility"
	)
	return []certify.Claim{
		{Name: "The original's NoMUS is at most .05 below NG's, UNSIR's and SCRUB's", Source: metricPart,
			Quote: trivial,
			Unit:  "NoMUS", Of: each([]string{"NG", "UNSIR", "SCRUB"}, func(row string) []certify.Condition {
				return certify.MoreThan(-.05, certify.Difference(at(originalRow, "NoMUS"), at(row, "NoMUS")))
			})},
		{Name: "Gold has the largest NoMUS", Source: metricPart, Quote: trivial, Unit: "NoMUS",
			Of: each([]string{originalRow, "NG", "UNSIR", "SCRUB"}, func(row string) []certify.Condition {
				return certify.Above(at(goldRow, "NoMUS"), at(row, "NoMUS"))
			})},
		{Name: "UNSIR gives the speakers away no less than the original", Source: metricPart, Unit: "MIA",
			Quote: "UNSIR deteriorates the efficacy, with a MIA score worse than the original model",
			Of:    certify.Above(at("UNSIR", "MIA"), at(originalRow, "MIA"))},
		{Name: "UNSIR's NoMUS is within .05 of NG's all the same", Source: metricPart, Unit: "NoMUS",
			Quote: "This unexpectedly large value is due to the fact that NoMUS does not contextualize MIA scores",
			Of:    certify.Within(.05, at("UNSIR", "NoMUS"), at("NG", "NoMUS"))},
		{Name: "NG and SCRUB have an F1_T within .03 and a MIA within .05 of each other", Source: metricPart,
			Quote: similar, Unit: "score",
			Of: certify.All(certify.Within(knownMargin, at("NG", "F1_T"), at("SCRUB", "F1_T")),
				certify.Within(attackMargin, at("NG", "MIA"), at("SCRUB", "MIA")))},
		{Name: "NG and SCRUB have a NoMUS within .05 of each other", Source: metricPart,
			Quote: "resulting in similar " +
				"NoMUS scores", Unit: "NoMUS", Of: certify.Within(.05, at("NG", "NoMUS"), at("SCRUB", "NoMUS"))},
		{Name: "NG has the higher GUM of the two", Source: metricPart, Unit: "GUM",
			Quote: "This (large!) gap in efficiency is reflected in GUM scores (.563 vs .429)",
			Of:    certify.Above(at("NG", "GUM"), at("SCRUB", "GUM"))},
	}
}

// epochClaims returns the claims about the number of epochs of the original. It skips budgets at which models are at
// chance level.
func (r *Results) epochClaims() []certify.Claim {
	budgets := slices.DeleteFunc(slices.Clone(r.Preset.Epochs.Budgets),
		func(epochs int) bool { return epochs <= r.Preset.Epochs.Chance })
	if len(budgets) < 2 {
		return nil
	}
	at := func(budget int, column string) certify.Quantity {
		return certify.Mean(of(fmt.Sprintf("epochs/%d", budget), column))
	}
	shorter, last := budgets[:len(budgets)-1], budgets[len(budgets)-1]
	earlier := func(of func(budget int) []certify.Condition) []certify.Condition {
		var parts [][]certify.Condition
		for _, budget := range shorter {
			parts = append(parts, of(budget))
		}
		return certify.All(parts...)
	}
	shortly := fmt.Sprintf("After %d to %d epochs", shorter[0], shorter[len(shorter)-1])
	if len(shorter) == 1 {
		shortly = fmt.Sprintf("After %d epochs", shorter[0])
	}
	claims := []certify.Claim{
		{Name: fmt.Sprintf("After %d epochs NG+ leaves F1_T within .03 of gold's", last), Source: epochPart,
			Quote: "At 60 epochs, the unlearned model achieves near-gold utility", Unit: "F1_T",
			Of: certify.Within(knownMargin, at(last, "F1_T"), at(last, "F1_T(g)"))},
		{Name: fmt.Sprintf("After %d epochs NG+ is nearer to the original than to gold under the attack", last),
			Source: epochPart, Unit: "MIA",
			Quote: "its MIA (.611) is close to the original model one (.628), indicating persistent memorization",
			Of: certify.Above(distance(at(last, "MIA"), at(last, "MIA(g)")),
				distance(at(last, "MIA"), at(last, "MIA(o)")))},
		{Name: shortly + " NG+ is within .05 of gold under the attack", Source: epochPart, Unit: "MIA",
			Quote: "shorter training durations (5-15 epochs) show better alignment with the gold model",
			Of: earlier(func(budget int) []certify.Condition {
				return certify.Within(attackMargin, at(budget, "MIA"), at(budget, "MIA(g)"))
			})},
		{Name: fmt.Sprintf("The original gives its speakers away more after %d epochs than after %d", last, shorter[0]),
			Source: epochPart, Unit: "MIA", Quote: "the model is overfitting the training data, making it harder " +
				"to forget",
			Of: certify.Above(at(last, "MIA(o)"), at(shorter[0], "MIA(o)"))},
		{Name: "GUM is the smallest after the longest training", Source: epochPart, Unit: "GUM",
			Quote: "the prolonged training creates rigid decision boundaries that retain speaker-specific " +
				"patterns, making unlearning interventions less effective",
			Of: earlier(func(budget int) []certify.Condition {
				return certify.Above(at(budget, "GUM"), at(last,
					"GUM"))
			})},
	}
	if len(shorter) < 3 {
		return claims
	}
	ideal := shorter[len(shorter)/2]
	return append(claims, certify.Claim{Name: fmt.Sprintf("NG+ gives its speakers away least after %d epochs", ideal),
		Source: epochPart, Unit: "MIA", Quote: "The ideal operating point appears around 11 epochs",
		Of: earlier(func(budget int) []certify.Condition {
			if budget == ideal {
				return certify.Above(at(last, "MIA"), at(ideal, "MIA"))
			}
			return certify.Above(at(budget, "MIA"), at(ideal, "MIA"))
		})})
}

// rateClaims returns the claims about Figure 1, at the lowest and the highest rate that the tables choose from. Lower
// rates leave the model unchanged, and higher rates destroy it.
func (r *Results) rateClaims() []certify.Claim {
	tried := r.TriedRates()
	if len(tried) < 2 {
		return nil
	}
	low, high := rateName(tried[0]), rateName(tried[len(tried)-1])
	at := func(rate, column string) certify.Quantity { return certify.Mean(of("rates/"+rate, column)) }
	const large = "a large LR affects the model more significantly, producing better unlearning, but affecting the " +
		"overall performance"
	claims := []certify.Claim{
		{Name: "NG at rate " + low + " leaves F1_T within .03 of the original's", Source: ratePart, Unit: "F1_T",
			Quote: "the original utility is preserved, but the unlearning effect is limited",
			Of:    certify.Within(knownMargin, at(low, "F1_T"), value(ratesBenchmark, originalRow, "F1_T"))},
		{Name: "NG at rate " + low + " still gives the forget speakers away more than gold", Source: ratePart,
			Quote: "the original utility is preserved, but the unlearning effect is limited", Unit: "MIA",
			Of: certify.Above(at(low, "MIA"), value(ratesBenchmark, goldRow, "MIA"))},
	}
	for _, c := range []struct{ column, says string }{
		{"F1_T", "recognises test clips worse"}, {"F1_F", "recognises the forget speakers worse"},
		{"MIA", "gives the forget speakers away less"},
	} {
		claims = append(claims, certify.Claim{Name: "NG at rate " + high + " " + c.says + " than at " + low,
			Source: ratePart, Quote: large, Unit: c.column, Of: certify.Above(at(low, c.column), at(high, c.column))})
	}
	return claims
}

// TriedRates returns the rates that the tables choose from, or nil if Figure 1 lacks one of them.
func (r *Results) TriedRates() []float64 {
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

// backboneClaims returns the claims that compare backbones by the F1_T of their originals.
func backboneClaims() []certify.Claim {
	var broad, tuned []string
	for at := 0; at < len(multilingual); at += 2 {
		broad, tuned = append(broad, multilingual[at]), append(tuned, multilingual[at+1])
	}
	const depth = "we provide an in-depth analysis of unlearning performance across datasets, languages, model " +
		"sizes and architectures"
	return []certify.Claim{
		{Name: "Backbones that were tuned to the language recognise more than the broad one", Unit: "F1_T",
			Source: "Tables 2 and 3", Quote: depth,
			Of: certify.Above(mean(tuned, originalRow, "F1_T"), mean(broad, originalRow, "F1_T"))},
		{Name: "HuBERT recognises more than wav2vec 2.0 on SLURP*", Unit: "F1_T", Source: "Table 2", Quote: depth,
			Of: certify.Above(value(english[3], originalRow, "F1_T"), value(english[2], originalRow, "F1_T"))},
	}
}
