package remem

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// ratioClaims returns the claims about the number of people to forget. They use the trend over all numbers of people.
func (r *Results) ratioClaims() (claims []certify.Claim) {
	if len(r.Preset.Forget) < 2 {
		return nil
	}
	const (
		decrease = "metrics indicating forgetting success—such as EM_f, EM_t, and GPT-score—show a desirable decrease"
		cost     = "this improvement inadvertently degrades the retention of non-target identities, evidenced by the " +
			"simultaneous decline in ROUGE and EM_r"
	)
	quotes := map[string]string{"EM_f": decrease, "EM_t": decrease, "GPT": decrease, "ROUGE": cost, "EM_r": cost}
	for _, s := range r.Preset.Sizes {
		for _, column := range []string{"EM_f", "EM_t", "GPT", "ROUGE", "EM_r"} {
			claims = append(claims, certify.Claim{
				Name:   fmt.Sprintf("The more are forgotten, the lower is %s, whatever the method, %s", column, s.Name),
				Source: ratioPart, Quote: quotes[column], Unit: "percent a person",
				Of: certify.Each(titlesOfPaper, func(method string) []certify.Condition {
					return certify.LessThan(0, r.overPeople(s.Name, method, column))
				})})
		}
		claims = append(claims,
			certify.Claim{Name: "The more are forgotten, the higher is Exposure, whatever the method, " + s.Name,
				Source: ratioPart, Unit: "Exposure a person",
				Quote: "the counterintuitive rise in Exposure despite lower generation metrics",
				Of: certify.Each(titlesOfPaper, func(method string) []certify.Condition {
					return certify.MoreThan(0, r.overPeople(s.Name, method, "Exp"))
				})},
			certify.Claim{Name: "GD keeps most, however many are forgotten, " + s.Name, Source: ratioPart,
				Unit:  "percent",
				Quote: "consistently maintaining the highest utility scores, even at a 20% forget ratio",
				Of: certify.Each(r.Preset.Forget, func(people int) []certify.Condition {
					return certify.Each(others("GD"), func(other string) []certify.Condition {
						more := certify.Greater(after(s.Name+"/GD", people), after(s.Name+"/"+other, people))
						return certify.All(more("ROUGE"), more("EM_r"))
					})
				})})
	}
	if len(r.Preset.Sizes) < 2 {
		return r.rated(claims)
	}
	small, large := r.Preset.Sizes[0].Name, r.Preset.Sizes[1].Name
	lost := func(size, column string) certify.Quantity {
		return negative(r.meanOf(func(method string) certify.Quantity { return r.overPeople(size, method, column) }))
	}
	return r.rated(append(claims, certify.Claim{Source: ratioPart, Unit: "percent a person",
		Name: "More to forget costs the larger model less, on the mean of the methods",
		Quote: "While the 7B model suffers distinct drops in ROUGE and EM_r as the forget ratio increases, the 13B " +
			"model maintains relatively flat performance curves",
		Of: certify.Each([]string{"ROUGE", "EM_r"}, func(column string) []certify.Condition {
			return certify.Above(lost(small, column), lost(large, column))
		})}))
}

// overPeople returns the trend of a method's score over the numbers of people to forget.
func (r *Results) overPeople(size, method, column string) certify.Quantity {
	return trend(r.Preset.Forget, func(people int) certify.Quantity {
		return certify.Score(after(size+"/"+method, people), column)
	})
}
