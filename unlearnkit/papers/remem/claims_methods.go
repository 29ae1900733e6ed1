package remem

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// titlesOfPaper lists the five methods of the paper's tables.
var titlesOfPaper = []string{"GA", "GD", "KL", "DPO", "NPO"}

// others returns the paper's methods except one.
func others(method string) []string {
	return slices.DeleteFunc(slices.Clone(titlesOfPaper), func(other string) bool { return other == method })
}

// Sections of the paper with claims about methods.
const (
	results   = "§7.3, Table 2"
	ratioPart = "A.3, Figures 6 and 7"
)

// extremeClaims returns the claims that a method has the highest or lowest score in a column, and the claim that DPO
// keeps more than GA, KL and NPO.
func (r *Results) extremeClaims() (claims []certify.Claim) {
	const (
		superior  = "GD demonstrates superior utility retention, achieving the highest ROUGE and EM_r scores"
		effective = "NPO proves to be the most effective at forgetting, consistently achieving the lowest EM_f and " +
			"GPT-Scores"
		purging  = "achieves the lowest EM_f, EM_t, effectively purging target traits"
		steepest = "this aggression causes the steepest drop in utility metrics"
	)
	for _, claim := range []struct {
		method, column      string
		of                  func(model string, others ...string) certify.Relation
		says, source, quote string
	}{
		{"GD", "ROUGE", certify.Greater, "GD keeps the highest ROUGE", results, superior},
		{"GD", "EM_r", certify.Greater, "GD keeps the highest EM_r", results, superior},
		{"NPO", "EM_f", certify.Least, "NPO leaves the lowest EM_f", results, effective},
		{"NPO", "GPT", certify.Least, "NPO leaves the lowest GPT-score", results, effective},
		{"NPO", "EM_t", certify.Least, "NPO leaves the lowest EM_t", ratioPart, purging},
		{"NPO", "EM_r", certify.Least, "NPO keeps the lowest EM_r", ratioPart, steepest},
		{"NPO", "ROUGE", certify.Least, "NPO keeps the lowest ROUGE", ratioPart, steepest},
		{"DPO", "EM_f", certify.Greater, "DPO leaves the highest EM_f", results,
			"severely compromises unlearning effectiveness, recording the highest EM_f of 42.14%"},
		{"DPO", "Exp", certify.Greater, "DPO leaves the highest Exposure", results,
			"DPO 83.61 64.73 46.52 44.64 62.93 48.21 80.71 61.61 62.69 54.17 66.05 39.29"},
	} {
		for _, s := range r.Preset.Sizes {
			c := certify.Says(claim.says+", "+s.Name, claim.source, claim.quote, claim.column,
				claim.of(r.rows(s.Name, claim.method)[0], r.rows(s.Name, others(claim.method)...)...))
			c.Unit, c.Contradiction = unitOf(claim.column), contradictions[claim.method+" "+claim.column]
			claims = append(claims, c)
		}
	}
	small := r.Preset.Sizes[0].Name
	return r.rated(append(claims, certify.Claim{Source: results, Unit: "percent",
		Name:  "DPO keeps more than GA, KL and NPO where the name is given, " + small,
		Quote: "DPO prioritizes utility with a competitive EM_r of 71.43% on single-hop",
		Of:    certify.Greater(r.rows(small, "DPO")[0], r.rows(small, "GA", "KL", "NPO")...)("Single-hop/EM_r")}))
}

// contradictions maps methods and columns to values in Table 2 that contradict the claims about them.
var contradictions = map[string]string{"NPO ROUGE": "Table 2 prints a lower mean ROUGE of DPO"}

// unitOf returns the unit of a column.
func unitOf(column string) string {
	if column == "Exp" {
		return "Exposure"
	}
	return "percent"
}

// middleClaims returns the claims about GA and KL, which the paper places between the best-retaining methods and NPO.
func (r *Results) middleClaims() (claims []certify.Claim) {
	const middle = "Standard baselines like GA and KL occupy a middle ground with mediocre performance in both aspects"
	for _, s := range r.Preset.Sizes {
		of := r.rows(s.Name, "GA", "KL", "NPO", "GD", "DPO")
		npo, gd, dpo := of[2], of[3], of[4]
		claims = append(claims,
			certify.Says("GA and KL keep more than NPO and less than GD, and leave more than NPO and less than DPO, "+s.Name,
				results, middle, "percent", certify.Is(certify.Each(of[:2], func(method string) []certify.Condition {
					return certify.All(certify.Greater(method, npo)("EM_r"), certify.Greater(gd, method)("EM_r"),
						certify.Greater(method, npo)("EM_f"), certify.Greater(dpo, method)("EM_f"))
				}))),
			certify.Says("KL leaves about what GA leaves, "+s.Name, results,
				"GA 89.10 56.70 25.54 27.14; KL 89.11 56.70 25.54 27.14", "percent",
				certify.Is(certify.Alike(margin, of[1], of[0])("EM_f"))))
	}
	return r.rated(claims)
}

