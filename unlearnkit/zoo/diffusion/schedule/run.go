package schedule

import (
	"fmt"
	"slices"
)

// Solver is a method that turns noise into a sample.
type Solver string

const (
	DDIM Solver = "ddim" // Song et al., "Denoising diffusion implicit models"
	// Liu et al., "Pseudo numerical methods for diffusion models on manifolds"; PLMS with Config.SkipRungeKutta
	PNDM Solver = "pndm"
	DDPM Solver = "ddpm" // Ho et al., "Denoising diffusion probabilistic models"
)

// Restart is the way in which PLMS begins in the middle, for Plan.Below, where it has no history.
type Restart string

const (
	// RepeatedRestart begins as at the start of a whole run: a second call, at the end of the first step, corrects the
	// step.
	RepeatedRestart Restart = ""
	// PublishedRestart continues in the list of calls without a history, as in "Unlearning or Concealment?". There, the
	// second call is treated as a correction of the first step, so the sample is one step behind the timestep from then
	// on.
	PublishedRestart Restart = "published"
)

// Plan describes a run.
type Plan struct {
	Solver Solver
	Steps  int
	Eta    float64 // in DDIM, the fraction of DDPM's noise that each step adds, from 0 to 1

	// AtLeast and Below limit the calls to timesteps AtLeast ≤ t < Below; Below 0 means no limit.
	AtLeast, Below int
	Restart        Restart
}

// State holds everything needed to continue a run. It can be stored as JSON.
type State struct {
	Next    int         // number of finished calls
	Sample  []float64   // sample after the last call
	Held    []float64   `json:",omitempty"` // in PNDM, the sample at the start of the current step
	Sum     []float64   `json:",omitempty"` // in PNDM, the weighted sum of outputs in the current Runge-Kutta step
	History [][]float64 `json:",omitempty"` // in PNDM, the last outputs, with the newest last
}

// Run is a run of a solver.
type Run struct {
	process *Process
	plan    Plan
	steps   []int // timesteps of the whole run, ignoring AtLeast and Below
	calls   []int
	state   State
}

// Begin starts a run from a sample, which is noise or the result of an earlier run.
func (p *Process) Begin(plan Plan, sample []float64) (*Run, error) {
	return p.Resume(plan, State{Sample: sample})
}

// Resume continues a plan from a state.
func (p *Process) Resume(plan Plan, state State) (*Run, error) {
	steps, err := p.Timesteps(plan.Steps)
	if err != nil {
		return nil, err
	}
	calls, err := p.calls(plan, steps)
	if err != nil {
		return nil, err
	}
	run := &Run{process: p, plan: plan, steps: steps, calls: calls, state: clone(state)}
	return run, run.check()
}

func (p *Process) calls(plan Plan, steps []int) ([]int, error) {
	within := func(calls []int) []int {
		return slices.DeleteFunc(slices.Clone(calls), func(t int) bool {
			return t < plan.AtLeast || plan.Below > 0 && t >= plan.Below
		})
	}
	switch plan.Solver {
	case DDIM, DDPM:
		return within(steps), nil
	case PNDM:
	default:
		return nil, fmt.Errorf("solver %q is not known: %s, %s or %s", plan.Solver, DDIM, PNDM, DDPM)
	}
	switch {
	case p.Prediction == Original || p.ClipRange > 0:
		return nil, fmt.Errorf("PNDM needs predictions of the noise or the velocity, and does not clip")
	case !p.SkipRungeKutta && (plan.AtLeast > 0 || plan.Below > 0):
		return nil, fmt.Errorf("PNDM with Runge-Kutta steps runs from noise to the end: leave AtLeast and Below, or " +
			"set SkipRungeKutta")
	case !p.SkipRungeKutta:
		return rungeKutta(steps, p.stride(plan.Steps))
	case plan.Restart == RepeatedRestart:
		// Below applies before the repetition, so that the first remaining step is repeated. AtLeast applies after it.
		below := slices.DeleteFunc(slices.Clone(steps), func(t int) bool { return plan.Below > 0 && t >= plan.Below })
		return within(repeatSecond(below)), nil
	case plan.Restart == PublishedRestart:
		return within(repeatSecond(steps)), nil
	}
	return nil, fmt.Errorf("restart %q is not known: %q or %q", plan.Restart, RepeatedRestart, PublishedRestart)
}

