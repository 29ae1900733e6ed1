package unslu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// methodClaims are about single methods.
func methodClaims() []certify.Claim {
	gum := func(row string, benchmarks []string) certify.Quantity { return mean(benchmarks, row, "GUM") }
	claims := []certify.Claim{
		{Name: "NG+ has a lower GUM than NG in every language",
			Source: "§4: its overall GUM score is significantly lower", Unit: "GUM",
			Of: each(sets, func(set string) []certify.Condition {
				own := onSet(set)
				return certify.Above(gum("NG", own), gum("NG+", own))
			})},
		{Name: "NG+ recognises more than NG, of strangers and of the forget speakers", Unit: "F1",
			Source: "§4: slightly higher F1_T and F1_F in some cases",
			Of: each([]string{"F1_T", "F1_F"}, func(column string) []certify.Condition {
				return certify.Above(mean(all, "NG+", column), mean(all, "NG", column))
			})},
		{Name: "FT leaves F1_T within .03 of gold's on ITALIC, XLS-R 128", Source: "§4: .638 and .643", Unit: "F1_T",
			Of: certify.Within(.03, value(multilingual[0], "FT", "F1_T"), value(multilingual[0], goldRow, "F1_T"))},
		{Name: "BT and BT-L have a higher GUM in English than elsewhere",
			Source: "§4: good GUM scores on FSC and SLURP, poor on larger multilingual models", Unit: "GUM",
			Of: certify.Above(average(gum("BT", english), gum("BT-L", english)),
				average(gum("BT", multilingual), gum("BT-L", multilingual)))},
		{Name: "NG+ leaves nothing of what the forget speakers said on ITALIC and fr-FR, XLS-R 128", Unit: "F1_F",
			Source: "§4: F1_F of .001 and .008",
			Of: each([]string{multilingual[0], multilingual[4]}, func(b string) []certify.Condition {
				return certify.LessThan(.05, value(b, "NG+", "F1_F"))
			})},
		{Name: "CF-k still gives the forget speakers away on SpeechMASSIVE", Unit: "MIA",
			Source: "§4: MIA of .612 to .624, gold's of .493 to .520",
			Of:     certify.Above(mean(massive, "CF-k", "MIA"), mean(massive, goldRow, "MIA"))},
	}
	for _, row := range []string{"SCRUB", "UNSIR"} {
		var others []certify.Quantity
		for _, rival := range rivals {
			if rival != "SCRUB" && rival != "UNSIR" {
				others = append(others, gum(rival, all))
			}
		}
		claims = append(claims, certify.Claim{Name: row + " has a lower GUM than the other methods on the whole",
			Source: "§4: SCRUB and UNSIR perform poorly in GUM", Unit: "GUM",
			Of: certify.Above(average(append(others, gum("NG", all))...), gum(row, all))})
	}
	return claims
}

// onSet are the two benchmarks of a data set.
func onSet(set string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(b string) bool { return b[:len(set)+1] != set+"/" })
}

// metricClaims are about GUM and NoMUS on the benchmark that the paper compares them on.
func metricClaims() []certify.Claim {
	at := func(row, column string) certify.Quantity { return value(epochsBenchmark, row, column) }
	return []certify.Claim{
		{Name: "The original has a larger NoMUS than .6, and its GUM is 0 by definition", Source: "Table 4: .717",
			Unit: "NoMUS", Of: certify.MoreThan(.6, at(originalRow, "NoMUS"))},
		{Name: "Gold has the largest NoMUS", Source: "Table 4: .848", Unit: "NoMUS",
			Of: each([]string{originalRow, "NG", "UNSIR", "SCRUB"}, func(row string) []certify.Condition {
				return certify.Above(at(goldRow, "NoMUS"), at(row, "NoMUS"))
			})},
		{Name: "UNSIR gives the speakers away no less than the original",
			Source: "Table 4: MIA .637 and .628", Unit: "MIA",
			Of: certify.Above(at("UNSIR", "MIA"), at(originalRow, "MIA"))},
		{Name: "UNSIR's NoMUS is within .05 of NG's all the same", Source: "Table 4: .700 and .744", Unit: "NoMUS",
			Of: certify.Within(.05, at("UNSIR", "NoMUS"), at("NG", "NoMUS"))},
		{Name: "NG and SCRUB have a NoMUS within .05 of each other", Source: "Table 4: .744 and .741", Unit: "NoMUS",
			Of: certify.Within(.05, at("NG", "NoMUS"), at("SCRUB", "NoMUS"))},
		{Name: "NG has the higher GUM of the two", Source: "Table 4: .563 and .429", Unit: "GUM",
			Of: certify.Above(at("NG", "GUM"), at("SCRUB", "GUM"))},
	}
}

