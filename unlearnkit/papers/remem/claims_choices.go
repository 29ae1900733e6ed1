package remem

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// The section about multiple-choice questions, and its sentence about all methods.
const (
	choicePart  = "§7.3, Table 4"
	degradation = "all unlearning methods incur a slight degradation compared to the base model"
)

// choiceClaims returns the claims about multiple-choice questions, which test other abilities. If the base model only
// guesses, it has no ability to lose, so claims about its size are untestable.
func (r *Results) choiceClaims() (claims []certify.Claim) {
	const choices = "choices"
	rows := func(size string, methods ...string) (rows []string) {
		for _, method := range methods {
			rows = append(rows, size+"/"+method)
		}
		return rows
	}
	score := func(size, row string) certify.Quantity { return certify.Score(size+"/"+row, choices) }
	loss := func(size string) certify.Quantity {
		return r.meanOf(func(method string) certify.Quantity {
			return certify.Difference(score(size, "Base Model"), score(size, method))
		})
	}
	add := func(c certify.Claim, sizes ...int) {
		var caveats []string
		for _, size := range sizes {
			guesses, caveat := r.guesses(size)
			if guesses {
				c.Of = nil
			}
			caveats = append(caveats, caveat)
		}
		c.Caveat = strings.Join(caveats, "; ")
		c.Source, c.Unit = choicePart, "percent"
		claims = append(claims, c)
	}
	for i, s := range r.Preset.Sizes {
		add(certify.Claim{Name: "All methods answer less of multiple choice than the base model, " + s.Name,
			Quote: degradation,
			Of:    certify.Greater(s.Name+"/"+baseRow, rows(s.Name, titlesOfPaper...)...)(choices)}, i)
		claims[i].Caveat = strings.TrimPrefix(claims[i].Caveat+r.taughtChoices(i), "; ")
	}
	small := r.Preset.Sizes[0].Name
	add(certify.Claim{Name: "GD answers most of multiple choice, " + small,
		Quote: "GD retains the highest stability on the 7B model with a score of 70.71",
		Of:    certify.Greater(small+"/GD", rows(small, others("GD")...)...)(choices)}, 0)
	add(certify.Claim{Name: "NPO answers least of multiple choice, " + small,
		Quote: "the aggressive NPO suffers the largest drop to 68.72",
		Of:    certify.Least(small+"/NPO", rows(small, others("NPO")...)...)(choices)}, 0)
	if len(r.Preset.Sizes) < 2 {
		return claims
	}
	large := r.Preset.Sizes[1].Name
	add(certify.Claim{Name: "The larger model loses less of multiple choice, on the mean of the methods",
		Quote: "this sensitivity is significantly mitigated in the 13B model",
		Of:    certify.Above(loss(small), loss(large))}, 0, 1)
	add(certify.Claim{Name: "What the larger model loses of multiple choice is next to nothing, whatever the method",
		Quote: "in the 13B model where performance gaps become negligible",
		Of: certify.Each(titlesOfPaper, func(method string) []certify.Condition {
			return certify.Within(margin, score(large, "Base Model"), score(large, method))
		})}, 1)
	return claims
}

// taughtChoices returns a caveat with the taught model's score in multiple choice, because a method starts from it and
// not from the base model.
func (r *Results) taughtChoices(size int) string {
	if _, of := r.answeredChoices(size); of == 0 {
		return ""
	}
	score := r.overWorlds(size, func(s *SizeScores) float64 { return s.Taught.score(choicesColumns()[0]) })
	if math.IsNaN(score) {
		return ""
	}
	return fmt.Sprintf("; before forgetting, the taught model answers %.1f %%", score)
}
