package partialdiffusion_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

func ExampleSettings_Stages() {
	s := partialdiffusion.Settings{Psi: partialdiffusion.PaperRatios(), Solver: schedule.DDIM, Steps: 100, Eta: 1,
		Seeds: []uint64{42}}
	stages, err := s.Stages(schedule.StableDiffusion())
	if err != nil {
		panic(err)
	}
	for _, stage := range stages {
		fmt.Printf("ψ %-4s  %2d steps of the original, then from timestep %d, where %.4f is signal\n", stage.Psi,
			stage.Steps, stage.Timestep, stage.SignalShare)
	}
	// Output:
	// ψ .001   0 steps of the original, then from timestep 991, where 0.0051 is signal
	// ψ .01    1 steps of the original, then from timestep 981, where 0.0058 is signal
	// ψ .05    5 steps of the original, then from timestep 941, where 0.0091 is signal
	// ψ .15   15 steps of the original, then from timestep 841, where 0.0254 is signal
	// ψ .25   25 steps of the original, then from timestep 741, where 0.0604 is signal
	// ψ .35   35 steps of the original, then from timestep 641, where 0.1243 is signal
	// ψ .45   45 steps of the original, then from timestep 541, where 0.2245 is signal
	// ψ .55   55 steps of the original, then from timestep 441, where 0.3605 is signal
}