func (r *Run) check() error {
	s := r.state
	switch {
	case !(r.plan.Eta >= 0 && r.plan.Eta <= 1):
		return fmt.Errorf("eta is %g; it must be from 0 to 1", r.plan.Eta)
	case r.plan.Eta > 0 && r.plan.Solver != DDIM:
		return fmt.Errorf("eta is %g, which only %s supports", r.plan.Eta, DDIM)
	case s.Next < 0 || s.Next > len(r.calls):
		return fmt.Errorf("a state after %d calls of a run of %d", s.Next, len(r.calls))
	case r.plan.Solver == PNDM && s.Next > 0 && len(s.History) == 0:
		return fmt.Errorf("a state of PNDM after %d calls without their outputs", s.Next)
	case r.plan.Solver == PNDM && r.process.SkipRungeKutta && s.Next == 1 && s.Held == nil:
		return fmt.Errorf("a state of PNDM within its first step without that step's start")
	case r.multistep() && !r.process.SkipRungeKutta && len(s.History) < 3:
		return fmt.Errorf("a state of PNDM with %d earlier outputs, where it has 3", len(s.History))
	case r.inRungeKutta() && s.Next%4 != 0 && (s.Held == nil || s.Sum == nil):
		return fmt.Errorf("a state of PNDM within a Runge-Kutta step without that step's start")
	}
	for _, part := range append([][]float64{s.Held, s.Sum}, s.History...) {
		if part != nil && len(part) != len(s.Sample) {
			return fmt.Errorf("a state with a sample of %d numbers and a part of %d", len(s.Sample), len(part))
		}
	}
	return nil
}

// Done reports whether all calls of the plan are finished.
func (r *Run) Done() bool { return r.state.Next == len(r.calls) }

// Calls returns the timesteps at which the plan calls the network, finished calls included.
func (r *Run) Calls() []int { return slices.Clone(r.calls) }

// Made returns the number of finished calls.
func (r *Run) Made() int { return r.state.Next }

// Timestep returns the timestep of the next call of the network.
func (r *Run) Timestep() int { return r.calls[r.state.Next] }

// Sample returns the input of the network's next call or, if the run is done, the result. It is valid until the next
// step and must not be changed.
func (r *Run) Sample() []float64 { return r.state.Sample }

// State returns a copy of the run's state.
func (r *Run) State() State { return clone(r.state) }

// Noisy reports whether the next step adds noise.
func (r *Run) Noisy() bool {
	return r.plan.Solver == DDIM && r.plan.Eta > 0 || r.plan.Solver == DDPM && r.Timestep() > 0
}

// Original returns the sample without noise that follows from the network's output for Sample at Timestep. The run must
// not be done.
func (r *Run) Original(output []float64) []float64 {
	original, _ := r.process.split(r.state.Sample, output, r.Timestep())
	return original
}

// Step advances the run with the network's output for Sample at Timestep. The noise is standard normal, as long as the
// sample, and only used if [Run.Noisy] returns true. Step panics if lengths differ, if noise is missing, or if the run
// is done.
func (r *Run) Step(output, noise []float64) {
	if r.Done() {
		panic("schedule: a step after the last")
	}
	if len(output) != len(r.state.Sample) || r.Noisy() && len(noise) != len(output) {
		panic(fmt.Sprintf("schedule: a sample of %d numbers, an output of %d and noise of %d", len(r.state.Sample),
			len(output), len(noise)))
	}
	switch t := r.Timestep(); {
	case r.plan.Solver == DDIM:
		r.state.Sample = r.process.stepDDIM(r.state.Sample, output, noise, t, t-r.process.stride(r.plan.Steps),
			r.plan.Eta)
	case r.plan.Solver == DDPM:
		r.state.Sample = r.process.stepDDPM(r.state.Sample, output, noise, t, r.following(t))
	case r.inRungeKutta():
		r.stepRungeKutta(output, t)
	default:
		r.stepMultistep(output, t)
	}
	r.state.Next++
}

// following returns the timestep after t in the whole run, or -1 if there is none.
func (r *Run) following(t int) int {
	if i := slices.Index(r.steps, t); i+1 < len(r.steps) {
		return r.steps[i+1]
	}
	return -1
}

func clone(s State) State {
	s.Sample, s.Held, s.Sum, s.History = slices.Clone(s.Sample), slices.Clone(s.Held), slices.Clone(s.Sum),
		slices.Clone(s.History)
	for i, output := range s.History {
		s.History[i] = slices.Clone(output)
	}
	return s
}
