package optim_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

func TestSchedules_EqualTorch(t *testing.T) {
	const peak = 0.3
	schedules := map[string]optim.Schedule{
		"warmup":            optim.LinearWarmup{Peak: peak, Warmup: 7},
		"linear":            optim.Linear{Peak: peak, Warmup: 7, Steps: 25},
		"linear to a floor": optim.Linear{Peak: peak, Steps: 20, Floor: peak / 4},
		"cosine":            optim.Cosine{Peak: peak, Warmup: 7, Steps: 29},
		"cosine to a floor": optim.Cosine{Peak: peak, Warmup: 7, Steps: 29, Floor: 0.06},
		"annealing":         optim.Cosine{Peak: peak, Steps: 29, Floor: 0.01},
	}
	want := load(t).Schedules
	if len(want) != len(schedules) {
		t.Fatalf("the reference has %d schedules, the test %d", len(want), len(schedules))
	}
	for name, schedule := range schedules {
		for step, rate := range want[name] {
			if got := schedule.Rate(step); math.Abs(got-rate) > 1e-12 {
				t.Errorf("%s: the rate of step %d is %.15g, the original's %.15g", name, step, got, rate)
			}
		}
	}
}

func TestPlateau_EqualsTorch(t *testing.T) {
	for i, c := range load(t).Plateaus {
		p := &optim.Plateau{
			Initial: 0.3, Factor: c.Options.Factor, Patience: c.Options.Patience, Threshold: c.Options.Threshold,
			Absolute: c.Options.ThresholdMode == "abs",
			Maximize: c.Options.Mode == "max", Cooldown: c.Options.Cooldown, Floor: c.Options.MinLR,
		}
		for j, value := range c.Observed {
			observed := math.NaN()
			if value != nil {
				observed = *value
			}
			p.Observe(observed)
			if got := p.Rate(j); math.Abs(got-c.Rates[j]) > 1e-12 {
				t.Errorf("case %d: the rate after observation %d is %g, torch's %g", i, j, got, c.Rates[j])
			}
			p = saved(t, p)
		}
	}
}

// saved returns a plateau that was written as JSON and read back.
func saved(t *testing.T, p *optim.Plateau) *optim.Plateau {
	t.Helper()
	content, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	back := new(optim.Plateau)
	if err := json.Unmarshal(content, back); err != nil {
		t.Fatal(err)
	}
	return back
}

func TestSchedules_PeakAndFloor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		peak := rapid.Float64Range(1e-6, 1).Draw(t, "peak")
		floor := rapid.Float64Range(0, 1).Draw(t, "floor") * peak
		warmup := rapid.IntRange(0, 20).Draw(t, "warmup")
		steps := warmup + rapid.IntRange(1, 40).Draw(t, "steps")
		for name, s := range map[string]optim.Schedule{"linear": optim.Linear{Peak: peak, Warmup: warmup, Steps: steps,
			Floor: floor}, "cosine": optim.Cosine{Peak: peak, Warmup: warmup, Steps: steps, Floor: floor}} {
			rounding := 1e-15 * peak
			if math.Abs(s.Rate(warmup)-peak) > rounding || math.Abs(s.Rate(steps)-floor) > rounding ||
				s.Rate(steps+7) != s.Rate(steps) {
				t.Fatalf("%s: %g at the peak %g, %g and %g at the end %g", name, s.Rate(warmup), peak, s.Rate(steps),
					s.Rate(steps+7), floor)
			}
			for step := 1; step <= steps; step++ {
				if rise := s.Rate(step) - s.Rate(step-1); step <= warmup && rise <= 0 || step > warmup &&
					rise > rounding {
					t.Fatalf("%s: the rate changes by %g at step %d of a warm-up of %d", name, rise, step, warmup)
				}
			}
		}
	})
}

func ExampleCosine() {
	schedule := optim.Cosine{Peak: 1e-3, Warmup: 2, Steps: 10, Floor: 1e-5}
	for _, step := range []int{0, 1, 2, 6, 10, 11} {
		fmt.Printf("%d: %.6f\n", step, schedule.Rate(step))
	}
	// Output:
	// 0: 0.000000
	// 1: 0.000500
	// 2: 0.001000
	// 6: 0.000505
	// 10: 0.000010
	// 11: 0.000010
}

func ExamplePlateau() {
	plateau := &optim.Plateau{Initial: 0.1, Patience: 1, Factor: 0.5}
	for epoch, loss := range []float64{2, 1, 1, 1, 0.5} {
		plateau.Observe(loss)
		fmt.Println(loss, plateau.Rate(epoch))
	}
	// Output:
	// 2 0.1
	// 1 0.1
	// 1 0.1
	// 1 0.05
	// 0.5 0.05
}
