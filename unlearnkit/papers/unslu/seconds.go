package unslu

import (
	"slices"
)

// SecondsAhead is the measure of a run that says how many of its seconds were spent on what it computed once, ahead of
// its steps.
const SecondsAhead = "seconds_ahead"

// The method that computes features ahead of its steps, and its row.
const (
	aheadMethod = "cf-k"
	aheadTitle  = "CF-k"
)

// countAhead adds what the clock left out of runs that computed features ahead of their steps before [SecondsAhead] was
// measured. The clock took their first step, which held all features, for the building of a graph. Each gets the median
// over these runs of the time outside of their counted steps, less the median of that over the runs of other methods,
// which load the same model and judge the same clips. All runs are on the same clips, so that the rate has no part in
// it.
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

// countPasses replaces all seconds by those of the clock of passes.
func (b *BenchmarkScores) countPasses() {
	passes := b.Gold.Cost().Passes
	for _, m := range append(slices.Concat(b.Methods...), b.Original, b.Gold) {
		if !m.Lost() {
			m.count(paperGoldSeconds * m.Cost().Passes / passes)
		}
	}
	b.ahead = 0
}

// passesNote says that seconds are those of passes, with a space before it; it is empty if they are not.
func (r *Results) passesNote() string {
	if !r.Preset.ByPasses {
		return ""
	}
	return " The runs shared their machine with others: seconds are passes of clips through the network, in the unit " +
		"in which gold takes as long as the paper's on SLURP*."
}

// aheadNote says what was added to recorded seconds, with a space before it; it is empty if nothing was.
func (r *Results) aheadNote() string {
	for _, w := range r.Worlds {
		for _, b := range w.Benchmarks {
			if b.ahead > 0 {
				return " The recorded seconds of CF-k lack its one pass over the clips: each benchmark's runs get " +
					"what they took outside of their counted steps, less what the runs of the other methods did " +
					"(medians " +
					"in the world)."
			}
		}
	}
	return ""
}

// median returns the middle of values, the mean of two of an even number.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
