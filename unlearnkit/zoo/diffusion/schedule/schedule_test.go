package schedule

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// reference holds results of the schedulers in diffusers, written by testdata/gen_schedule.py.
type reference struct {
	Lists   map[Spacing]string
	Process struct {
		Timestep        int
		Noisy, Velocity []float64
	}
	Cases []referenceRun
}

type referenceRun struct {
	Scheduler json.RawMessage
	Steps     int
	Eta       float64
	Cut       int
	Calls     []int
	Kept      []int
	Samples   [][]float64
	Float32   []float64
}

func readReference(t *testing.T) reference {
	t.Helper()
	content, err := os.ReadFile("testdata/schedule.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(content, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// The network, the first sample and the noise as in testdata/gen_schedule.py.

func network(x []float64, t int) []float64 {
	output := make([]float64, len(x))
	for i := range x {
		output[i] = .6*x[i] + .3*math.Sin(x[i]+.01*float64(t))
	}
	return output
}

func first() []float64 {
	x := make([]float64, 3)
	for i := range x {
		x[i] = 1.1 * math.Cos(1.3*float64(i)+.2)
	}
	return x
}

func noise(call int) []float64 {
	x := make([]float64, 3)
	for i := range x {
		x[i] = 1.3 * math.Sin(3*float64(call)+1.7*float64(i)+.5)
	}
	return x
}

// drive runs r to the end and returns the sample after each call.
func drive(r *Run, firstCall int) [][]float64 {
	var samples [][]float64
	for k := firstCall; !r.Done(); k++ {
		r.Step(network(r.Sample(), r.Timestep()), noise(k))
		samples = append(samples, slices.Clone(r.Sample()))
	}
	return samples
}

func begin(t *testing.T, p *Process, plan Plan, sample []float64) *Run {
	t.Helper()
	r, err := p.Begin(plan, sample)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func distance(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	var largest, scale float64
	for i := range a {
		largest, scale = max(largest, math.Abs(a[i]-b[i])), max(scale, math.Abs(b[i]))
	}
	if math.IsNaN(largest) {
		return math.Inf(1)
	}
	return largest / max(scale, 1e-300)
}

func TestSteps_EqualDiffusers(t *testing.T) {
	for _, reference := range readReference(t).Cases {
		solver, config, err := ParseConfig(reference.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s %s %s %d steps eta %g cut %d", solver, config.Spacing, config.Prediction,
			reference.Steps, reference.Eta, reference.Cut)
		t.Run(name, func(t *testing.T) {
			p, err := New(config)
			if err != nil {
				t.Fatal(err)
			}
			plan := Plan{Solver: solver, Steps: reference.Steps, Eta: reference.Eta, AtLeast: reference.Cut}
			r := begin(t, p, plan, first())
			calls, samples := r.Calls(), drive(r, 0)
			if reference.Cut > 0 {
				rest := begin(t, p, Plan{Solver: solver, Steps: reference.Steps, Below: reference.Cut,
					Restart: PublishedRestart}, r.Sample())
				calls = append(calls, rest.Calls()...)
				samples = append(samples, drive(rest, len(samples))...)
			}
			if !slices.Equal(calls, reference.Calls) {
				t.Fatalf("calls at %v, want %v", calls, reference.Calls)
			}
			for i, k := range reference.Kept {
				if d := distance(samples[k], reference.Samples[i]); d > 1e-10 {
					t.Fatalf("after call %d the sample is %v, want %v, off by %g", k, samples[k], reference.Samples[i],
						d)
				}
			}
			if d := distance(samples[len(samples)-1], reference.Float32); d > 1e-5 {
				t.Errorf("diffusers in float32 ends at %v, this at %v, off by %g", reference.Float32,
					samples[len(samples)-1], d)
			}
		})
	}
}

func TestTimesteps_EqualDiffusers(t *testing.T) {
	for spacing, want := range readReference(t).Lists {
		config := StableDiffusion()
		config.Spacing, config.StepsOffset = spacing, 0
		p, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		digest := sha256.New()
		for steps := 1; steps <= 1000; steps++ {
			timesteps, err := p.Timesteps(steps)
			if err != nil {
				t.Fatal(err)
			}
			words := make([]string, len(timesteps))
			for i, timestep := range timesteps {
				words[i] = fmt.Sprint(timestep)
			}
			fmt.Fprintln(digest, strings.Join(words, ","))
		}
		if got := hex.EncodeToString(digest.Sum(nil)); got != want {
			t.Errorf("%s: digest %s, want %s", spacing, got, want)
		}
	}
}

func TestProcess_EqualsDiffusers(t *testing.T) {
	want := readReference(t).Process
	p, err := New(StableDiffusion())
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 3)
	if p.AddNoise(got, first(), noise(4), want.Timestep); distance(got, want.Noisy) > 1e-12 {
		t.Errorf("with noise %v, want %v", got, want.Noisy)
	}
	if p.VelocityOf(got, first(), noise(4), want.Timestep); distance(got, want.Velocity) > 1e-12 {
		t.Errorf("velocity %v, want %v", got, want.Velocity)
	}
}

// Switch points in "Unlearning or Concealment?" with 100 steps, derived by hand from its code.
func TestHandOver_PapersCode(t *testing.T) {
	p, err := New(StableDiffusion())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		psi              float64
		cut, steps, plms int
		firstAfter       int
		share            float64
	}{
		{.001, 999, 0, 0, 991, .0051}, {.01, 990, 1, 1, 981, .0058}, {.05, 950, 5, 6, 941, .0091},
		{.089, 911, 9, 10, 901, math.NaN()}, {.15, 850, 15, 16, 841, .0254},
		{.25, 750, 25, 26, 741, .0604}, {.35, 650, 35, 36, 641, .1243}, {.45, 550, 45, 46, 541, .2245},
		{.55, 450, 55, 56, 441, .3605},
	}
	for _, test := range tests {
		if got := p.Cut(test.psi); got != test.cut {
			t.Errorf("psi %g: cut at %d, want %d", test.psi, got, test.cut)
		}
		ddim := begin(t, p, Plan{Solver: DDIM, Steps: 100, AtLeast: test.cut}, nil).Calls()
		plms := begin(t, p, Plan{Solver: PNDM, Steps: 100, AtLeast: test.cut}, nil).Calls()
		after := begin(t, p, Plan{Solver: PNDM, Steps: 100, Below: test.cut, Restart: PublishedRestart}, nil).Calls()
		if len(ddim) != test.steps || len(plms) != test.plms || after[0] != test.firstAfter ||
			len(plms)+len(after) != 101 {
			t.Errorf("psi %g: %d steps, %d calls, then %d from %d; want %d, %d, from %d", test.psi, len(ddim),
				len(plms), len(after), after[0], test.steps, test.plms, test.firstAfter)
		}
		if got := p.SignalShare(test.firstAfter); math.Abs(got-test.share) > 5e-5 {
			t.Errorf("psi %g: signal share %.4f, want %.4f", test.psi, got, test.share)
		}
	}
	if a, b := p.SignalShare(0), p.SignalShare(999); math.Abs(a-.99915) > 5e-6 || math.Abs(b-.004660) > 5e-7 {
		t.Errorf("the schedule goes from %.5f to %.6f, want .99915 to .004660", a, b)
	}
}

func TestRestart_KeepsSample(t *testing.T) {
	p, err := New(StableDiffusion())
	if err != nil {
		t.Fatal(err)
	}
	// With a network that knows the noise, every solver follows x_t = sqrt(a_t) x0 + sqrt(1 - a_t) noise exactly, so a
	// lag is visible.
	original, added := []float64{.3, -.8, .5}, noise(1)
	start, end := make([]float64, 3), make([]float64, 3)
	p.AddNoise(start, original, added, 491)
	p.AddNoise(end, original, added, 0)
	for restart, exact := range map[Restart]bool{RepeatedRestart: true, PublishedRestart: false} {
		r := begin(t, p, Plan{Solver: PNDM, Steps: 100, Below: 500, Restart: restart}, start)
		if want := map[Restart]int{RepeatedRestart: 51, PublishedRestart: 50}[restart]; len(r.Calls()) != want {
			t.Errorf("restart %q makes %d calls, want %d", restart, len(r.Calls()), want)
		}
		for !r.Done() {
			r.Step(added, nil)
		}
		if d := distance(r.Sample(), end); (d < 1e-12) != exact {
			t.Errorf("restart %q ends %g away", restart, d)
		}
	}
}
