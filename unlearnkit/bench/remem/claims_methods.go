package remem

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// titlesOfPaper are the five methods of the paper's tables.
var titlesOfPaper = []string{"GA", "GD", "KL", "DPO", "NPO"}

// others are the paper's methods but for one.
func others(method string) []string {
	return slices.DeleteFunc(slices.Clone(titlesOfPaper), func(other string) bool { return other == method })
}

// claims are those of the paper. The headline is what the abstract and the conclusion say: that other benchmarks leave
// most unlearnt and without the circuits of memory, that ReMem's people are learnt, and that keeping and forgetting are
// at each other's cost.
func (r *Results) claims() []certify.Claim {
	return slices.Concat(r.learningClaims(), certify.InFamily("§7.3", slices.Concat(r.extremeClaims(), r.hopClaims(),
		r.scaleClaims())), certify.InFamily("A.3", r.ratioClaims()), certify.InFamily("§7.3", slices.Concat(
		r.maskingClaims(), r.choiceClaims())))
}

// appendix returns the family of a claim whose source is in Appendix A.3, "" of others.
func appendix(source string) string {
	if strings.HasPrefix(source, "A.3") {
		return "A.3"
	}
	return ""
}

// extremeClaims are about which method goes farthest.
func (r *Results) extremeClaims() (claims []certify.Claim) {
	for _, claim := range []struct {
		method, column string
		highest        bool
		says, source   string
	}{
		{"GD", "ROUGE", true, "GD keeps the highest ROUGE", "§7.3: the highest ROUGE and EM_r scores"},
		{"GD", "EM_r", true, "GD keeps the highest EM_r", "§7.3: the highest ROUGE and EM_r scores"},
		{"NPO", "EM_f", false, "NPO leaves the lowest EM_f", "§7.3: consistently the lowest EM_f"},
		{"NPO", "GPT", false, "NPO leaves the lowest GPT-score", "§7.3: the lowest GPT-score"},
		{"NPO", "EM_t", false, "NPO leaves the lowest EM_t", "A.3: achieves the lowest EM_f, EM_t"},
		{"NPO", "EM_r", false, "NPO keeps the lowest EM_r", "A.3: the steepest drop in utility"},
		{"NPO", "ROUGE", false, "NPO keeps the lowest ROUGE", "A.3: the steepest drop in utility"},
		{"DPO", "EM_f", true, "DPO leaves the highest EM_f", "§7.3: the highest EM_f"},
	} {
		for _, s := range r.Preset.Sizes {
			claims = append(claims, certify.Claim{Name: fmt.Sprintf("%s, %s", claim.says, s.Name),
				Source: claim.source + ", Table 2", Unit: "percent", Family: appendix(claim.source),
				Of: each(others(claim.method), func(other string) []certify.Condition {
					own, its := r.at(s.Name, claim.method, claim.column), r.at(s.Name, other, claim.column)
					if claim.highest {
						return certify.Above(own, its)
					}
					return certify.Above(its, own)
				})})
		}
	}
	for _, s := range r.Preset.Sizes {
		claims = append(claims, certify.Claim{Name: "KL leaves about what GA leaves, " + s.Name, Unit: "percent",
			Source: "Table 2: 27.14 and 27.14 of EM_f; A.3: a middle ground",
			Of:     certify.Within(margin, r.at(s.Name, "KL", "EM_f"), r.at(s.Name, "GA", "EM_f"))},
			certify.Claim{Name: "Who keeps more leaves more: EM_r and EM_f of the methods rise together, " + s.Name,
				Family: certify.Headline, Source: "§7.3: a prominent inverse correlation", Unit: "correlation",
				Of: certify.MoreThan(0, r.together(s.Name, "EM_r", "EM_f"))})
	}
	small := r.Preset.Sizes[0].Name
	return append(claims, certify.Claim{Name: "DPO keeps more than GA, KL and NPO where the name is given, " + small,
		Source: "§7.3: DPO prioritizes utility with a competitive EM_r, Table 2", Unit: "percent",
		Of: each([]string{"GA", "KL", "NPO"}, func(other string) []certify.Condition {
			return certify.Above(r.at(small, "DPO", "Single-hop/EM_r"), r.at(small, other, "Single-hop/EM_r"))
		})})
}

// together is the correlation of two scores over the paper's methods.
func (r *Results) together(size, a, b string) certify.Quantity {
	return func(m certify.Means) float64 {
		var xs, ys []float64
		for _, method := range titlesOfPaper {
			xs, ys = append(xs, r.at(size, method, a)(m)), append(ys, r.at(size, method, b)(m))
		}
		return stat.Correlation(xs, ys, nil)
	}
}

