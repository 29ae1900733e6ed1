package certify

import (
	"math/rand/v2"
	"slices"
)

// resamples is the number of bootstrap resamples. The variance that they give has a relative error of 4 %.
const resamples = 1000

// resampled returns the variance of a quantity at a bound or an extremum, by the bootstrap over repetitions: the mean
// squared distance of resamples from the value, times n/(n-1). There the derivative by a mean is zero, and no slope
// describes how the quantity depends on it. If the mean is resampled, the quantity leaves the bound as often as the
// mean does.
//
// It returns nil if all derivatives differ from zero, or if more than the repetitions is sampled: if the means have
// several kinds of repetitions, or units that all repetitions share.
func (p *Panel) resampled(q Quantity, value float64, parts []part) *source {
	if !slices.ContainsFunc(parts, func(k part) bool { return k.bound }) {
		return nil
	}
	n := len(parts[0].samples)
	each, place := make([][]float64, len(parts)), map[string]int{}
	for i, k := range parts {
		if k.once || k.noun != parts[0].noun || k.family.Crossed || n < 3 || !k.Complete() {
			return nil
		}
		place[k.name] = i
		for r := range k.samples {
			each[i] = append(each[i], k.samples[r].mean())
		}
	}
	random := rand.New(rand.NewPCG(1, uint64(n)))
	drawn, means, sum := make([]int, n), make([]float64, len(parts)), 0.0
	for range resamples {
		for i := range drawn {
			drawn[i] = random.IntN(n)
		}
		for i, values := range each {
			means[i] = 0
			for _, r := range drawn {
				means[i] += values[r] / float64(n)
			}
		}
		away := q(func(name string) float64 { return means[place[name]] }) - value
		sum += away * away
	}
	return &source{sum / resamples * float64(n) / float64(n-1), float64(n - 1), n}
}
