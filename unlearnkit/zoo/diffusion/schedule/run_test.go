package schedule

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func ExampleProcess_Begin() {
	process, err := New(StableDiffusion())
	if err != nil {
		panic(err)
	}
	run, err := process.Begin(Plan{Solver: DDIM, Steps: 4}, []float64{1, -1})
	if err != nil {
		panic(err)
	}
	for !run.Done() {
		t := run.Timestep()
		run.Step(run.Sample(), nil) // instead of a network's prediction, all of the sample is noise
		fmt.Printf("%d: %.3f\n", t, run.Sample())
	}
	// Output:
	// 751: [0.914 -0.914]
	// 501: [0.736 -0.736]
	// 251: [0.414 -0.414]
	// 1: [0.409 -0.409]
}

func TestRun_Continued(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := StableDiffusion()
		config.Prediction = rapid.SampledFrom([]Prediction{Epsilon, Velocity}).Draw(t, "prediction")
		plan := Plan{Solver: rapid.SampledFrom([]Solver{DDIM, PNDM, DDPM}).Draw(t, "solver"),
			Steps: rapid.IntRange(1, 30).Draw(t, "steps")}
		if plan.Solver == PNDM {
			config.SkipRungeKutta = plan.Steps < 4 || rapid.Bool().Draw(t, "multistep only")
		}
		if plan.Solver == DDIM {
			plan.Eta = rapid.SampledFrom([]float64{0, .4, 1}).Draw(t, "eta")
		}
		p, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := p.Begin(plan, first())
		if err != nil {
			t.Fatal(err)
		}
		stopped, _ := p.Begin(plan, first())
		stop := rapid.IntRange(0, len(whole.Calls())).Draw(t, "stop")
		for k := range stop {
			stopped.Step(network(stopped.Sample(), stopped.Timestep()), noise(k))
		}
		stored, err := json.Marshal(stopped.State())
		if err != nil {
			t.Fatal(err)
		}
		var state State
		if err := json.Unmarshal(stored, &state); err != nil {
			t.Fatal(err)
		}
		resumed, err := p.Resume(plan, state)
		if err != nil {
			t.Fatal(err)
		}
		drive(whole, 0)
		drive(resumed, stop)
		if !slices.Equal(whole.Sample(), resumed.Sample()) {
			t.Fatalf("%v, want %v", resumed.Sample(), whole.Sample())
		}
	})
}

// A run that ends at a timestep and a run that starts there equal the whole run.
func TestRun_TwoHalves(t *testing.T) {
	p, err := New(StableDiffusion())
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []Solver{DDIM, DDPM} {
		whole := begin(t, p, Plan{Solver: solver, Steps: 20}, first())
		want := drive(whole, 0)
		for _, cut := range []int{1, 300, 501, 999} {
			before := begin(t, p, Plan{Solver: solver, Steps: 20, AtLeast: cut}, first())
			made := len(drive(before, 0))
			after := begin(t, p, Plan{Solver: solver, Steps: 20, Below: cut}, before.Sample())
			drive(after, made)
			if !slices.Equal(after.Sample(), want[len(want)-1]) {
				t.Errorf("%s cut at %d: %v, want %v", solver, cut, after.Sample(), want[len(want)-1])
			}
		}
	}
}

func TestRun_Original(t *testing.T) {
	for _, prediction := range []Prediction{Epsilon, Velocity, Original} {
		config := StableDiffusion()
		config.Prediction = prediction
		p, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		original, sample, velocity := []float64{.3, -.8, .5}, make([]float64, 3), make([]float64, 3)
		p.AddNoise(sample, original, noise(1), 401)
		p.VelocityOf(velocity, original, noise(1), 401)
		r := begin(t, p, Plan{Solver: DDIM, Steps: 10, Below: 402}, sample)
		output := map[Prediction][]float64{Epsilon: noise(1), Velocity: velocity, Original: original}[prediction]
		if d := distance(r.Original(output), original); d > 1e-12 || !slices.Equal(r.Sample(), sample) ||
			r.Made() != 0 {
			t.Errorf("%s: off by %g after %d calls", prediction, d, r.Made())
		}
	}
}

func TestStep_InputsUnchanged(t *testing.T) {
	p, err := New(StableDiffusion())
	if err != nil {
		t.Fatal(err)
	}
	for _, plan := range []Plan{{Solver: DDIM, Steps: 5, Eta: 1}, {Solver: PNDM, Steps: 5}, {Solver: DDPM, Steps: 5}} {
		sample := first()
		r := begin(t, p, plan, sample)
		state := r.State()
		for k := 0; !r.Done(); k++ {
			output, added := network(r.Sample(), r.Timestep()), noise(k)
			before, addedBefore := slices.Clone(output), slices.Clone(added)
			r.Step(output, added)
			if !slices.Equal(output, before) || !slices.Equal(added, addedBefore) {
				t.Fatalf("%s changes its inputs", plan.Solver)
			}
			clear(output) // the caller may reuse the memory
		}
		if !slices.Equal(sample, first()) || !slices.Equal(state.Sample, first()) {
			t.Errorf("%s changes where it began", plan.Solver)
		}
		again := begin(t, p, plan, first())
		drive(again, 0)
		if !slices.Equal(again.Sample(), r.Sample()) {
			t.Errorf("%s keeps the caller's memory", plan.Solver)
		}
	}
}

