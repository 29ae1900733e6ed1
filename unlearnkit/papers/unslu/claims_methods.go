package unslu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// plusClaims returns the claims that compare NG+ with NG.
func plusClaims() []certify.Claim {
	const lower = "its overall GUM score is significantly lower"
	overall := func(gum func(benchmark, row string) certify.Quantity) []certify.Condition {
		var less []certify.Quantity
		for _, b := range all {
			less = append(less, certify.Difference(gum(b, "NG"), gum(b, "NG+")))
		}
		return certify.MoreThan(0, certify.Average(less...))
	}
	return []certify.Claim{
		{Name: "NG+ has a lower GUM than NG on the mean of the ten", Source: benchmarkPart, Quote: lower, Unit: "GUM",
			Of: overall(func(b, row string) certify.Quantity { return value(b, row, "GUM") })},
		{Name: "NG+ has a lower GUM than NG on the mean of the ten, of metrics that are averaged first",
			Source: benchmarkPart,
			Quote:  lower, Unit: "GUM", Of: overall(gumOfMeans)},
		{Name: "NG+ has a higher F1_T and F1_F than NG on some of the ten", Source: benchmarkPart, Unit: "F1",
			Quote: "scores than NG in some cases, with comparable MIA scores", Denied: true,
			Of: certify.Each(all, func(b string) []certify.Condition {
				more := func(column string) certify.Quantity {
					return certify.Difference(value(b, "NG+", column), value(b, "NG", column))
				}
				return certify.LessThan(0, smaller(more("F1_T"), more("F1_F")))
			})},
		{Name: "NG+ and NG have a MIA within .05 of each other on the mean of the ten", Source: benchmarkPart,
			Unit:  "MIA",
			Quote: "scores than NG in some cases, with comparable MIA scores",
			Of:    certify.Within(attackMargin, mean(all, "NG+", "MIA"), mean(all, "NG", "MIA"))},
		{Name: "NG+ leaves less than half of gold's F1_F on some of the ten", Source: benchmarkPart, Unit: "F1_F",
			Denied: true,
			Quote:  "also suffers the “catastrophic forgetting” phenomena in some cases",
			Of: certify.Each(all, func(b string) []certify.Condition {
				return certify.Above(value(b, "NG+", "F1_F"), certify.Times(.5, value(b, goldRow, "F1_F")))
			})},
	}
}

// smaller returns the smaller of two quantities.
func smaller(a, b certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 { return min(a(m), b(m)) }
}

// methodClaims returns the claims about the other methods.
func methodClaims() []certify.Claim {
	gum := func(row string, benchmarks []string) certify.Quantity { return mean(benchmarks, row, "GUM") }
	claims := []certify.Claim{
		{Name: "FT leaves F1_T within .03 of gold's on ITALIC, XLS-R 128", Source: benchmarkPart, Unit: "F1_T",
			Quote: "XLS-R 128 on ITALIC achieves", Of: likeGold("FT", "F1_T", knownMargin, multilingual[:1])},
		{Name: "FT leaves MIA within .05 of gold's on ITALIC, XLS-R 128", Source: benchmarkPart, Unit: "MIA",
			Quote: "FT balances utility and efficacy well for complex models",
			Of:    likeGold("FT", "MIA", attackMargin, multilingual[:1])},
		{Name: "CF-k still gives the forget speakers away on SpeechMASSIVE", Source: benchmarkPart, Unit: "MIA",
			Quote: "This is evident in its higher MIA scores compared to gold models (e.g., .612–.624 vs. gold " +
				".493–.520 in SpeechMASSIVE de-DE and fr-FR)",
			Of: certify.Above(mean(massive, "CF-k", "MIA"), mean(massive, goldRow, "MIA"))},
		{Name: "BT and BT-L have a higher GUM in English than elsewhere", Source: benchmarkPart, Unit: "GUM",
			Quote: "They achieve good GUM scores on FSC and SLURP but perform poorly on larger multilingual models " +
				"on ITALIC and SpeechMASSIVE",
			Of: certify.Above(certify.Average(gum("BT", english), gum("BT-L", english)),
				certify.Average(gum("BT", multilingual), gum("BT-L", multilingual)))},
	}
	for _, row := range []string{"SCRUB", "UNSIR"} {
		others := []certify.Quantity{gum("NG", all)}
		for _, rival := range rivals {
			if rival != "SCRUB" && rival != "UNSIR" {
				others = append(others, gum(rival, all))
			}
		}
		claims = append(claims,
			certify.Claim{Name: row + " has a lower GUM than the other methods on the whole",
				Source: benchmarkPart, Unit: "GUM",
				Quote: "SCRUB and UNSIR perform poorly in GUM",
				Of:    certify.Above(certify.Average(others...), gum(row, all))},
			certify.Claim{Name: row + " leaves MIA more than .05 above gold's on some of the ten",
				Source: benchmarkPart, Unit: "MIA",
				Quote: "have inconsistent efficacy", Denied: true,
				Of: certify.Each(all, func(b string) []certify.Condition {
					return certify.LessThan(attackMargin,
						certify.Difference(value(b, row, "MIA"), value(b, goldRow, "MIA")))
				})})
	}
	return claims
}
