package salmu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// efficacyClaims returns the claims about the remaining leak, by metrics that in part fall below Clean's.
func efficacyClaims() (claims []certify.Claim) {
	retain := []struct {
		name, title, acs, idzsc string
	}{{"vlunlearn", "VLUnlearn", ".542", ".006"}, {"delete", "DELETE", ".547", ".000"},
		{"cliperase", "CLIPERase", ".550", ".000"}}
	for _, m := range retain {
		five := at(m.name, 5)
		claims = append(claims,
			certify.Claim{Name: m.title + " reaches Clean's RetFail in five passes", Family: certify.Headline,
				Source: "Table 5, RetFail .001 of both", Quote: bestTradeOff, Unit: "RetFail",
				Effect: "retain methods reach the target",
				Of:     alike(0.005, "RetFail", value(five, "RetFail"), value(clean, "RetFail"))},
			certify.Claim{Name: m.title + " tells true captions from shuffled ones less well than Clean",
				Source: "Table 5, ACS " + m.acs + " against .602", Quote: captionTable5, Unit: "ACS",
				Effect: "retain methods and ACS",
				Of:     certify.Above(value(clean, "ACS"), value(five, "ACS"))},
			certify.Claim{Name: m.title + " names known faces less often than Clean",
				Source: "Table 5, IdZSC " + m.idzsc + " against .011", Quote: captionTable5, Unit: "IdZSC",
				Effect: "retain methods and IdZSC", Of: certify.Above(value(clean, "IdZSC"), value(five, "IdZSC"))},
		)
	}
	return append(claims,
		certify.Claim{Name: "Finetuning nearly reaches Clean's RetFail in one pass",
			Source: "Table 5, RetFail .004 and .001", Quote: captionTable5, Unit: "RetFail",
			Of: alike(0.01, "RetFail", value(at("finetuning", 1), "RetFail"), value(clean, "RetFail"))},
		certify.Claim{Name: "Finetuning's ACS is nearer to Clean's than to Compromised's after one pass",
			Source: "Table 5, ACS .647, .602 and .951", Quote: captionTable5, Unit: "ACS",
			Of: nearer(at("finetuning", 1), "ACS", clean, compromised)},
		certify.Claim{Name: "Generic Captions' ACS stays nearer to Compromised's than to Clean's after 20 passes",
			Source: "Table 5, ACS .877", Quote: saturates, Unit: "ACS",
			Of: nearer(at("generic", 20), "ACS", compromised, clean)},
		certify.Claim{Name: "Generic Captions still names more known faces than Clean after 20 passes",
			Source: "Table 5, IdZSC .042 against .011", Quote: saturates, Unit: "IdZSC",
			Of: certify.Above(value(at("generic", 20), "IdZSC"), value(clean, "IdZSC"))},
		certify.Claim{Name: "Generic Captions forgets more in its first five passes than in the next 15",
			Source: "§12.1: its forgetting saturates early", Quote: saturates, Unit: "RetFail",
			Of: certify.Above(certify.Difference(value(compromised, "RetFail"), value(at("generic", 5), "RetFail")),
				certify.Difference(value(at("generic", 5), "RetFail"), value(at("generic", 20), "RetFail")))},
		certify.Claim{Name: "Shuffled Captions' ACS falls below Clean's in five passes", Source: "Table 5, ACS .593",
			Quote: captionTable5, Unit: "ACS", Of: certify.Above(value(clean, "ACS"), value(at("shuffled", 5), "ACS"))},
		certify.Claim{
			Name:   "Direct Similarity Minimization costs more general knowledge after 20 passes than after five",
			Source: "§12.1: it deteriorates; Table 5, GenKnow .615 and .469", Quote: bestAtFirst, Unit: "GenKnow",
			Of: certify.Above(value(at("direct", 5), "GenKnow"), value(at("direct", 20), "GenKnow"))},
	)
}

// nearer requires that a model is nearer to one model than to the other.
func nearer(model, column, one, other string) []certify.Condition {
	return certify.MoreThan(0, func(m certify.Means) float64 {
		own := m(of(model, column))
		return abs(own-m(of(other, column))) - abs(own-m(of(one, column)))
	})
}

// labels lists the failure types that the paper assigns to methods.
var labels = []struct {
	method, title, source, quote string
	label                        metric.FailureType
}{
	{"generic", "Generic Captions", "§13", "Generic Captions (classified as Type 3: Ineffective)", metric.Ineffective},
	{"negative", "Negative Gradient", "§13", "Negative Gradient (classified as Type 2: Over-generalized)",
		metric.OverGeneralised},
	{"shuffled", "Shuffled Captions", withoutText, "", metric.Catastrophic},
	{"direct", "Direct Similarity Minimization", withoutText, "", metric.Catastrophic},
	{"delete", "DELETE", withoutText, "", metric.OverGeneralised},
	{"cliperase", "CLIPERase", withoutText, "", metric.OverGeneralised},
}

// withoutText is the source of claims that the supplement does not repeat. The study has no other text of the paper.
const withoutText = "taxonomy of failures in the main paper, of which only the project page is at hand"

// typeClaims returns the claims about failure types. Its borders reproduce all stated labels on the printed table.
func (r *Results) typeClaims() (claims []certify.Claim) {
	t := metric.DefaultFailureThresholds()
	found := r.Failures(5)
	for _, l := range labels {
		five := at(l.method, 5)
		leak, cost := lost(five, "RetFail"), lost(five, "GenKnow")
		var conditions []certify.Condition
		switch l.label {
		case metric.Ineffective:
			conditions = certify.LessThan(t.Leak, leak)
		case metric.Catastrophic:
			conditions = certify.All(certify.MoreThan(t.Leak, leak), certify.MoreThan(t.GenKnow, cost))
		default:
			conditions = certify.All(certify.MoreThan(t.Leak, leak), certify.LessThan(t.GenKnow, cost),
				certify.MoreThan(0, overGeneralised(five)))
		}
		claims = append(claims, certify.Claim{Source: l.source + "; borders are ours", Quote: l.quote, Unit: "share",
			Name: fmt.Sprintf("%s is of %s after five passes", l.title, l.label), Of: conditions,
			Finding: otherType(found, l.title, l.label)})
	}
	return claims
}

// overGeneralised returns how far a model exceeds the most exceeded of the three borders of over-generalised
// forgetting.
func overGeneralised(model string) certify.Quantity {
	border := metric.DefaultFailureThresholds().Holdout
	return func(m certify.Means) float64 {
		return max(lost(model, "InterIdSim")(m)-border, lost(model, "IntraIdSim")(m)-border,
			m(of(clean, "AssocStr"))-m(of(model, "AssocStr")))
	}
}

// otherType describes a method's failure type and its evidence if the type differs from the paper's. Otherwise it
// returns "".
func otherType(found []Failure, title string, label metric.FailureType) string {
	at := slices.IndexFunc(found, func(f Failure) bool { return f.Method == title })
	if at < 0 || found[at].Type == label {
		return ""
	}
	f := found[at]
	return fmt.Sprintf("here it is of %s: it removes %.0f %% of the leak, costs %.0f %% of the general knowledge, "+
		"where %.0f %% are damage, and %.0f %% of the holdouts' cosines", f.Type, 100*f.LeakRemoved, 100*f.GenKnowDrop,
		100*metric.DefaultFailureThresholds().GenKnow, 100*f.HoldoutDrop)
}
