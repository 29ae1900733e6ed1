package schedule

import (
	"math"
	"slices"
)

// rungeKuttaCalls is the number of calls in the three Runge-Kutta steps that begin PNDM.
const rungeKuttaCalls = 12

func (r *Run) inRungeKutta() bool {
	return r.plan.Solver == PNDM && !r.process.SkipRungeKutta && r.state.Next < rungeKuttaCalls
}

func (r *Run) multistep() bool { return r.plan.Solver == PNDM && !r.inRungeKutta() }

// stepRungeKutta applies the pseudo Runge-Kutta method, equation (13) of the paper on PNDM: four calls lead from the
// timestep of the first call to that of the last.
func (r *Run) stepRungeKutta(output []float64, t int) {
	s := &r.state
	half := r.process.stride(r.plan.Steps) / 2
	start := r.calls[s.Next/4*4]
	switch s.Next % 4 {
	case 0:
		s.Held, s.Sum = s.Sample, weighted([]float64{1. / 6}, output)
		s.History = append(s.History, slices.Clone(output))
		s.Sample = r.process.transfer(s.Held, output, start, t-half)
	case 1:
		s.Sum = weighted([]float64{1, 1. / 3}, s.Sum, output)
		s.Sample = r.process.transfer(s.Held, output, start, t)
	case 2:
		s.Sum = weighted([]float64{1, 1. / 3}, s.Sum, output)
		s.Sample = r.process.transfer(s.Held, output, start, t-half)
	case 3:
		s.Sample = r.process.transfer(s.Held, weighted([]float64{1, 1. / 6}, s.Sum, output), start, t)
		s.Held, s.Sum = nil, nil
	}
}

// stepMultistep applies the pseudo linear multistep method, equation (12) of the paper on PNDM. While the history is
// short, it uses the lower orders of PLMS.
func (r *Run) stepMultistep(output []float64, t int) {
	s := &r.state
	stride := r.process.stride(r.plan.Steps)
	// the second call repeats the first step with the mean of the outputs at its two ends
	if s.Next == 1 {
		s.Sample = r.process.transfer(s.Held, weighted([]float64{.5, .5}, output, s.History[0]), t+stride, t)
		s.Held = nil
		return
	}
	if s.Next == 0 {
		s.Held = s.Sample
	}
	s.History = append(s.History[max(0, len(s.History)-3):], slices.Clone(output))
	newest := slices.Clone(s.History)
	slices.Reverse(newest)
	weights := [][]float64{{1}, {3. / 2, -1. / 2}, {23. / 12, -16. / 12, 5. / 12},
		{55. / 24, -59. / 24, 37. / 24, -9. / 24}}[len(newest)-1]
	s.Sample = r.process.transfer(s.Sample, weighted(weights, newest...), t, t-stride)
}

// transfer moves a sample from timestep t to another with the network's output, by equation (11) of the paper on PNDM,
// which is (9) in the first version.
func (p *Process) transfer(sample, output []float64, t, to int) []float64 {
	share, target := p.SignalShare(t), p.SignalShare(to)
	signal, rest := p.roots(t)
	scale := math.Sqrt(target / share)
	slope := (target - share) / (share*math.Sqrt(1-target) + math.Sqrt(share*(1-share)*target))
	stepped := make([]float64, len(sample))
	for i, x := range sample {
		noise := output[i]
		if p.Prediction == Velocity {
			noise = signal*output[i] + rest*x
		}
		stepped[i] = scale*x - slope*noise
	}
	return stepped
}

func weighted(weights []float64, terms ...[]float64) []float64 {
	sum := make([]float64, len(terms[0]))
	for k, term := range terms {
		for i, value := range term {
			sum[i] += weights[k] * value
		}
	}
	return sum
}