// tradeClaims returns the claims about the trade-off between retention and forgetting.
func (r *Results) tradeClaims() (claims []certify.Claim) {
	for _, s := range r.Preset.Sizes {
		claims = append(claims, certify.Claim{Source: conclusion + ", Table 2", Unit: "correlation",
			Name:  tradeName + s.Name,
			Quote: "highlighting the critical trade-off between model utility and forget quality",
			Of:    certify.Correlated(0, r.trade(s.Name, titlesOfPaper))})
		if s.Model == "LLaVA-1.5-13B" {
			claims[len(claims)-1].Contradiction = "Table 2's correlation is -.08 for the larger model"
		}
	}
	return r.rated(claims)
}

// tradeName begins the names of the claims about the trade-off, before the size.
const tradeName = "Who keeps more leaves more: EM_r and EM_f rise together over the five methods, "

// leaveOneOut adds to the claims about the trade-off how much the correlation depends on single methods.
func (r *Results) leaveOneOut(panel *certify.Panel, claims []certify.Claim) {
	for _, s := range r.Preset.Sizes {
		at := slices.IndexFunc(claims, func(c certify.Claim) bool { return c.Name == tradeName+s.Name && c.Of != nil })
		if at < 0 {
			continue
		}
		without := func(method string) float64 { return panel.Estimate(r.trade(s.Name, others(method))).Value }
		by := func(a, b string) int { return cmp.Compare(without(a), without(b)) }
		least, most := slices.MinFunc(titlesOfPaper, by), slices.MaxFunc(titlesOfPaper, by)
		said := fmt.Sprintf("our addition: over four of the five methods it is from %.2f (without %s) to %.2f (without "+
			"%s)", without(least), least, without(most), most)
		claims[at].Caveat = strings.TrimPrefix(claims[at].Caveat+"; "+said, "; ")
	}
}

// trade returns the correlation of what methods keep and what they leave.
func (r *Results) trade(size string, methods []string) certify.Quantity {
	var kept, leaves []certify.Quantity
	for _, method := range methods {
		kept, leaves = append(kept, r.at(size, method, "EM_r")), append(leaves, r.at(size, method, "EM_f"))
	}
	return correlation(kept, leaves)
}

// hopClaims returns the claims that compare questions with the name (single-hop) and without it (multi-hop).
func (r *Results) hopClaims() (claims []certify.Claim) {
	for _, s := range r.Preset.Sizes {
		less := func(method, column string) certify.Quantity { return r.lessUnnamed(s.Name, method, column) }
		for _, column := range []string{"ROUGE", "EM_r"} {
			claims = append(claims, r.rated([]certify.Claim{{
				Name:   fmt.Sprintf("All methods keep less %s of questions without the name, %s", column, s.Name),
				Source: results, Quote: harder, Unit: "percent",
				Of: certify.Each(titlesOfPaper, func(method string) []certify.Condition {
					return certify.MoreThan(0, less(method, column))
				})}})...)
			if column == "EM_r" && s.Model == "LLaVA-1.5-13B" {
				claims[len(claims)-1].Contradiction = "Table 2 prints 67.86 of both for KL"
			}
		}
		claims = append(claims, r.rated([]certify.Claim{{
			Name: "Without the name more is lost of what is kept than of what is forgotten, on the mean of the methods, " +
				s.Name, Source: results, Quote: asymmetric, Unit: "percent",
			Of: certify.Above(r.meanOf(func(method string) certify.Quantity { return less(method, "EM_r") }),
				r.meanOf(func(method string) certify.Quantity { return less(method, "EM_f") }))}})...)
		claims = append(claims,
			certify.Claim{Name: "What is erased is alike with and without the name, " + s.Name, Source: results,
				Quote: comparable, Unit: "percent",
				Of: certify.Each(titlesOfPaper, func(method string) []certify.Condition {
					return certify.Between(-margin, margin, less(method, "EM_f"))
				})},
			certify.Claim{Name: "Forgetting reaches unseen words and layouts: EM_t is below EM_f on the mean of the " +
				"methods, " + s.Name, Source: "§6.2, Table 2", Unit: "percent", Quote: eradicated,
				Contradiction: "Table 2 prints an EM_t above EM_f in 16 of 20 places",
				Of:            certify.Above(r.meanAt(s.Name, "EM_f"), r.meanAt(s.Name, "EM_t"))})
	}
	return claims
}

