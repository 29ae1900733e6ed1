package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// learningClaims are about what models learn, and by what.
func (r *Results) learningClaims() (claims []certify.Claim) {
	for _, s := range r.Preset.Sizes {
		learnt := func(column string) certify.Quantity { return certify.Mean(s.Name + "*: " + column) }
		claims = append(claims,
			certify.Claim{Name: "Nine tenths of what is taught are learnt, " + s.Name, Source: "Table 3: 91.50, 96.37",
				Unit: "percent", Of: certify.MoreThan(90, learnt("EM"))},
			certify.Claim{Name: "Less is right in unseen words and layouts, " + s.Name,
				Source: "Table 3: 81.33, 87.98", Unit: "percent",
				Of: certify.Above(learnt("EM"), learnt("EM_t"))},
			certify.Claim{Name: "Four fifths are right in unseen words and layouts, " + s.Name,
				Source: "§7.2: strong performance on the held-out test set, Table 3", Unit: "percent",
				Of: certify.MoreThan(80, learnt("EM_t"))},
			certify.Claim{Name: "A taught model has more of every score than the base model, " + s.Name,
				Source: "§7.2: the narratives and specific PII, Table 3", Unit: "percent",
				Of: each([]string{"ROUGE", "GPT", "EM", "EM_t"}, func(column string) []certify.Condition {
					return certify.Above(learnt(column), certify.Mean(s.Name+": "+column))
				})})
	}
	for _, column := range []string{"Min-k%", "Inverse Perplexity"} {
		value := func(row string) certify.Quantity { return certify.Mean(row + ": " + column) }
		claims = append(claims,
			certify.Claim{Name: "Names are remembered more surely than in the shapes of others: " + column,
				Family: "A.1", Source: "Table 5: 7.33 and 33.65", Unit: "percent",
				Of: each([]string{"FIUBench", "MLLMU-bench"}, func(other string) []certify.Condition {
					return certify.Above(value("ReMem (Ours)"), value(other))
				})},
			certify.Claim{Name: "Names are remembered as little by MLLMU-Bench's shape as by FIUBench's, or more: " +
				column,
				Family: "A.1", Source: "Table 5: .41 and .05, 9.76 and 4.25", Unit: "percent",
				Of: certify.Above(value("MLLMU-bench"), value("FIUBench"))},
			certify.Claim{Name: "Public people are remembered more surely than by the shapes of others: " + column,
				Family: "§4", Source: "§4, Figure 2", Unit: "percent",
				Of: each([]string{"FIUBench", "MLLMU-bench"}, func(other string) []certify.Condition {
					return certify.Above(value(publicRow), value(other))
				})})
	}
	claims = append(claims, certify.Claim{Name: "The shapes of others leave most unlearnt", Unit: "percent",
		Family: certify.Headline, Source: "Figure 1: stage 1 failure",
		Of: each([]string{"FIUBench", "MLLMU-bench"}, func(other string) []certify.Condition {
			return certify.LessThan(50, certify.Mean(other+": EM"))
		})})
	claims = append(claims, certify.Claim{Name: "People are learnt better in ReMem's shape than in those of others",
		Family: certify.Headline, Source: "Figure 1: robust foundational learning", Unit: "percent",
		Of: each([]string{"FIUBench", "MLLMU-bench"}, func(other string) []certify.Condition {
			return certify.Above(certify.Mean("ReMem (Ours): EM"), certify.Mean(other+": EM"))
		})})
	return slices.Concat(certify.InFamily("§7.2", claims), certify.InFamily(certify.Headline, r.circuitClaims()),
		certify.InFamily("§5", slices.Concat(r.countClaims(), r.shareClaims())))
}

