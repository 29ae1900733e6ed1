package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// shapeClaims returns the claims about Figure 1: how much a model learns of the facts that each benchmark teaches. A
// shape is a benchmark's number and kinds of training questions.
func (r *Results) shapeClaims() []certify.Claim {
	little := func(columns ...string) []certify.Condition {
		return certify.Each(otherShapes, func(other string) []certify.Condition {
			return certify.Each(columns, certify.Under(50, other))
		})
	}
	return []certify.Claim{
		{Name: "The shapes of others leave more than half of what they teach unlearnt", Unit: "percent",
			Source: abstract + ", Figure 1", Quote: "models fail to effectively memorize target information " +
				"initially, rendering subsequent unlearning evaluations unreliable", Of: little("EM")},
		{Name: "By EM, ROUGE and GPT-score the shapes of others leave more than half unlearnt", Unit: "percent",
			Source: "§1, Figure 1",
			Quote:  "our analysis reveals that models remain significantly under-memorized across all metrics",
			Of:     little(shapeColumns...)},
		{Name: "People are learnt better in ReMem's shape than in those of others, by EM, ROUGE and GPT-score",
			Source: conclusion + ", Figure 1", Unit: "percent",
			Quote: "Our experiments confirm that ReMem ensures robust foundational learning",
			Of: certify.Each(otherShapes, func(other string) []certify.Condition {
				return certify.Each(shapeColumns, certify.Greater(ownShape, other))
			})},
	}
}

// ownShape is the name of the paper's own benchmark.
const ownShape = "ReMem (Ours)"

// nameClaims returns the claims about how well names are memorised, according to Table 5 and Figure 2.
func (r *Results) nameClaims() (claims []certify.Claim) {
	const (
		separation = "The results show a distinct separation, with the Real Set clustering in the upper-right " +
			"quadrant, characterized by high overall likelihood and worst-case token probability"
		higher = "the model trained on ReMem achieves significantly higher values in both metrics, reaching a " +
			"Min-k% of 7.33% and an Inverse Perplexity of 33.65"
	)
	for _, column := range []string{"Min-k%", "Inverse Perplexity"} {
		claims = append(claims,
			certify.Claim{Name: "Names are remembered more surely than in the shapes of others: " + column,
				Source: "A.1, Table 5", Unit: "percent", Quote: higher,
				Of: certify.Greater(ownShape, otherShapes...)(column)},
			certify.Claim{Name: "Names are remembered as little by MLLMU-Bench's shape as by FIUBench's, or more: " +
				column, Source: "A.1, Table 5", Unit: "percent",
				Quote: "FIUBench 0.05 4.25; MLLMU-bench 0.41 9.76",
				Of:    certify.Greater("MLLMU-bench", "FIUBench")(column)},
			certify.Claim{Name: "Public people are remembered more surely than by the shapes of others: " + column,
				Source: "§4, Figure 2", Unit: "percent", Quote: separation, Caveat: r.tokenCaveat(),
				Of: certify.Greater(publicRow, otherShapes...)(column)},
			certify.Claim{Name: "Every public person is remembered more surely than everybody in the shapes of " +
				"others: " + column, Source: "§4, Figure 2", Unit: "percent", Quote: separation,
				Caveat: r.tokenCaveat(),
				Of: certify.Each(otherShapes, func(other string) []certify.Condition {
					return certify.MoreThan(0, certify.Mean(gapName(other, column)))
				})})
	}
	return claims
}