// epochClaims are about how long the original was trained.
func (r *Results) epochClaims() []certify.Claim {
	budgets := r.Preset.Epochs.Budgets
	if len(budgets) < 3 {
		return nil
	}
	at := func(i int, column string) certify.Quantity {
		return certify.Mean(of(fmt.Sprintf("epochs/%d", budgets[i]), column))
	}
	middle, last := len(budgets)/2, len(budgets)-1
	but := func(other int, of func(i int) []certify.Condition) []certify.Condition {
		var parts [][]certify.Condition
		for i := range budgets {
			if i != other {
				parts = append(parts, of(i))
			}
		}
		return certify.All(parts...)
	}
	return []certify.Claim{
		{Name: fmt.Sprintf("After %d epochs NG+ leaves F1_T within .03 of gold's", budgets[last]),
			Source: "Table 5: .696 and .707", Unit: "F1_T",
			Of: certify.Within(.03, at(last, "F1_T"), at(last, "F1_T(g)"))},
		{Name: fmt.Sprintf("After %d epochs NG+ is nearer to the original than to gold under the attack",
			budgets[last]),
			Source: "Table 5: MIA .611, .628 and .506", Unit: "MIA",
			Of: certify.Above(distance(at(last, "MIA"), at(last, "MIA(g)")),
				distance(at(last, "MIA"), at(last, "MIA(o)")))},
		{Name: fmt.Sprintf("After %d to %d epochs NG+ is within .05 of gold under the attack", budgets[0],
			budgets[last-1]),
			Source: "Table 5: .480 to .538 and .491 to .515", Unit: "MIA",
			Of: but(last, func(i int) []certify.Condition {
				return certify.Within(.05, at(i, "MIA"), at(i, "MIA(g)"))
			})},
		{Name: fmt.Sprintf("NG+ gives its speakers away least after %d epochs", budgets[middle]),
			Source: "Table 5: .480 after 11", Unit: "MIA",
			Of: but(middle, func(i int) []certify.Condition {
				return certify.Above(at(i, "MIA"), at(middle, "MIA"))
			})},
		{Name: "The original gives its speakers away the more, the longer it was trained",
			Source: "Table 5: .561 to .628", Unit: "MIA", Of: certify.Above(at(last, "MIA(o)"), at(0, "MIA(o)"))},
		{Name: "GUM is the smallest after the longest training",
			Source: "Table 5: .421 against .644 to .686", Unit: "GUM",
			Of: but(last, func(i int) []certify.Condition { return certify.Above(at(i, "GUM"), at(last, "GUM")) })},
	}
}

// rateClaims are about Figure 1.
func (r *Results) rateClaims() (claims []certify.Claim) {
	rates := r.Preset.Rates.Method.Rates
	if len(rates) < 2 {
		return nil
	}
	for _, c := range []struct{ column, says string }{
		{"F1_T", "recognises test clips worse"}, {"F1_F", "recognises the forget speakers worse"},
		{"MIA", "gives the forget speakers away less"},
	} {
		claims = append(claims, certify.Claim{Name: "NG at the highest rate " + c.says + " than at the lowest",
			Source: "Figure 1", Unit: c.column,
			Of: certify.Above(certify.Mean(of("rates/"+rateName(rates[0]), c.column)),
				certify.Mean(of("rates/"+rateName(rates[len(rates)-1]), c.column)))})
	}
	return claims
}

// backboneClaims compare the two multilingual backbones.
func backboneClaims() []certify.Claim {
	var broad, tuned []string
	for at := 0; at < len(multilingual); at += 2 {
		broad, tuned = append(broad, multilingual[at]), append(tuned, multilingual[at+1])
	}
	return []certify.Claim{{
		Name: "Backbones that were tuned to the language recognise more than the broad one", Unit: "F1_T",
		Source: "Tables 2 and 3, F1_T of Orig.",
		Of:     certify.Above(mean(tuned, originalRow, "F1_T"), mean(broad, originalRow, "F1_T"))}}
}