// circuitClaims are about through what answers pass.
func (r *Results) circuitClaims() (claims []certify.Claim) {
	if len(r.tracedModels()) == 0 {
		return nil
	}
	for _, claim := range []struct{ more, less, source string }{
		{publicRow, "FIUBench", "§4: distinct layers with high IE, negligible or scattered values; Figure 2"},
		{"ReMem (Ours)", "MLLMU-bench", "A.2: distinct and high IE activations at early layers, Figure 5"},
	} {
		claims = append(claims, certify.Claim{Source: claim.source, Unit: "indirect effect",
			Name: fmt.Sprintf("More of an answer passes through the subject early: %s than %s", claim.more, claim.less),
			Of:   certify.Above(certify.Mean(claim.more+": early effect"), certify.Mean(claim.less+": early effect"))})
	}
	return claims
}

// countClaims are about the number of questions about a person.
func (r *Results) countClaims() []certify.Claim {
	counts := r.Preset.Counts
	if len(counts) < 3 {
		return nil
	}
	at := func(i int, column string) certify.Quantity {
		return certify.Mean(fmt.Sprintf("questions/%d: %s", counts[i], column))
	}
	last := len(counts) - 1
	claims := []certify.Claim{
		{Name: "More questions about a person teach more", Source: "§5, Figure 3a", Unit: "percent",
			Of: each([]string{"EM", "ROUGE"}, func(column string) []certify.Condition {
				return certify.Above(at(last, column), at(0, column))
			})},
		{Name: "More questions lower the perplexity up to 160", Source: "§5, Figure 3b", Unit: "perplexity",
			Of: certify.Above(at(0, "perplexity"), at(max(0, slices.Index(counts, 160)), "perplexity"))},
	}
	if before, after := slices.Index(counts, 160), slices.Index(counts, 180); before >= 0 && after >= 0 {
		claims = append(claims, certify.Claim{Name: "From 160 to 180 questions the perplexity rises",
			Source: "§5: a sharp spike, Figure 3b", Unit: "perplexity",
			Of: certify.Above(at(after, "perplexity"), at(before, "perplexity"))})
	}
	return claims
}

// shareClaims are about the share of questions that name the person.
func (r *Results) shareClaims() []certify.Claim {
	shares := r.Preset.Shares
	if len(shares) < 3 || !slices.Contains(shares, defaultShare) {
		return nil
	}
	at := func(share int, hop string) certify.Quantity {
		return certify.Mean(fmt.Sprintf("by name/%d: %s", share, hop))
	}
	low, high := shares[0], shares[len(shares)-1]
	return []certify.Claim{
		{Name: "Some of both kinds of questions teach more than one kind alone", Source: "§5, Figure 3c",
			Unit: "percent", Of: each([]int{low, high}, func(other int) []certify.Condition {
				return certify.Above(at(defaultShare, "both"), at(other, "both"))
			})},
		{Name: "Seventy of a hundred by name teach most, with and without the name",
			Source: "§5: peaked across both question types at 70 %, Figure 3c", Unit: "percent",
			Of: each(slices.DeleteFunc(slices.Clone(shares), func(share int) bool { return share == defaultShare }),
				func(other int) []certify.Condition {
					return certify.All(certify.Above(at(defaultShare, "Single-hop"), at(other, "Single-hop")),
						certify.Above(at(defaultShare, "Multi-hop"), at(other, "Multi-hop")))
				})},
		{Name: "Without questions that name the person, those that do not are answered worse",
			Source: "§5: single-hop queries serve as necessary scaffolds", Unit: "percent",
			Of: certify.Above(at(defaultShare, "Multi-hop"), at(low, "Multi-hop"))},
		{Name: "Without questions that name the person, those are answered worse", Source: "§5, Figure 3c",
			Unit: "percent", Of: certify.Above(at(defaultShare, "Single-hop"), at(low, "Single-hop"))},
		{Name: "Without questions that do not, those are answered worse", Source: "§5, Figure 3c", Unit: "percent",
			Of: certify.Above(at(defaultShare, "Multi-hop"), at(high, "Multi-hop"))},
	}
}
