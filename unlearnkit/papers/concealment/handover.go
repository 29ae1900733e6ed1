package concealment

import (
	"fmt"
	"math/big"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// Handover assigns the steps of partial diffusion at one ratio to the two models.
type Handover struct {
	Psi       string
	Timesteps []int   // all steps, the noisiest first
	Original  int     // number of steps that the original takes
	Signal    float64 // signal share of the picture that is handed over
}

// Handovers returns the handovers of Figure 1, with Stable Diffusion's noise schedule and the preset's steps.
func (p Preset) Handovers() ([]Handover, error) {
	process, err := schedule.New(schedule.StableDiffusion())
	if err != nil {
		return nil, err
	}
	timesteps, err := process.Timesteps(p.Attack.Sampling.Steps)
	if err != nil {
		return nil, err
	}
	var all []Handover
	for _, psi := range p.Attack.Psi {
		// Compute with the decimal numbers as written: in binary, .29 of 100 steps would be 28.
		share, ok := new(big.Rat).SetString(psi)
		if !ok {
			return nil, fmt.Errorf("ψ is %q; it must be a decimal number from 0 to 1", psi)
		}
		share.Mul(share, big.NewRat(int64(len(timesteps)), 1))
		h := Handover{Psi: psi, Timesteps: timesteps,
			Original: int(new(big.Int).Quo(share.Num(), share.Denom()).Int64())}
		next := -1
		if h.Original < len(timesteps) {
			next = timesteps[h.Original]
		}
		h.Signal = process.SignalShare(next)
		all = append(all, h)
	}
	return all, nil
}
