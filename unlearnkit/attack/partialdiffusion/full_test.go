package partialdiffusion

import (
	"math"
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

// The attack works with a UNet of Stable Diffusion's size.
func TestUNet_FullSize(t *testing.T) {
	if os.Getenv("UNLEARNLAB_SLOW") == "" {
		t.Skip("set UNLEARNLAB_SLOW=1 to run Stable Diffusion's UNet at full size, some minutes and 10 GiB")
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	d := devicetest.Open(t)
	denoiser, err := diffusion.NewDenoiser(d, store.RootScope(), diffusion.StableDiffusion())
	if err != nil {
		t.Fatal(err)
	}
	defer denoiser.Close()
	m := Model{Name: "fresh weights", Denoiser: denoiser,
		Prompt: tensors.FromShape(shapes.Make(dtypes.Float32, 1, 77, 768))}
	s := Settings{Psi: ratios(t, ".5"), Solver: schedule.DDIM, Steps: 2, Eta: 1, Guidance: 1, Seeds: []uint64{42}}
	start := time.Now()
	prefixes, err := Begin(t.Context(), s, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	completions, err := prefixes.Complete(t.Context(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range completions.Latents[0] {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatal("the latent is not finite")
		}
	}
	if len(completions.Latents[0]) != 4*64*64 || prefixes.HandOvers[0].Timestep != 1 {
		t.Errorf("%d numbers, handed over at %d", len(completions.Latents[0]), prefixes.HandOvers[0].Timestep)
	}
	t.Logf("three calls in %s, %s", time.Since(start), d.Name())
}
