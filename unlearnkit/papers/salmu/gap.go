package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Gap is the domain gap of a model: how it likes captions that fit every portrait, on portraits of either style.
type Gap struct {
	Model           string
	Real, Generated []float64 // mean cosine of each portrait
	KS              stat.KSResult
}

// Gap is Figure 6 for the clean model and Figure 7 for the compromised one, over all worlds.
func (r *Results) Gap(compromised bool) Gap {
	g := Gap{Model: "Clean"}
	if compromised {
		g.Model = "Compromised"
	}
	for _, w := range r.Worlds {
		scores := w.CleanGap
		if compromised {
			scores = w.CompromisedGap
		}
		one := gapOf(scores)
		g.Real, g.Generated = append(g.Real, one.Real...), append(g.Generated, one.Generated...)
	}
	g.KS = stat.KS2(g.Real, g.Generated)
	return g
}

// gapOf are the cosines of the portraits of either style.
func gapOf(scores Scores) Gap {
	return Gap{Real: scores.cosines(GapReal), Generated: scores.cosines(GapGenerated)}
}
