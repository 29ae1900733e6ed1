package schedule

import (
	"fmt"
	"math"
	"slices"
)

// Spacing is the way in which a run's timesteps are distributed over the training timesteps, named like
// timestep_spacing in diffusers (Lin et al., "Common diffusion noise schedules and sample steps are flawed", Table 2).
type Spacing string

const (
	Leading  Spacing = "leading"
	Linspace Spacing = "linspace"
	Trailing Spacing = "trailing"
)

// Timesteps returns the timesteps of a run with a number of steps, beginning with the noisiest.
func (p *Process) Timesteps(steps int) ([]int, error) {
	if steps < 1 || steps > p.TrainSteps {
		return nil, fmt.Errorf("%d sampling steps; the schedule allows 1 to %d", steps, p.TrainSteps)
	}
	var timesteps []int
	switch p.Spacing {
	case Leading:
		for i := range steps {
			timesteps = append(timesteps, i*p.stride(steps)+p.StepsOffset)
		}
		slices.Reverse(timesteps)
	case Linspace:
		for _, t := range evenly(0, float64(p.TrainSteps-1), steps) {
			timesteps = append(timesteps, int(math.RoundToEven(t)))
		}
		slices.Reverse(timesteps)
	case Trailing:
		// This is the distance as rounded by NumPy's arange, which determines how halves are rounded. For some numbers
		// of steps, arange adds a timestep -1, which is not valid.
		top, stride := float64(p.TrainSteps), float64(p.TrainSteps)/float64(steps)
		distance := (top - stride) - top
		for i := range steps {
			timesteps = append(timesteps, int(math.RoundToEven(top+float64(float64(i)*distance)))-1)
		}
	default:
		return nil, fmt.Errorf("timestep spacing %q is not known: %s, %s or %s", p.Spacing, Leading, Linspace, Trailing)
	}
	for _, t := range timesteps {
		if t < 0 || t >= p.TrainSteps {
			return nil, fmt.Errorf("%d sampling steps with offset %d reach timestep %d of a schedule of %d", steps,
				p.StepsOffset, t, p.TrainSteps)
		}
	}
	return timesteps, nil
}

// stride returns the distance that DDIM and PNDM assume between timesteps, regardless of the spacing.
func (p *Process) stride(steps int) int { return p.TrainSteps / steps }

// Cut returns the timestep at which partial diffusion changes the model. The share psi of the process, from noise on,
// has this timestep or later ones.
func (p *Process) Cut(psi float64) int {
	return int(math.RoundToEven(float64(p.TrainSteps) - psi*float64(p.TrainSteps)))
}

// repeatSecond returns the calls of PLMS for a list of timesteps. The second timestep is called twice, because the
// second call corrects the first step.
func repeatSecond(timesteps []int) []int {
	if len(timesteps) < 2 {
		return timesteps
	}
	return slices.Insert(slices.Clone(timesteps), 1, timesteps[1])
}

// rungeKutta returns the calls of PNDM for a list of timesteps: four for each of the first three steps, one for each
// other step.
func rungeKutta(timesteps []int, stride int) ([]int, error) {
	if len(timesteps) < 4 {
		return nil, fmt.Errorf("PNDM with Runge-Kutta steps needs at least 4 steps, not %d", len(timesteps))
	}
	var calls []int
	for i, t := range timesteps[:3] {
		middle := timesteps[i+1] + stride/2
		calls = append(calls, t, middle, middle, timesteps[i+1])
	}
	return append(calls, timesteps[3:]...), nil
}