// circuitClaims returns the claims about the activations that answers depend on. Claims about the base model are
// untestable, because a single model does not represent others.
func (r *Results) circuitClaims() []certify.Claim {
	if len(r.tracedModels()) == 0 {
		return nil
	}
	early := func(model string) certify.Quantity { return certify.Mean(effectOf(model, "early")) }
	name := "More of an answer passes through the subject early: %s than %s"
	return []certify.Claim{
		{Name: fmt.Sprintf(name, publicRow, "FIUBench"), Source: conclusion + ", Figure 2", Unit: "indirect effect",
			Quote: "revealing a mechanistic void where the necessary retrieval circuits for memorization are " +
				"structurally absent", Caveat: r.publicCaveat()},
		{Name: fmt.Sprintf(name, ownShape, "MLLMU-bench"), Source: "A.2, Figure 5", Unit: "indirect effect",
			Quote: "the model trained on ReMem exhibits distinct and high IE activations at early layers",
			Of:    certify.Above(early(ownShape), early("MLLMU-bench"))},
		{Name: "More of an answer passes through the subject early than late: " + ownShape, Source: "A.2, Figure 5",
			Unit: "indirect effect", Quote: "distinct and high IE activations at early layers",
			Of: certify.Above(early(ownShape), certify.Mean(effectOf(ownShape, "late")))},
	}
}

// strong is the smallest correlation that counts as strong: a large correlation by Cohen (1988).
const strong = .5

// countClaims returns the claims about the number of questions about a person.
func (r *Results) countClaims() []certify.Claim {
	counts := r.Preset.Counts
	if len(counts) < 3 {
		return nil
	}
	at := func(column string) func(count int) certify.Quantity {
		return func(count int) certify.Quantity { return certify.Mean(byCount(count, column)) }
	}
	taught := []string{"EM", "ROUGE"}
	const (
		grows = "the ROUGE and EM scores increase significantly as the number of samples grows"
		falls = "as the sample size increases up to 160, perplexity generally decreases before spiking at 180"
	)
	claims := []certify.Claim{
		{Name: "More questions about a person teach more, on the whole", Source: "§5, Figure 3a", Quote: grows,
			Unit: "percent a question", Of: certify.Each(taught, func(column string) []certify.Condition {
				return certify.MoreThan(0, trend(counts, at(column)))
			})},
		{Name: fmt.Sprintf("Each step from %d to %d questions raises EM", counts[0], counts[len(counts)-1]),
			Source: "§5, Figure 3a", Quote: grows, Unit: "percent",
			Of: certify.Each(counts[1:], func(count int) []certify.Condition {
				return certify.Above(at("EM")(count), at("EM")(counts[slices.Index(counts, count)-1]))
			})},
		{Name: "The number of questions is strongly correlated with EM and ROUGE", Source: "§5, Figure 3a",
			Quote: "Our findings confirm a strong correlation between sample quantity and memorization",
			Unit:  "correlation", Of: certify.Each(taught, func(column string) []certify.Condition {
				return certify.Correlated(strong, inWorlds(column))
			})},
	}
	if until := slices.Index(counts, 160); until > 1 {
		claims = append(claims, certify.Claim{Name: "More questions lower the perplexity up to 160, on the whole",
			Source: "§5, Figure 3b", Quote: falls, Unit: "perplexity a question",
			Of: certify.LessThan(0, trend(counts[:until+1], at("perplexity")))})
	}
	if slices.Contains(counts, 160) && slices.Contains(counts, 180) {
		claims = append(claims, certify.Claim{Name: "From 160 to 180 questions the perplexity rises",
			Source: "§5, Figure 3b", Quote: falls, Unit: "perplexity",
			Of: certify.Above(at("perplexity")(180), at("perplexity")(160))})
	}
	for i := range claims {
		if !r.Preset.EqualSteps {
			claims[i].Caveat = sameEpochs
		}
	}
	return claims
}

