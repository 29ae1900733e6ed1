package salmu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// seenAsAlike is the Kolmogorov-Smirnov distance below which a test at 5 % cannot distinguish a hundred portraits of
// each style.
const seenAsAlike = .192

// gapClaims returns the claims about Figures 6 and 7. The paper's claims are null hypotheses: it infers equality from
// tests that do not reject equality.
func (r *Results) gapClaims() (claims []certify.Claim) {
	for _, m := range []struct {
		title, source, quote, finding string
		model                         string
	}{
		{"Clean", "Figure 6, §9: p = .82",
			"indicating no statistically significant difference between the embedding distributions of real and " +
				"synthetic faces",
			"that Clean has learnt from portraits of the second style seems not to be it: of people whom no model " +
				"has seen the styles are as far apart (table portraits)",
			clean},
		{"Compromised", "Figure 7, §9: p = .11", "the distributions are statistically indistinguishable",
			"that Compromised has learnt from the drawn portraits may be a part of it: of people whom no model has " +
				"seen the styles are less far apart (table portraits)",
			compromised},
	} {
		claims = append(claims, certify.Claim{Name: m.title + " likes real and drawn portraits alike in these worlds",
			Source: m.source, Quote: m.quote, Unit: "KS distance below chance", Null: r.gapTest(m.model),
			Finding: m.finding})
	}
	return claims
}

// gapTest tests in every world whether portraits of both styles have the same distribution of cosines. Pictures of one
// person depend on each other, so the test uses one picture per person and style. gapTest returns nil if a world has no
// portraits.
func (r *Results) gapTest(model string) *certify.NullTest {
	t := &certify.NullTest{Test: "Fisher's method over the Kolmogorov-Smirnov tests of the worlds", P: math.NaN()}
	var p []float64
	portraits := 0
	for _, world := range r.set.Repetitions {
		g := gapOf(r.portraitsOf(world, model).onePerPerson())
		if len(g.Real) == 0 || len(g.Generated) == 0 {
			return nil
		}
		ks := stat.KS2(g.Real, g.Generated)
		t.Each = append(t.Each, distanceByChance(len(g.Real), len(g.Generated))-ks.Statistic)
		p, portraits = append(p, ks.P), portraits+len(g.Real)+len(g.Generated)
	}
	if len(p) > 0 {
		t.P = combined(p)
		t.Units = []certify.Unit{{Name: "portraits", N: portraits, Layout: "nested"}}
	}
	return t
}

// onePerPerson returns the first score of each person in each split, and all scores that belong to no person.
func (s Scores) onePerPerson() (first Scores) {
	type whose struct {
		split    string
		identity int
	}
	met := map[whose]bool{}
	for _, score := range s {
		of := whose{score.Split, score.Identity}
		if !met[of] || score.Identity < 0 {
			first = append(first, score)
		}
		met[of] = true
	}
	return first
}

// distanceByChance returns the mean Kolmogorov-Smirnov distance between two large samples of the same distribution:
// √(π/2) ln 2 √(1/n + 1/m).
func distanceByChance(n, m int) float64 {
	return math.Sqrt(math.Pi/2) * math.Ln2 * math.Sqrt(1/float64(n)+1/float64(m))
}

// combined returns the p-value of several independent tests of one hypothesis by Fisher's method:
//
//	P(χ² ≥ −2 Σ ln p) with 2k degrees of freedom  =  e^−x Σ_{i<k} xⁱ/i!,  x = −Σ ln p.
func combined(p []float64) float64 {
	x := 0.0
	for _, value := range p {
		x -= math.Log(value)
	}
	term, sum := 1.0, 0.0
	for i := range p {
		sum += term
		term *= x / float64(i+1)
	}
	return math.Exp(-x) * sum
}