func TestPlan_Refused(t *testing.T) {
	tests := []struct {
		change func(*Config, *Plan, *State)
		want   string
	}{
		{func(_ *Config, p *Plan, _ *State) { p.Steps = 0 }, "0 sampling steps"},
		{func(_ *Config, p *Plan, _ *State) { p.Steps = 1001 }, "1001 sampling steps"},
		{func(_ *Config, p *Plan, _ *State) { p.Steps = 1000 }, "reach timestep 1000"},
		{func(_ *Config, p *Plan, _ *State) { p.Solver = "euler" }, `solver "euler"`},
		{func(_ *Config, p *Plan, _ *State) { p.Solver, p.Eta = DDIM, 1.5 }, "eta is 1.5"},
		{func(_ *Config, p *Plan, _ *State) { p.Solver, p.Eta = DDIM, math.NaN() }, "eta is NaN"},
		{func(_ *Config, p *Plan, _ *State) { p.Eta = .5 }, "only ddim supports"},
		{func(_ *Config, p *Plan, _ *State) { p.Restart = "later" }, `restart "later"`},
		{func(c *Config, _ *Plan, _ *State) { c.Spacing = "even" }, `spacing "even"`},
		{func(c *Config, _ *Plan, _ *State) { c.Prediction = Original }, "PNDM needs"},
		{func(c *Config, p *Plan, _ *State) { c.SkipRungeKutta = false; p.Below = 500 }, "from noise to the end"},
		{func(c *Config, p *Plan, _ *State) { c.SkipRungeKutta = false; p.Steps = 3 }, "at least 4 steps"},
		{func(c *Config, _ *Plan, s *State) {
			c.SkipRungeKutta = false
			s.Next = 6
			s.History = [][]float64{{1}, {2}}
		}, "within a Runge-Kutta step"},
		{func(c *Config, _ *Plan, s *State) {
			c.SkipRungeKutta = false
			s.Next = 13
			s.History = [][]float64{{1}}
		}, "1 earlier outputs"},
		{func(_ *Config, _ *Plan, s *State) { s.Next = 12 }, "after 12 calls of a run of 11"},
		{func(_ *Config, _ *Plan, s *State) { s.Next = -1 }, "after -1 calls"},
		{func(_ *Config, _ *Plan, s *State) { s.Next = 4 }, "without their outputs"},
		{func(_ *Config, _ *Plan, s *State) { s.Next = 1; s.History = [][]float64{{1}} }, "within its first step"},
		{func(_ *Config, _ *Plan, s *State) { s.Next = 3; s.History = [][]float64{{1, 2}} }, "a part of 2"},
	}
	for _, test := range tests {
		config, plan, state := StableDiffusion(), Plan{Solver: PNDM, Steps: 10}, State{Sample: []float64{1}}
		test.change(&config, &plan, &state)
		p, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Resume(plan, state); err == nil || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one that says %q", err, test.want)
		}
	}
}

// Only the noise schedule of schedulers with other solvers is read, so users must choose a solver.
func TestConfig_ForeignScheduler(t *testing.T) {
	const noise = `"beta_start":0.00085,"beta_end":0.012,"beta_schedule":"scaled_linear"}`
	const ours = `{"_class_name":"DDIMScheduler","clip_sample":false,"set_alpha_to_one":false,`
	_, want, err := ParseConfig([]byte(ours + noise))
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range foreign {
		solver, got, err := ParseConfig([]byte(`{"_class_name":"` + class + `",` + noise))
		if err != nil || solver != "" || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, %+v, %v; want %+v", class, solver, got, err, want)
		}
		process, err := New(got)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := process.Begin(Plan{Solver: solver, Steps: 4}, make([]float64, 4)); err == nil {
			t.Errorf("%s samples without a solver", class)
		}
	}
}

func TestConfig_Refused(t *testing.T) {
	tests := []struct{ content, want string }{
		{`{`, "unexpected end"},
		{`{"_class_name":"ScoreSdeVeScheduler"}`, `"ScoreSdeVeScheduler"`},
		{`{"_class_name":"DDIMScheduler","thresholding":true}`, "thresholding"},
		{`{"_class_name":"DDIMScheduler","rescale_betas_zero_snr":true}`, "rescale_betas_zero_snr"},
		{`{"_class_name":"DDPMScheduler","variance_type":"learned_range"}`, `"learned_range"`},
		{`{"_class_name":"DDIMScheduler","beta_schedule":"sigmoid"}`, `"sigmoid"`},
		{`{"_class_name":"DDIMScheduler","prediction_type":"flow"}`, `"flow"`},
		{`{"_class_name":"DDIMScheduler","num_train_timesteps":1000000000000}`, "1000000000000 timesteps"},
		{`{"_class_name":"DDIMScheduler","trained_betas":[0.5]}`, "1 trained betas for 1000"},
		{`{"_class_name":"DDIMScheduler","beta_end":1.5}`, "must be between 0 and 1"},
		{`{"_class_name":"DDIMScheduler","beta_start":-0.1,"beta_schedule":"scaled_linear"}`, "NaN"},
		{`{"_class_name":"DDIMScheduler","steps_offset":-1}`, "offset of -1"},
		{`{"_class_name":"DDIMScheduler","clip_sample_range":-1}`, "clipping range"},
	}
	for _, test := range tests {
		if _, _, err := ParseConfig([]byte(test.content)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.content, err, test.want)
		}
	}
}

func TestConfig_StableDiffusion(t *testing.T) {
	const content = `{"_class_name":"PNDMScheduler","_diffusers_version":"0.7.0.dev0","beta_end":0.012,
		"beta_schedule":"scaled_linear","beta_start":0.00085,"num_train_timesteps":1000,"set_alpha_to_one":false,
		"skip_prk_steps":true,"steps_offset":1,"trained_betas":null,"clip_sample":false}`
	solver, config, err := ParseConfig([]byte(content))
	if err != nil || solver != PNDM || fmt.Sprint(config) != fmt.Sprint(StableDiffusion()) {
		t.Errorf("%s %+v, %v", solver, config, err)
	}
}