// hopClaims compare questions with and without the name.
func (r *Results) hopClaims() (claims []certify.Claim) {
	for _, s := range r.Preset.Sizes {
		for _, column := range []string{"ROUGE", "EM_r"} {
			claims = append(claims, certify.Claim{
				Name:   fmt.Sprintf("All methods keep less %s of questions without the name, %s", column, s.Name),
				Source: "§7.3: greater difficulty in retaining multi-hop knowledge", Unit: "percent",
				Of: each(titlesOfPaper, func(method string) []certify.Condition {
					return certify.Above(r.at(s.Name, method, "Single-hop/"+column),
						r.at(s.Name, method, "Multi-hop/"+column))
				})})
		}
		claims = append(claims, certify.Claim{
			Name:   "What is erased is alike with and without the name, " + s.Name,
			Source: "§7.3: the efficacy of erasing remains comparable", Unit: "percent",
			Of: each(titlesOfPaper, func(method string) []certify.Condition {
				return certify.Within(margin, r.at(s.Name, method, "Single-hop/EM_f"),
					r.at(s.Name, method, "Multi-hop/EM_f"))
			})})
	}
	return claims
}

// scaleClaims compare the sizes.
func (r *Results) scaleClaims() (claims []certify.Claim) {
	if len(r.Preset.Sizes) < 2 {
		return nil
	}
	small, large := r.Preset.Sizes[0].Name, r.Preset.Sizes[1].Name
	for _, claim := range []struct{ column, says, source string }{
		{"EM_f", "The larger model forgets less", "§7.3: a barrier to effective forgetting"},
		{"EM_r", "The larger model keeps more", "§7.3: benefits utility preservation"},
	} {
		var of [2][]certify.Quantity
		for _, method := range titlesOfPaper {
			of[0] = append(of[0], r.at(small, method, claim.column))
			of[1] = append(of[1], r.at(large, method, claim.column))
		}
		claims = append(claims,
			certify.Claim{Name: claim.says + ", on the mean of the methods", Source: claim.source, Unit: "percent",
				Of: certify.Above(mean(of[1]...), mean(of[0]...))},
			certify.Claim{Name: claim.says + ", whatever the method", Source: claim.source, Unit: "percent",
				Of: each(titlesOfPaper, func(method string) []certify.Condition {
					return certify.Above(r.at(large, method, claim.column), r.at(small, method, claim.column))
				})})
	}
	if len(r.Preset.Forget) > 1 {
		claims = append(claims, certify.Claim{Source: "A.3: relatively flat performance curves", Unit: "percent",
			Family: "A.3",
			Name:   "More to forget costs the larger model less, on the mean of the methods",
			Of: each([]string{"ROUGE", "EM_r"}, func(column string) []certify.Condition {
				return certify.Above(r.priceOfMore(small, column), r.priceOfMore(large, column))
			})})
	}
	learnt := func(size, column string) certify.Quantity { return certify.Mean(size + "*: " + column) }
	return append(claims, certify.Claim{Name: "The larger model learns more, of what it is taught and beyond",
		Source: "§7.2, Table 3: 91.50 and 96.37, 81.33 and 87.98", Unit: "percent", Family: "§7.2",
		Of: each([]string{"EM", "EM_t"}, func(column string) []certify.Condition {
			return certify.Above(learnt(large, column), learnt(small, column))
		})})
}

// priceOfMore is how much of a score is lost from the fewest to the most people who are forgotten, on the mean of the
// methods.
func (r *Results) priceOfMore(size, column string) certify.Quantity {
	var lost []certify.Quantity
	for _, method := range titlesOfPaper {
		row := size + "/" + method
		lost = append(lost, certify.Difference(certify.Mean(of(row, column, r.Preset.Forget[0])),
			certify.Mean(of(row, column, r.Preset.Forget[r.Preset.last()]))))
	}
	return mean(lost...)
}

