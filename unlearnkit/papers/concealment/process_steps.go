package concealment

import (
	"fmt"
	"math/big"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// Handover holds which model takes which steps of partial diffusion at one ratio.
type Handover struct {
	Psi       string
	Timesteps []int   // all timesteps, the noisiest first
	Original  int     // number of steps that the original takes
	Signal    float64 // share of the signal in the picture that is handed over
}

// Handovers returns the handovers of Figure 1. They use Stable Diffusion's noise schedule and the preset's number of
// steps.
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
		// Ratios are computed as exact decimal numbers. In binary, .29 of 100 steps would be 28.
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