// Sentences of the paper about the kinds of questions.
const (
	harder = "all methods consistently exhibit greater difficulty in retaining the knowledge required for " +
		"multi-hop reasoning compared to single-hop tasks"
	comparable = "the efficacy of erasing sensitive information remains comparable between single-hop and multi-hop " +
		"questions"
	asymmetric = "Crucially, this impact is asymmetric: while the complex reasoning steps required for utility " +
		"are highly fragile and easily disrupted, the targeted erasure of sensitive information shows marginal " +
		"or inconsistent improvements"
	eradicated = "ensuring that the identity information is eradicated from unseen variations"
)

// lessUnnamed returns by how much a method scores lower on questions without the name than on questions with it.
func (r *Results) lessUnnamed(size, method, column string) certify.Quantity {
	return certify.Difference(r.at(size, method, "Single-hop/"+column), r.at(size, method, "Multi-hop/"+column))
}

// meanOf returns the mean of a quantity over the paper's methods.
func (r *Results) meanOf(of func(method string) certify.Quantity) certify.Quantity {
	var all []certify.Quantity
	for _, method := range titlesOfPaper {
		all = append(all, of(method))
	}
	return certify.Average(all...)
}

// meanAt returns the mean of a score over the paper's methods, at the largest number of people to forget.
func (r *Results) meanAt(size, column string) certify.Quantity {
	return r.meanOf(func(method string) certify.Quantity { return r.at(size, method, column) })
}

// scaleClaims returns the claims that compare the two sizes of models.
func (r *Results) scaleClaims() (claims []certify.Claim) {
	if len(r.Preset.Sizes) < 2 {
		return nil
	}
	more := func(column string) func(method string) certify.Quantity {
		return func(method string) certify.Quantity { return r.moreInLarger(method, column) }
	}
	for _, claim := range ofSizes {
		claims = append(claims,
			certify.Claim{Name: claim.says + ", on the mean of the methods", Source: results, Quote: claim.quote,
				Unit: "percent", Of: certify.MoreThan(0, r.meanOf(more(claim.column)))},
			certify.Claim{Name: claim.says + ", whatever the method", Source: results, Quote: claim.quote,
				Unit: "percent", Of: certify.Each(titlesOfPaper, func(method string) []certify.Condition {
					return certify.MoreThan(0, more(claim.column)(method))
				})})
		if claim.column == "EM_r" {
			claims[len(claims)-1].Contradiction = "Table 2 prints a lower EM_r of DPO for the larger model"
		}
	}
	return r.rated(append(claims,
		certify.Claim{Name: "NPO leaves more in the larger model where the name is given", Source: results,
			Unit: "percent", Quote: "with NPO, the single-hop EM_f considerably worsens from 21.79% on the 7B model " +
				"to 36.07% on the 13B model", Of: certify.MoreThan(0, more("Single-hop/EM_f")("NPO"))},
		certify.Claim{Name: "GD keeps more in the larger model where the name is given", Source: results,
			Unit: "percent", Quote: "GD achieves 78.12% EM_r on 13B compared to 74.55% on 7B in single-hop tasks",
			Of: certify.MoreThan(0, more("Single-hop/EM_r")("GD"))}))
}

// ofSizes lists what the paper claims of the larger model, by column.
var ofSizes = []struct{ column, says, quote string }{
	{"EM_f", "The larger model forgets less", "it simultaneously acts as a barrier to effective forgetting"},
	{"EM_r", "The larger model keeps more", "this benefits utility preservation"},
}

// moreInLarger returns by how much a method scores higher on the larger model than on the smaller one.
func (r *Results) moreInLarger(method, column string) certify.Quantity {
	small, large := r.Preset.Sizes[0].Name, r.Preset.Sizes[1].Name
	return certify.Difference(r.at(large, method, column), r.at(small, method, column))
}