// ratioClaims are about how many people are to be forgotten.
func (r *Results) ratioClaims() (claims []certify.Claim) {
	if len(r.Preset.Forget) < 2 {
		return nil
	}
	first, last := r.Preset.Forget[0], r.Preset.Forget[r.Preset.last()]
	for _, s := range r.Preset.Sizes {
		for _, column := range []string{"EM_f", "EM_t", "GPT", "ROUGE", "EM_r"} {
			source := "A.3: a desirable decrease"
			if column == "ROUGE" || column == "EM_r" {
				source = "A.3: invariably incurs a cost on model utility"
			}
			claims = append(claims, certify.Claim{
				Name:   fmt.Sprintf("The more are forgotten, the lower is %s, whatever the method, %s", column, s.Name),
				Source: source, Unit: "percent",
				Of: each(titlesOfPaper, func(method string) []certify.Condition {
					row := s.Name + "/" + method
					return certify.Above(certify.Mean(of(row, column, first)), certify.Mean(of(row, column, last)))
				})})
		}
		claims = append(claims,
			certify.Claim{Name: "The more are forgotten, the higher is Exposure, whatever the method, " + s.Name,
				Source: "A.3: the counterintuitive rise in Exposure", Unit: "Exposure",
				Of: each(titlesOfPaper, func(method string) []certify.Condition {
					row := s.Name + "/" + method
					return certify.Above(certify.Mean(of(row, "Exp", last)), certify.Mean(of(row, "Exp", first)))
				})},
			certify.Claim{Name: "GD keeps most, however many are forgotten, " + s.Name,
				Source: "A.3: consistently maintaining the highest utility scores", Unit: "percent",
				Of: each(r.Preset.Forget, func(people int) []certify.Condition {
					return each(others("GD"), func(other string) []certify.Condition {
						return each([]string{"ROUGE", "EM_r"}, func(column string) []certify.Condition {
							return certify.Above(certify.Mean(of(s.Name+"/GD", column, people)),
								certify.Mean(of(s.Name+"/"+other, column, people)))
						})
					})
				})})
	}
	return claims
}

// maskingClaims are about what Exposure tells.
func (r *Results) maskingClaims() (claims []certify.Claim) {
	for _, s := range r.Preset.Sizes {
		claims = append(claims,
			certify.Claim{Name: "NPO leaves Exposure above chance, " + s.Name,
				Source: "§7.3: the high Exposure score warns of masking rather than erasure", Unit: "Exposure",
				Of: certify.MoreThan(50, r.at(s.Name, "NPO", "Exp"))},
			certify.Claim{Name: "NPO leaves Exposure above that of a model that never learnt, " + s.Name,
				Source: "§7.3, as masking would have it", Unit: "Exposure",
				Of: certify.Above(r.at(s.Name, "NPO", "Exp"), r.at(s.Name, goldRow, "Exp"))})
	}
	return claims
}

// choiceClaims are about what else models can do.
func (r *Results) choiceClaims() (claims []certify.Claim) {
	score := func(size, row string) certify.Quantity { return certify.Mean(size + "/" + row + ": choices") }
	loss := func(size string) certify.Quantity {
		var lost []certify.Quantity
		for _, method := range titlesOfPaper {
			lost = append(lost, certify.Difference(score(size, "Base Model"), score(size, method)))
		}
		return mean(lost...)
	}
	for _, s := range r.Preset.Sizes {
		claims = append(claims, certify.Claim{
			Name:   "All methods answer less of multiple choice than the base model, " + s.Name,
			Source: "§7.3: a slight degradation, Table 4", Unit: "percent",
			Of: each(titlesOfPaper, func(method string) []certify.Condition {
				return certify.Above(score(s.Name, "Base Model"), score(s.Name, method))
			})})
	}
	small := r.Preset.Sizes[0].Name
	claims = append(claims,
		certify.Claim{Name: "GD answers most of multiple choice, " + small, Unit: "percent",
			Source: "§7.3: GD retains the highest stability, Table 4",
			Of: each(others("GD"), func(other string) []certify.Condition {
				return certify.Above(score(small, "GD"), score(small, other))
			})},
		certify.Claim{Name: "NPO answers least of multiple choice, " + small, Unit: "percent",
			Source: "§7.3: NPO suffers the largest drop, Table 4",
			Of: each(others("NPO"), func(other string) []certify.Condition {
				return certify.Above(score(small, other), score(small, "NPO"))
			})})
	if len(r.Preset.Sizes) < 2 {
		return claims
	}
	large := r.Preset.Sizes[1].Name
	return append(claims,
		certify.Claim{Name: "The larger model loses less of multiple choice, on the mean of the methods",
			Source: "§7.3: mitigated in the 13B model, Table 4", Unit: "percent",
			Of: certify.Above(loss(small), loss(large))},
		certify.Claim{Name: "What the larger model loses of multiple choice is next to nothing, whatever the method",
			Source: "§7.3: performance gaps become negligible, Table 4", Unit: "percent",
			Of: each(titlesOfPaper, func(method string) []certify.Condition {
				return certify.Within(margin, score(large, "Base Model"), score(large, method))
			})})
}
