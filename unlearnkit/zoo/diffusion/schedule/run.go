package schedule

import (
	"fmt"
	"slices"
)

// Solver names a way from noise to a sample.
type Solver string

const (
	DDIM Solver = "ddim" // Song et al., "Denoising diffusion implicit models"
	// Liu et al., "Pseudo numerical methods for diffusion models on manifolds"; with Config.SkipRungeKutta this is PLMS
	PNDM Solver = "pndm"
	DDPM Solver = "ddpm" // Ho et al., "Denoising diffusion probabilistic models"
)

// Restart says what PLMS does when Plan.Below lets it begin in the middle, where it has no history.
type Restart string

const (
	// RepeatedRestart begins as PLMS does at the top: its first step is corrected by a second call at its own end.
	RepeatedRestart Restart = ""
	// PublishedRestart goes on in the list of calls with an empty history, as "Unlearning or Concealment?" ran it: the
	// second call is taken for the correction of the first, so from then on the sample is one step behind the timestep.
	PublishedRestart Restart = "published"
)

// Plan is what a run does.
type Plan struct {
	Solver Solver
	Steps  int
	Eta    float64 // DDIM: the share of DDPM's noise that each step adds, 0 to 1

	// AtLeast and Below keep the calls at timesteps AtLeast <= t < Below; a Below of 0 is no bound.
	AtLeast, Below int
	Restart        Restart
}

// State is all that a run needs to go on, in a form that can be stored as JSON.
type State struct {
	Next    int         // calls made
	Sample  []float64   // where the last call led
	Held    []float64   `json:",omitempty"` // PNDM: the sample at which the step under way began
	Sum     []float64   `json:",omitempty"` // PNDM: the weighted outputs of the Runge-Kutta step under way
	History [][]float64 `json:",omitempty"` // PNDM: the last outputs, the newest last
}

// Run is a solver at work.
type Run struct {
	process *Process
	plan    Plan
	steps   []int // the timesteps of the whole run, whatever the plan's bounds
	calls   []int
	state   State
}

// Begin starts a run at sample: noise, or the sample that an earlier run led to.
func (p *Process) Begin(plan Plan, sample []float64) (*Run, error) {
	return p.Resume(plan, State{Sample: sample})
}

// Resume goes on with the plan where state was taken.
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
		return nil, fmt.Errorf("PNDM takes predictions of the noise or the velocity, and does not clip")
	case !p.SkipRungeKutta && (plan.AtLeast > 0 || plan.Below > 0):
		return nil, fmt.Errorf("PNDM with Runge-Kutta steps runs from noise to the end: leave AtLeast and Below, or " +
			"set SkipRungeKutta")
	case !p.SkipRungeKutta:
		return rungeKutta(steps, p.stride(plan.Steps))
	case plan.Restart == RepeatedRestart:
		// The bound above belongs before the repetition, so that the first step left is the one repeated; the bound
		// below after it.
		below := slices.DeleteFunc(slices.Clone(steps), func(t int) bool { return plan.Below > 0 && t >= plan.Below })
		return within(repeatSecond(below)), nil
	case plan.Restart == PublishedRestart:
		return within(repeatSecond(steps)), nil
	}
	return nil, fmt.Errorf("restart %q is not known: %q or %q", plan.Restart, RepeatedRestart, PublishedRestart)
}

// check refuses plans and states that a step could not go on from.
func (r *Run) check() error {
	s := r.state
	switch {
	case !(r.plan.Eta >= 0 && r.plan.Eta <= 1):
		return fmt.Errorf("eta is %g; it must be from 0 to 1", r.plan.Eta)
	case r.plan.Eta > 0 && r.plan.Solver != DDIM:
		return fmt.Errorf("eta is %g, which only %s knows", r.plan.Eta, DDIM)
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

// Done reports whether all calls of the plan have been made.
func (r *Run) Done() bool { return r.state.Next == len(r.calls) }

// Calls lists the timesteps at which the plan calls the network, those already made included.
func (r *Run) Calls() []int { return slices.Clone(r.calls) }

// Made is how many of these calls have been made.
func (r *Run) Made() int { return r.state.Next }

// Timestep is where the network is to be called next.
func (r *Run) Timestep() int { return r.calls[r.state.Next] }

// Sample is what the network is to be called with next, and the result when the run is done. It is valid until the next
// step and must not be changed.
func (r *Run) Sample() []float64 { return r.state.Sample }

// State is a copy of where the run stands.
func (r *Run) State() State { return clone(r.state) }

// Noisy reports whether the next step adds noise.
func (r *Run) Noisy() bool {
	return r.plan.Solver == DDIM && r.plan.Eta > 0 || r.plan.Solver == DDPM && r.Timestep() > 0
}

// Original is the sample without noise that the network's output means for Sample at Timestep. The run must not be
// done.
func (r *Run) Original(output []float64) []float64 {
	original, _ := r.process.split(r.state.Sample, output, r.Timestep())
	return original
}

// Step takes the network's output for Sample at Timestep. Noise is standard normal, as long as the sample, and used
// only where [Run.Noisy] says so. Lengths that differ, a step of a run that is done, and a missing noise are mistakes
// of the caller and panic.
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

// following is the timestep after t in the whole run, or -1.
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
