package unslu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Sections of the paper that claims cite.
const (
	benchmarkPart = "§4, Benchmark results"
	ratePart      = "§4, (Un)learning rate"
	metricPart    = "§4, Advantages of GUM"
	epochPart     = "§4, Unlearning in SLURP*"
)

// memoryClaims returns the claims that originals leak the speakers to be forgotten. If an original does not differ from
// the gold model, methods have nothing to forget.
func memoryClaims() (claims []certify.Claim) {
	for _, set := range sets {
		own := onSet(set)
		claims = append(claims, certify.Claim{
			Name:   "The originals of " + set + " give their speakers away more than gold",
			Source: "§2.3 defines gold as the target", Family: "§2", Unit: "MIA",
			Of: certify.Above(mean(own, originalRow, "MIA"), mean(own, goldRow, "MIA")),
		}.Ours().Checks("only originals were trained on the clips that the attack asks about"))
	}
	return claims
}

// leads lists the benchmarks for which the paper states by how many per cent Negative Gradient leads.
var leads = []struct {
	benchmark string
	factor    float64
}{
	{english[0], 1.345}, {english[2], 1.255},
	{multilingual[1], 1.385}, {multilingual[3], 1.385}, {multilingual[5], 1.475},
}

// leadClaims returns the claims about Negative Gradient's lead. GUM is averaged in two ways: as the mean over worlds of
// GUM, and as GUM of the means over worlds.
func leadClaims() (claims []certify.Claim) {
	const highest = "NG consistently achieves the highest GUM scores"
	for _, order := range []struct {
		name string
		gum  func(benchmark, row string) certify.Quantity
	}{
		{"", func(b, row string) certify.Quantity { return value(b, row, "GUM") }},
		{", of metrics that are averaged first", gumOfMeans},
	} {
		claims = append(claims,
			certify.Claim{Name: "NG has the highest GUM on each of the ten" + order.name, Source: benchmarkPart,
				Quote: highest,
				Unit:  "GUM", Of: certify.Each(all, func(b string) []certify.Condition { return ahead(order.gum, b) })},
			certify.Claim{Name: "NG has the highest GUM on the mean of the ten" + order.name, Source: benchmarkPart,
				Quote: highest, Unit: "GUM", Of: ahead(order.gum, all...)})
	}
	var far [][]certify.Condition
	for _, lead := range leads {
		far = append(far, certify.Each(rivals, func(rival string) []certify.Condition {
			own, others := value(lead.benchmark, "NG", "GUM"), value(lead.benchmark, rival, "GUM")
			return certify.Above(own, certify.Times(lead.factor, others))
		}))
	}
	return append(claims,
		certify.Claim{Name: "NG's GUM is 26 to 48 % above the second-best on each of five", Source: benchmarkPart,
			Unit:  "GUM",
			Quote: "it outperforms the second-best approach by +35% on FSC and +26% in SLURP*",
			Of:    certify.All(far...)},
		certify.Claim{Name: "NG is first or second nearest to gold under the attack more often than by chance",
			Source: benchmarkPart, Unit: "share of the ten",
			Quote: "MIA close to gold models, often ranking first or second among competitors",
			Of:    certify.MoreThan(byChance, certify.Mean(leadingRanks))},
		certify.Claim{Name: "NG is first or second more often on multilingual data sets than on English ones",
			Source: benchmarkPart, Unit: "share", Quote: "especially in multilingual datasets",
			Of: certify.Above(certify.Mean(leadingMultilingual), certify.Mean(leadingEnglish))},
		certify.Claim{Name: "NG is within .03 of gold's F1_T and F1_F and within .05 of its MIA on the mean of the ten",
			Source: "§4, In conclusion", Unit: "score", Quote: wellRounded, Of: rounded("NG", all)},
		certify.Claim{Name: "NG is nearer to gold under the attack than CF-k and UNSIR on the mean of the ten",
			Source: "the abstract says only that methods differ", Unit: "E", Of: nearerGold("NG", all)}.Ours())
}

