package concealment

import (
	"math"
	"testing"
)

// Expected values at the paper's 100 steps: the original's steps, the first timestep of the other model, and the signal
// share in Stable Diffusion's schedule.
func TestHandovers_StableDiffusion(t *testing.T) {
	p := Mini()
	p.Attack.Sampling.Steps, p.Attack.Psi = 100, append([]string{".089", ".29"}, PaperPsi...)
	handovers, err := p.Handovers()
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		steps, timestep int
		signal          float64
	}{{8, 911, 0}, {29, 701, 0}, {0, 991, .0051}, {1, 981, .0058}, {5, 941, .0091}, {15, 841, .0254}, {25, 741, .0604},
		{35, 641, .1243}, {45, 541, .2245}, {55, 441, .3605}}
	for i, h := range handovers {
		w := want[i]
		if h.Original != w.steps || h.Timesteps[h.Original] != w.timestep || w.signal > 0 &&
			math.Abs(h.Signal-w.signal) > 5e-5 {
			t.Errorf("ψ %s: %d steps, then t = %d with a signal of %.4f, want %+v", h.Psi, h.Original,
				h.Timesteps[h.Original], h.Signal, w)
		}
	}
	p.Attack.Psi = []string{"a lot"}
	if _, err := p.Handovers(); err == nil {
		t.Error("a ratio in words")
	}
}
