package diffusion_test

import (
	"os"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

func TestUNet_FullSize(t *testing.T) {
	if os.Getenv("UNLEARNLAB_SLOW") == "" {
		t.Skip("set UNLEARNLAB_SLOW=1 to run Stable Diffusion's UNet at full size, some minutes and 10 GiB")
	}
	m := diffusion.StableDiffusion()
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	long := fullStep(t, "float32", store, m)
	narrow, err := m.UNet.Narrow(devicetest.Open(t), store)
	if err != nil {
		t.Fatal(err)
	}
	if full, half := store.ByteSize(), narrow.ByteSize(); 2*half != full {
		t.Errorf("the weights take %d bytes in float32 and %d in bfloat16", full, half)
	}
	store.Finalize()
	if apart := relative(fullStep(t, "bfloat16", narrow, m), long); !(apart > 0 && apart < .02) {
		t.Errorf("a step in bfloat16 is %g of the largest number from the one in float32", apart)
	}
}

// fullStep returns the sample after one of fifty steps. It repeats the step to log the time without compilation.
func fullStep(t *testing.T, numbers string, store *model.Store, m diffusion.Model) []float64 {
	denoiser := newDenoiser(t, store, m)
	var result diffusion.Result
	for range 2 {
		start := time.Now()
		result = sample(t, denoiser, diffusion.SampleOptions{
			Plan:   schedule.Plan{Solver: schedule.DDIM, Steps: 50, AtLeast: 970},
			Prompt: tensors.FromShape(shapes.Make(dtypes.Float32, 1, 77, 768)), Seeds: []uint64{42},
		})
		t.Logf("one step in %s in %s, %s", numbers, time.Since(start), devicetest.Open(t).Name())
	}
	var square float64
	for _, x := range result.Samples {
		square += x * x / float64(len(result.Samples))
	}
	// Random weights predict little noise, so the step multiplies the sample by the ratio of the values of sqrt(a) at
	// two timesteps.
	if len(result.Samples) != 4*64*64 || !(square > .5 && square < 2) {
		t.Errorf("%d numbers of mean square %g", len(result.Samples), square)
	}
	return result.Samples
}
