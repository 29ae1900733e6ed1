package schedule

import "math"

// stepDDIM computes equations (12) and (16) of the paper on DDIM.
func (p *Process) stepDDIM(sample, output, noise []float64, t, previous int, eta float64) []float64 {
	original, epsilon := p.split(sample, output, t)
	share, target := p.SignalShare(t), p.SignalShare(previous)
	deviation := eta * math.Sqrt((1-target)/(1-share)*(1-share/target))
	signal, direction := math.Sqrt(target), math.Sqrt(1-target-deviation*deviation)
	stepped := make([]float64, len(sample))
	for i := range stepped {
		stepped[i] = signal*original[i] + direction*epsilon[i]
		if eta > 0 {
			stepped[i] += deviation * noise[i]
		}
	}
	return stepped
}

// stepDDPM computes equations (6) and (7) of the paper on DDPM.
func (p *Process) stepDDPM(sample, output, noise []float64, t, previous int) []float64 {
	original, _ := p.split(sample, output, t)
	share, target := p.SignalShare(t), 1.
	if previous >= 0 {
		target = p.SignalShare(previous)
	}
	beta := 1 - share/target
	variance := beta
	if !p.LargeVariance {
		variance = max((1-target)/(1-share)*beta, 1e-20) // minimum in diffusers
	}
	signal, rest, deviation := math.Sqrt(target)*beta/(1-share), math.Sqrt(share/target)*(1-target)/(1-share),
		math.Sqrt(variance)
	stepped := make([]float64, len(sample))
	for i, x := range sample {
		stepped[i] = signal*original[i] + rest*x
		if t > 0 {
			stepped[i] += deviation * noise[i]
		}
	}
	return stepped
}