// shareClaims returns the claims about the share of questions that name the person.
func (r *Results) shareClaims() []certify.Claim {
	shares := r.Preset.Shares
	if len(shares) < 3 || !slices.Contains(shares, defaultShare) {
		return nil
	}
	at := func(share int, hop string) certify.Quantity { return certify.Mean(byShare(share, hop)) }
	low, high := shares[0], shares[len(shares)-1]
	const mix = "Our results indicate that a strategic mix of reasoning types is essential for robust memorization"
	return []certify.Claim{
		{Name: "Some of both kinds of questions teach more than one kind alone", Source: "§5, Figure 3c",
			Quote: mix, Unit: "percent", Of: certify.Each([]int{low, high}, func(other int) []certify.Condition {
				return certify.Above(at(defaultShare, "both"), at(other, "both"))
			})},
		{Name: "Seventy of a hundred by name teach most, with and without the name", Source: "§5, Figure 3c",
			Unit: "percent", Quote: "performance peaked across both question types when the training data contained " +
				"a 70% ratio of single-hop questions",
			Of: certify.Each(slices.DeleteFunc(slices.Clone(shares),
				func(share int) bool { return share == defaultShare }),
				func(other int) []certify.Condition {
					return certify.All(certify.Above(at(defaultShare, "Single-hop"), at(other, "Single-hop")),
						certify.Above(at(defaultShare, "Multi-hop"), at(other, "Multi-hop")))
				})},
		{Name: "Without questions that name the person, those that do not are answered worse", Unit: "percent",
			Source: "§5, Figure 3c",
			Quote:  "This suggests that single-hop queries serve as necessary scaffolds for complex reasoning",
			Of:     certify.Above(at(defaultShare, "Multi-hop"), at(low, "Multi-hop"))},
		{Name: "Without questions that name the person, those are answered worse", Source: "§5, Figure 3c",
			Quote: "the exclusive reliance on complex, multi-hop questions in existing benchmarks hinders the " +
				"effective memorization of personal information",
			Unit: "percent", Of: certify.Above(at(defaultShare, "Single-hop"), at(low, "Single-hop"))},
		{Name: "Without questions that do not, those are answered worse", Source: "§5, Figure 3c", Unit: "percent",
			Quote: mix, Of: certify.Above(at(defaultShare, "Multi-hop"), at(high, "Multi-hop"))},
	}
}

// taughtClaims returns the claims about Table 3: how much models know after learning.
func (r *Results) taughtClaims() (claims []certify.Claim) {
	const effectively = "the fine-tuned models effectively captured both the contextual narratives and specific PII " +
		"within the training distribution"
	rows := map[string]string{"LLaVA-1.5-7B": "97.19 95.18 91.50 81.33", "LLaVA-1.5-13B": "98.92 98.05 96.37 87.98"}
	for _, s := range r.Preset.Sizes {
		claims = append(claims,
			certify.Claim{Name: "Nine tenths of what is taught are learnt, " + s.Name, Source: "§7.2, Table 3",
				Quote: effectively, Unit: "percent", Of: certify.Over(90, s.Name+"*")("EM")},
			certify.Claim{Name: "ROUGE and GPT-score of what is taught are above 90, " + s.Name,
				Source: "§7.2, Table 3", Quote: effectively, Unit: "percent",
				Of: certify.Each([]string{"ROUGE", "GPT"}, certify.Over(90, s.Name+"*"))},
			certify.Claim{Name: "Less is right in unseen words and layouts, " + s.Name, Source: "§7.2, Table 3",
				Quote: s.Model + "* " + rows[s.Model], Unit: "percent",
				Of: certify.Above(certify.Score(s.Name+"*", "EM"), certify.Score(s.Name+"*", "EM_t"))},
			certify.Claim{Name: "Four fifths are right in unseen words and layouts, " + s.Name,
				Source: "§7.2, Table 3", Quote: "the strong performance on the held-out test set confirms that the " +
					"models successfully generalized the identity information", Unit: "percent",
				Of: certify.Over(80, s.Name+"*")("EM_t")},
			certify.Claim{Name: "A taught model has more of every score than the base model, " + s.Name,
				Source: "§7.2, Table 3", Quote: effectively, Unit: "percent",
				Of: certify.Each([]string{"ROUGE", "GPT", "EM", "EM_t"}, certify.Greater(s.Name+"*", s.Name)),
			}.Checks("only the taught model was trained on the answers"))
	}
	if len(r.Preset.Sizes) < 2 {
		return claims
	}
	small, large := r.Preset.Sizes[0].Name, r.Preset.Sizes[1].Name
	return append(claims, certify.Claim{Name: "The larger model learns more, of what it is taught and beyond",
		Source: "§7.2, Table 3", Unit: "percent",
		Quote: "the larger 13B model exhibited superior retention compared to the 7B counterpart",
		Of:    certify.Each([]string{"EM", "EM_t"}, certify.Greater(large+"*", small+"*"))})
}
