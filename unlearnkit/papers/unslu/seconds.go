package unslu

import (
	"slices"
)

// Name and row title of CF-k, the method that computes features before its first step.
const (
	aheadMethod = "cf-k"
	aheadTitle  = "CF-k"
)

// countAhead adds the time for computing features to runs of CF-k that did not record [SecondsAhead]. Their clock
// mistook the first step, which computed all features, for the compilation of a graph. Each run gets the median time of
// these runs outside their counted steps, minus the same median for the other methods, which load the same model and
// judge the same clips. All runs use the same clips, so the rate does not matter.
func (b *BenchmarkScores) countAhead(methods []Method) {
	var uncounted []*Model
	var own, others []float64
	for i, m := range methods {
		for _, model := range b.Methods[i] {
			switch {
			case model.Lost():
			case m.Name != aheadMethod:
				others = append(others, model.wall-model.Cost().Seconds)
			case !model.counted:
				own, uncounted = append(own, model.wall-model.Cost().Seconds), append(uncounted, model)
			}
		}
	}
	if len(uncounted) == 0 {
		return
	}
	ahead := median(own)
	if len(others) > 0 {
		ahead = max(0, ahead-median(others))
	}
	b.ahead = ahead
	for _, model := range uncounted {
		model.count(model.Cost().Seconds + ahead)
	}
}

// countPasses replaces all seconds with the number of passes, scaled to seconds.
func (b *BenchmarkScores) countPasses() {
	passes := b.Gold.Cost().Passes
	for _, m := range append(slices.Concat(b.Methods...), b.Original, b.Gold) {
		if !m.Lost() {
			m.count(paperGoldSeconds * m.Cost().Passes / passes)
		}
	}
	b.ahead = 0
}

// passesNote returns a sentence, which begins with a space, if passes replace seconds. Otherwise it returns "".
func (r *Results) passesNote() string {
	if !r.Preset.ByPasses {
		return ""
	}
	return " The runs shared their machine with others, so seconds are passes of clips through the network, in " +
		"the unit in which gold takes as long as the paper's on SLURP*."
}

// aheadNote returns a sentence, which begins with a space, if seconds were added to recorded ones. Otherwise it returns
// "".
func (r *Results) aheadNote() string {
	for _, w := range r.Worlds {
		for _, b := range w.Benchmarks {
			if b.ahead > 0 {
				return " The recorded seconds of CF-k lack its one pass over the clips. Each benchmark's runs " +
					"get the time outside of their counted steps, minus the time of the other methods' runs " +
					"(medians in the world)."
			}
		}
	}
	return ""
}

// median returns the median of values. For an even number it averages the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