// wellRounded is the paper's sentence about its best method, which claims about imported models quote, too.
const wellRounded = "NG remains one of the most well-rounded approaches, performing consistently well across all metrics"

// rounded requires that a row's scores are like the gold model's in all metrics, averaged over some benchmarks.
func rounded(row string, benchmarks []string) []certify.Condition {
	return certify.All(likeGold(row, "F1_T", knownMargin, benchmarks), likeGold(row, "F1_F", knownMargin, benchmarks),
		likeGold(row, "MIA", attackMargin, benchmarks))
}

// nearerGold requires that a row is nearer to the gold model under the attack than CF-k and UNSIR are, averaged over
// some benchmarks.
func nearerGold(row string, benchmarks []string) []certify.Condition {
	return certify.Each([]string{"CF-k", "UNSIR"}, func(rival string) []certify.Condition {
		return certify.Above(mean(benchmarks, row, "E"), mean(benchmarks, rival, "E"))
	})
}

// ahead requires that Negative Gradient exceeds each rival, averaged over some benchmarks.
func ahead(of func(benchmark, row string) certify.Quantity, benchmarks ...string) []certify.Condition {
	meanOf := func(row string) certify.Quantity {
		var each []certify.Quantity
		for _, b := range benchmarks {
			each = append(each, of(b, row))
		}
		return certify.Average(each...)
	}
	return certify.Each(rivals, func(rival string) []certify.Condition { return certify.Above(meanOf("NG"), meanOf(rival)) })
}

// likeGold requires that a row's score differs from the gold model's by less than a margin, averaged over some
// benchmarks.
func likeGold(row, column string, margin float64, benchmarks []string) []certify.Condition {
	return certify.Within(margin, mean(benchmarks, row, column), mean(benchmarks, goldRow, column))
}

// byChance is the probability that a given method of eight ranks first or second by chance.
const byChance = 2. / 8

// speedClaims returns the claims about wall-clock time. A preset that counts time in passes over the network has none,
// because the methods' designs alone would decide them.
func (r *Results) speedClaims() []certify.Claim {
	if r.Preset.ByPasses {
		return nil
	}
	seconds := func(b, row string) certify.Quantity { return value(b, row, "Seconds") }
	faster := func(b, fast string, slow ...string) []certify.Condition {
		return certify.Each(slow, func(row string) []certify.Condition {
			return certify.Above(seconds(b, row), seconds(b, fast))
		})
	}
	return []certify.Claim{
		{Name: "NG takes the least time on each of the ten", Source: benchmarkPart, Unit: "seconds",
			Quote: "This improvement comes from its exceptional efficiency",
			Of:    certify.Each(all, func(b string) []certify.Condition { return faster(b, "NG", rivals...) })},
		{Name: "NG+ takes ten times as long as NG on each of the ten", Source: benchmarkPart, Unit: "seconds",
			Quote: "its speedup is one order of magnitude lower than NG",
			Of: certify.Each(all, func(b string) []certify.Condition {
				return certify.Above(seconds(b, "NG+"), certify.Times(10, seconds(b, "NG")))
			})},
		{Name: "CF-k takes the second-least time on each of the ten", Source: benchmarkPart, Unit: "seconds",
			Quote: "It is the second-most efficient method",
			Of: certify.Each(all, func(b string) []certify.Condition {
				return certify.All(faster(b, "NG", "CF-k"),
					faster(b, "CF-k", "FT", "NG+", "UNSIR", "BT", "BT-L", "SCRUB"))
			})},
		{Name: "FT, SCRUB and UNSIR take longer than CF-k and less time than gold on each of the ten",
			Source: benchmarkPart, Unit: "seconds",
			Quote: "it is less efficient due to full-network updates",
			Of: certify.Each(all, func(b string) []certify.Condition {
				return certify.Each([]string{"FT", "SCRUB", "UNSIR"}, func(row string) []certify.Condition {
					return certify.All(faster(b, "CF-k", row), faster(b, row, goldRow))
				})
			})},
	}
}
