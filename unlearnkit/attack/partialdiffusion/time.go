package partialdiffusion

import (
	"context"
	"fmt"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// Time measures on the original how long a network call of an attack takes per picture. It times the second of two
// calls, because the first compiles. With guidance, a picture and step takes two calls.
func Time(ctx context.Context, a *Attack) (each time.Duration, err error) {
	original, err := a.Original.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer original.close()
	stages, err := a.Stages(original.Denoiser.Model().Schedule)
	if err != nil {
		return 0, fmt.Errorf("partial diffusion: %w", err)
	}
	s := a.Settings
	if s.Batch > 0 {
		s.Seeds = s.Seeds[:min(s.Batch, len(s.Seeds))]
	}
	count := len(s.Seeds)
	if s.Guidance > 1 {
		count *= 2
	}
	first := stages[0]
	first.After.Below = 0
	for range 2 {
		began := time.Now()
		if _, err := diffusion.Predict(ctx, original.Denoiser, s.options(original.Model, first.After)); err != nil {
			return 0, err
		}
		each = time.Since(began) / time.Duration(count)
	}
	return each, nil
}
