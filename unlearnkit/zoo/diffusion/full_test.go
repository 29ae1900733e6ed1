package diffusion_test

import (
	"os"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

func TestTheFullSizeUNetPredictsNoise(t *testing.T) {
	if os.Getenv("UNLEARNLAB_SLOW") == "" {
		t.Skip("set UNLEARNLAB_SLOW=1 to run Stable Diffusion's UNet at full size, some minutes and 10 GiB")
	}
	m := diffusion.StableDiffusion()
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	denoiser := newDenoiser(t, store, m)
	start := time.Now()
	result := sample(t, denoiser, diffusion.SampleOptions{
		Plan:   schedule.Plan{Solver: schedule.DDIM, Steps: 50, AtLeast: 970},
		Prompt: tensors.FromShape(shapes.Make(dtypes.Float32, 1, 77, 768)), Seeds: []uint64{42},
	})
	var square float64
	for _, x := range result.Samples {
		square += x * x / float64(len(result.Samples))
	}
	// Fresh weights predict little noise, so that the sample keeps its scale but for sqrt(a) of the two timesteps.
	if len(result.Samples) != 4*64*64 || !(square > .5 && square < 2) {
		t.Errorf("%d numbers of mean square %g", len(result.Samples), square)
	}
	t.Logf("one step in %s, %s", time.Since(start), devicetest.Open(t).Name())
}
