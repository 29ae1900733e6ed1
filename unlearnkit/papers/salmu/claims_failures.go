package salmu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

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

// withoutText is the source of labels that the paper's supplement lacks. The main text was not available to this study.
const withoutText = "taxonomy of failures in the main paper, of which only the project page is at hand"

// typeClaims returns the claims about failure types. With the thresholds used here, the paper's printed table gives all
// types that the paper states.
func (r *Results) typeClaims() (claims []certify.Claim) {
	t := metric.DefaultFailureThresholds()
	found := r.Failures(5)
	for _, l := range labels {
		five := at(l.method, 5)
		leak, cost := lostShare(five, "RetFail"), lostShare(five, "GenKnow")
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
		c := certify.Claim{Source: l.source, Quote: l.quote, Unit: "share",
			Name: fmt.Sprintf("%s is of %s after five passes", l.title, l.label),
			Of:   certify.With(ownBorders(), conditions), Finding: otherType(found, l.title, l.label)}
		if l.quote == "" {
			c = c.Ours()
		}
		claims = append(claims, c)
	}
	return claims
}

// overGeneralised returns by how much a model exceeds a threshold of over-generalised forgetting. Of the three
// thresholds it uses the one that is exceeded most.
func overGeneralised(model string) certify.Quantity {
	border := metric.DefaultFailureThresholds().Holdout
	return func(m certify.Means) float64 {
		return max(lostShare(model, "InterIdSim")(m)-border, lostShare(model, "IntraIdSim")(m)-border,
			m(certify.ScoreOf(clean, "AssocStr"))-m(certify.ScoreOf(model, "AssocStr")))
	}
}

// otherType describes a method's failure type here, with its evidence, if the type differs from the paper's. Otherwise
// it returns "".
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
