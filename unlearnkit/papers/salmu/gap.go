package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Gap holds a model's domain gap between two styles of portraits, in cosines with captions that fit every portrait.
type Gap struct {
	Model           string
	Real, Generated []float64 // mean cosine of each portrait
	KS              stat.KSResult
}

// Gap returns the data of Figure 6 for the Clean model, or of Figure 7 for the Compromised model, from all worlds.
func (r *Results) Gap(sensitive bool) Gap {
	model := map[bool]string{false: clean, true: compromised}[sensitive]
	g := Gap{Model: modelTitles[model]}
	for _, world := range r.set.Repetitions {
		one := gapOf(r.portraitsOf(world, model))
		g.Real, g.Generated = append(g.Real, one.Real...), append(g.Generated, one.Generated...)
	}
	g.KS = stat.KS2(g.Real, g.Generated)
	return g
}

// gapOf returns the cosines of the portraits of each style.
func gapOf(scores Scores) Gap {
	return Gap{Real: scores.cosines(GapReal), Generated: scores.cosines(GapGenerated)}
}
