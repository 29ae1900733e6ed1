// Package schedule implements the parts of a diffusion model outside its network: the noise process, the timesteps, and
// the solvers DDIM, PNDM (PLMS) and DDPM.
//
// It computes on the host in float64, and each step gives the same result as the scheduler of the same name in
// diffusers. A [Run] is a run of a solver. It needs the network's output at one timestep after another, so the caller
// can stop, store the [State], and continue later or with another network:
//
//	run, err := process.Begin(schedule.Plan{Solver: schedule.DDIM, Steps: 50}, noise)
//	for !run.Done() {
//		output := network(run.Sample(), run.Timestep())
//		run.Step(output, nil)
//	}
//
// Partial diffusion consists of two runs: one with Plan.AtLeast, which stops at a timestep, and one with Plan.Below,
// which starts there.
package schedule

import (
	"fmt"
	"math"
)

// Betas is the way in which noise increases with the timestep, named like beta_schedule in diffusers.
type Betas string

const (
	Linear       Betas = "linear"
	ScaledLinear Betas = "scaled_linear" // linear in sqrt(beta), as in Stable Diffusion
	// Nichol and Dhariwal, "Improved denoising diffusion probabilistic models", eq. (17)
	Cosine Betas = "squaredcos_cap_v2"
)

// Prediction is what a network predicts, named like prediction_type in diffusers.
type Prediction string

const (
	Epsilon  Prediction = "epsilon"      // noise
	Original Prediction = "sample"       // sample without noise, x0
	Velocity Prediction = "v_prediction" // sqrt(a) noise - sqrt(1-a) x0
)

// Config holds the settings of the schedulers in diffusers, with descriptive names.
type Config struct {
	TrainSteps         int
	BetaStart, BetaEnd float64
	Betas              Betas
	TrainedBetas       []float64 // betas that replace the three fields above
	Spacing            Spacing
	StepsOffset        int // number added to leading timesteps
	Prediction         Prediction
	// set_alpha_to_one: below timestep 0, there is no noise instead of the noise of timestep 0; always so in DDPM
	FinalAlphaOne bool
	ClipRange     float64 // DDIM and DDPM clip the predicted x0 to ±ClipRange; 0 means no clipping
	// skip_prk_steps: PNDM starts with a repeated first step (PLMS) instead of three Runge-Kutta steps
	SkipRungeKutta bool
	// DDPM adds noise with variance beta (fixed_large) instead of the posterior variance (fixed_small)
	LargeVariance bool
}

// StableDiffusion returns the schedule of Stable Diffusion 1.x.
func StableDiffusion() Config {
	return Config{
		TrainSteps: 1000, BetaStart: .00085, BetaEnd: .012, Betas: ScaledLinear, Spacing: Leading, StepsOffset: 1,
		Prediction: Epsilon, SkipRungeKutta: true,
	}
}

// Process is the noise process of a Config: x_t = sqrt(a_t) x0 + sqrt(1 - a_t) noise.
type Process struct {
	Config
	shares []float64 // a_t, the products of 1 - beta
}

// maxTrainSteps is the maximum number of timesteps in a file. Published models have 1000.
const maxTrainSteps = 1_000_000

// New checks the settings and computes the noise for all timesteps.
func New(c Config) (*Process, error) {
	if c.TrainSteps < 1 || c.TrainSteps > maxTrainSteps {
		return nil, fmt.Errorf("a noise schedule of %d timesteps; it needs 1 to %d", c.TrainSteps, maxTrainSteps)
	}
	switch c.Prediction {
	case Epsilon, Original, Velocity:
	default:
		return nil, fmt.Errorf("prediction type %q is not known: %s, %s or %s", c.Prediction, Epsilon, Original,
			Velocity)
	}
	if c.StepsOffset < 0 || c.StepsOffset >= c.TrainSteps {
		return nil, fmt.Errorf("a steps offset of %d; it must be 0 to %d", c.StepsOffset, c.TrainSteps-1)
	}
	if !(c.ClipRange >= 0) {
		return nil, fmt.Errorf("a clipping range of %g; it must not be negative", c.ClipRange)
	}
	betas, err := c.betas()
	if err != nil {
		return nil, err
	}
	p := &Process{c, make([]float64, len(betas))}
	share := 1.
	for t, beta := range betas {
		if !(beta > 0 && beta < 1) {
			return nil, fmt.Errorf("beta of timestep %d is %g; it must be between 0 and 1", t, beta)
		}
		share *= 1 - beta
		p.shares[t] = share
	}
	return p, nil
}

