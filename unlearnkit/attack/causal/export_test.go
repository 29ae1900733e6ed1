package causal

import (
	"context"

	"github.com/gomlx/gomlx/core/tensors"
)

// Patched holds the probability of a sample's answer in the clean and in the corrupted run, and in runs in which values
// of the clean or the corrupted run overwrite activations.
type Patched struct {
	Clean, Corrupted float64
	FromClean        []float64 // by layer; its hidden states are clean at all positions
	FromCorrupted    []float64 // by position; its outputs are corrupted at all sites and layers
}

// Patch restores whole layers from the clean run, and single positions from the corrupted run. The probabilities must
// equal the clean run's and the corrupted run's.
func (t *Tracer) Patch(ctx context.Context, sample Sample) (r Patched, err error) {
	p, err := t.prepare(sample, false)
	if err != nil {
		return r, err
	}
	runs, err := t.record(ctx, p)
	if err != nil {
		return r, err
	}
	defer runs.free()
	layers := t.model.Text.Layers
	all := make([]int, len(p.corrupted))
	var hidden, single []task
	for i := range all {
		all[i] = i
	}
	for layer := range layers {
		hidden = append(hidden, task{2, [2]int{layer, layer + 1}, all})
	}
	for site := range sites {
		for i := range all {
			single = append(single, task{site, [2]int{0, layers}, []int{i}})
		}
	}
	with := func(values *tensors.Tensor, tasks []task) (found []float64) {
		if err == nil {
			found, err = t.patch(ctx, p, runs.embeddings, values, append([]task{{}}, tasks...), nil)
		}
		return found
	}
	r.Clean = runs.probabilities[0]
	r.FromClean = with(runs.clean, hidden)
	r.FromCorrupted = with(runs.corrupted, single)
	if err == nil {
		r.Corrupted, r.FromClean, r.FromCorrupted = r.FromClean[0], r.FromClean[1:], r.FromCorrupted[1:]
	}
	return r, err
}
