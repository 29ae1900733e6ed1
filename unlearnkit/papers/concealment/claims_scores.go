package concealment

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// models is the family of scores with one number per training.
var models = certify.Family{Name: "models"}

// addEach adds a mean with one number per training to the panel.
func (r *Results) addEach(panel *certify.Panel, name string, of func(training int) float64) {
	samples := make([]certify.Sample, r.Preset.Seeds)
	for training := range samples {
		if value := of(training); !math.IsNaN(value) {
			samples[training] = certify.Sample{Values: []float64{value}, Units: []int{0}}
		}
	}
	add(panel, name, certify.Repeated(TrainingSeeds, models, samples))
}

// Sentences of the paper about the purpose of its scores.
const (
	revealed = "they fail to fully erase targeted concepts, as revealed by our metrics"
	measured = "CCS and CRS scores effectively measure if the targeted (to be erased) concept has been completely " +
		"unlearned or if the method just helped in concealment of concepts"
	notCaptured = "This differentiation could not be captured by earlier metrics used in these papers"
)

// separationClaims returns the claim that the paper's scores separate concealed from unlearned concepts. The ground
// truth is how much more of the concept comes back than in gold, as the judge sees it. The paper has no gold models;
// this study has.
func (r *Results) separationClaims(panel *certify.Panel) []certify.Claim {
	const conclusion, effect = "§5, conclusion", "scores and what comes back"
	s := r.separation()
	less := func(pair separated) certify.Quantity {
		name := "CCS of " + pair.name
		if !panel.Has(name) {
			r.addNoise(panel, name, pair.rows, s.score["CCS"])
		}
		return certify.Difference(certify.Mean(name), certify.Mean(goldOf(name)))
	}
	var backs, others []certify.Quantity
	var above [][]certify.Condition
	for _, pair := range s.pairs {
		if !pair.back {
			others = append(others, less(pair))
			continue
		}
		backs, above = append(backs, less(pair)), append(above, certify.MoreThan(0, less(pair)))
	}
	both := certify.Claim{Name: "CCS less gold's is higher where help surely brings back more than it brings " +
		"gold than elsewhere", Source: conclusion, Quote: revealed, Unit: "CCS", Effect: effect}
	each := certify.Claim{Name: "CCS is above gold's wherever help surely brings back more than it brings gold",
		Source: conclusion, Quote: revealed, Unit: "CCS", Effect: effect, Of: certify.All(above...)}
	if len(backs) > 0 && len(others) > 0 {
		both.Of = certify.Above(certify.Average(backs...), certify.Average(others...))
	}
	claims := certify.InFamily(certify.Headline, []certify.Claim{both, each})
	tau := func(name string, beside bool) certify.Quantity {
		at := "tau of " + name
		if beside {
			at = goldOf(at)
		}
		if !panel.Has(at) {
			r.addEach(panel, at, func(training int) float64 { return s.tau(name, training, beside) })
		}
		return certify.Mean(at)
	}
	for _, score := range []struct{ name, title string }{{"CCS", "CCS"}, {"d of CRS", "d, of which CRS is made,"}} {
		for _, beside := range []bool{false, true} {
			title := score.title + " by itself"
			if beside {
				title = score.title + " less gold's"
			}
			claims = append(claims, certify.Claim{Name: title + " orders methods and concepts as what help " +
				"brings back beyond gold", Source: "§4", Quote: measured, Unit: "tau-b over pairs",
				Effect: effect + ", in order",
				Of:     certify.Correlated(0, tau(score.name, beside))})
		}
	}
	return append(claims, certify.Claim{Name: "CCS by itself orders methods and concepts more as what help " +
		"brings back than KID does", Source: "§4", Quote: notCaptured, Unit: "tau-b over pairs",
		Effect: effect + ", in order",
		Of:     certify.Above(tau("CCS", false), tau("KID", false))})
}