func (c Config) betas() ([]float64, error) {
	if c.TrainedBetas != nil {
		if len(c.TrainedBetas) != c.TrainSteps {
			return nil, fmt.Errorf("%d trained betas for %d timesteps", len(c.TrainedBetas), c.TrainSteps)
		}
		return c.TrainedBetas, nil
	}
	switch c.Betas {
	case Linear:
		return evenly(c.BetaStart, c.BetaEnd, c.TrainSteps), nil
	case ScaledLinear:
		betas := evenly(math.Sqrt(c.BetaStart), math.Sqrt(c.BetaEnd), c.TrainSteps)
		for i, root := range betas {
			betas[i] = root * root
		}
		return betas, nil
	case Cosine:
		betas := make([]float64, c.TrainSteps)
		share := func(i int) float64 {
			cosine := math.Cos((float64(i)/float64(c.TrainSteps) + .008) / 1.008 * math.Pi / 2)
			return cosine * cosine
		}
		for i := range betas {
			betas[i] = min(1-share(i+1)/share(i), .999)
		}
		return betas, nil
	}
	return nil, fmt.Errorf("beta schedule %q is not known: %s, %s or %s", c.Betas, Linear, ScaledLinear, Cosine)
}

// evenly returns n evenly spaced numbers from first to last.
func evenly(first, last float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = first
		if n > 1 {
			values[i] += float64((last - first) / float64(n-1) * float64(i))
		}
	}
	return values
}

// SignalShare returns a_t, the share of the signal in the variance at timestep t. Below timestep 0, it returns the
// target of the last step, which Config.FinalAlphaOne explains.
func (p *Process) SignalShare(t int) float64 {
	switch {
	case t >= 0:
		return p.shares[t]
	case p.FinalAlphaOne:
		return 1
	}
	return p.shares[0]
}

// AddNoise sets dst to the noisy sample at timestep t.
func (p *Process) AddNoise(dst, original, noise []float64, t int) {
	signal, rest := p.roots(t)
	for i := range dst {
		dst[i] = signal*original[i] + rest*noise[i]
	}
}

// VelocityOf sets dst to the target of a network that predicts [Velocity] at timestep t.
func (p *Process) VelocityOf(dst, original, noise []float64, t int) {
	signal, rest := p.roots(t)
	for i := range dst {
		dst[i] = signal*noise[i] - rest*original[i]
	}
}

func (p *Process) roots(t int) (signal, noise float64) {
	share := p.SignalShare(t)
	return math.Sqrt(share), math.Sqrt(1 - share)
}

// split returns the sample without noise, and the noise, given the network's output for a sample at timestep t.
func (p *Process) split(sample, output []float64, t int) (original, noise []float64) {
	signal, rest := p.roots(t)
	original, noise = make([]float64, len(sample)), make([]float64, len(sample))
	for i, x := range sample {
		switch p.Prediction {
		case Epsilon:
			original[i], noise[i] = (x-rest*output[i])/signal, output[i]
		case Original:
			original[i], noise[i] = output[i], (x-signal*output[i])/rest
		case Velocity:
			original[i], noise[i] = signal*x-rest*output[i], signal*output[i]+rest*x
		}
	}
	if p.ClipRange > 0 {
		for i, x := range original {
			original[i] = min(max(x, -p.ClipRange), p.ClipRange)
		}
	}
	return original, noise
}
