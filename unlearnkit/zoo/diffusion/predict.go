package diffusion

import (
	"context"
	"fmt"
)

// Predict returns the starting samples without noise (x0), as predicted by a single call of the denoiser at the plan's
// first timestep.
func Predict(ctx context.Context, n *Denoiser, o SampleOptions) (Result, error) {
	s, err := newSampler(n, o)
	if err != nil {
		return Result{}, fmt.Errorf("predict: %w", err)
	}
	if s.run.Done() {
		return Result{}, fmt.Errorf("predict: the plan has no timestep")
	}
	output, err := s.network(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("predict: %w", err)
	}
	result := s.result()
	result.Samples = s.run.Original(output)
	return result, nil
}
