package partialdiffusion

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

func ratios(t testing.TB, text string) []Ratio {
	t.Helper()
	r, err := Ratios(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The hand-overs of "Unlearning or Concealment?" at 100 steps, worked out by hand from its code. At .089 the floor of
// Algorithm 1 and the code's cut differ.
func TestHandOvers_Paper(t *testing.T) {
	tests := []struct {
		psi           string
		steps, plms   int
		timestep      int
		share         float64
		publishedStep int
	}{
		{"0", 0, 0, 991, .0051, 0}, {".001", 0, 0, 991, .0051, 0}, {".01", 1, 1, 981, .0058, 1},
		{".05", 5, 6, 941, .0091, 5}, {".089", 8, 9, 911, .0126, 9}, {".15", 15, 16, 841, .0254, 15},
		{".25", 25, 26, 741, .0604, 25}, {".35", 35, 36, 641, .1243, 35}, {".45", 45, 46, 541, .2245, 45},
		{".55", 55, 56, 441, .3605, 55}, {"1", 100, 101, -1, .99915, 100},
	}
	for _, test := range tests {
		for _, solver := range []schedule.Solver{schedule.DDIM, schedule.PNDM} {
			s := Settings{Psi: ratios(t, test.psi), Solver: solver, Steps: 100, Restart: schedule.PublishedRestart,
				Seeds: []uint64{1}}
			stages, err := s.Stages(schedule.StableDiffusion())
			if err != nil {
				t.Fatal(err)
			}
			calls, all := test.steps, 100
			if solver == schedule.PNDM {
				calls, all = test.plms, 101
			}
			stage := stages[0]
			if stage.Steps != test.steps || stage.CallsBefore != calls || stage.CallsBefore+stage.CallsAfter != all ||
				stage.Timestep != test.timestep || math.Abs(stage.SignalShare-test.share) > 6e-5 {
				t.Errorf("ψ %s, %s: %+v, want %+v", test.psi, solver, stage, test)
			}
			s.Rule = PublishedRule
			if stages, err = s.Stages(schedule.StableDiffusion()); err != nil || stages[0].Steps != test.publishedStep {
				t.Errorf("ψ %s as published: %d steps, want %d; %v", test.psi, stages[0].Steps, test.publishedStep, err)
			}
		}
	}
}

// The functions below are the networks, the first sample and the noise of testdata/gen_handover.py.

func originalNetwork(x []float64, t int) []float64 {
	output := make([]float64, len(x))
	for i := range x {
		output[i] = .6*x[i] + .3*math.Sin(x[i]+.01*float64(t))
	}
	return output
}

func otherNetwork(x []float64, t int) []float64 {
	output := make([]float64, len(x))
	for i := range x {
		output[i] = .45*x[i] + .4*math.Cos(1.3*x[i]-.007*float64(t))
	}
	return output
}

func formula(scale float64, of func(float64) float64, step, phase float64) []float64 {
	x := make([]float64, 4)
	for i := range x {
		x[i] = scale * of(step*float64(i)+phase)
	}
	return x
}

func drive(t *testing.T, p *schedule.Process, plan schedule.Plan, x []float64,
	network func([]float64, int) []float64) (end []float64, calls int) {
	t.Helper()
	run, err := p.Begin(plan, x)
	if err != nil {
		t.Fatal(err)
	}
	for !run.Done() {
		run.Step(network(run.Sample(), run.Timestep()), formula(1.3, math.Sin, 1.7, .37*float64(run.Timestep())+.5))
	}
	return run.Sample(), run.Made()
}

func apart(a, b []float64) float64 {
	var largest, scale float64
	for i := range a {
		largest, scale = max(largest, math.Abs(a[i]-b[i])), max(scale, math.Abs(b[i]))
	}
	return largest / scale
}

func TestHandOvers_EqualDiffusers(t *testing.T) {
	content, err := os.ReadFile("testdata/handover.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Cases []struct {
			Solver      schedule.Solver
			Steps       int
			Eta         float64
			Restart     string
			Psi         string
			CallsBefore int `json:"calls_before"`
			CallsAfter  int `json:"calls_after"`
			Handed, End []float64
			Float32     []float64
		}
	}
	if err := json.Unmarshal(content, &reference); err != nil || len(reference.Cases) == 0 {
		t.Fatal(err)
	}
	process, err := schedule.New(schedule.StableDiffusion())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range reference.Cases {
		t.Run(fmt.Sprintf("%s %s %d steps eta %g psi %s", want.Solver, want.Restart, want.Steps, want.Eta, want.Psi),
			func(t *testing.T) {
				s := Settings{Psi: ratios(t, want.Psi), Rule: PublishedRule, Solver: want.Solver, Steps: want.Steps,
					Eta: want.Eta, Seeds: []uint64{1}}
				if want.Restart == "published" {
					s.Restart = schedule.PublishedRestart
				}
				stages, err := s.Stages(schedule.StableDiffusion())
				if err != nil {
					t.Fatal(err)
				}
				stage := stages[0]
				handed, before := drive(t, process, stage.Before, formula(1.2, math.Cos, 1.1, .4), originalNetwork)
				end, after := handed, 0
				if stage.Timestep >= 0 {
					end, after = drive(t, process, stage.After, handed, otherNetwork)
				}
				if before != want.CallsBefore || after != want.CallsAfter || before != stage.CallsBefore ||
					after != stage.CallsAfter {
					t.Errorf("%d and %d calls, want %d and %d", before, after, want.CallsBefore, want.CallsAfter)
				}
				if d := apart(handed, want.Handed); d > 1e-10 {
					t.Errorf("hands over %v, want %v, off by %g", handed, want.Handed, d)
				}
				if d := apart(end, want.End); d > 1e-10 {
					t.Errorf("ends at %v, want %v, off by %g", end, want.End, d)
				}
				if d := apart(end, want.Float32); d > 1e-5 {
					t.Errorf("diffusers in float32 ends at %v, this at %v, off by %g", want.Float32, end, d)
				}
			})
	}
}

func TestSettings_Refused(t *testing.T) {
	tests := []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Psi = nil }, "no ψ"},
		{func(s *Settings) { s.Seeds = nil }, "0 seeds"},
		{func(s *Settings) { s.Seeds = []uint64{3, 1, 3} }, "twice"},
		{func(s *Settings) { s.Psi = ratios(t, ".5,.25") }, "ψ .5 comes before .25"},
		{func(s *Settings) { s.Psi = ratios(t, ".5,0.50") }, "ψ .5 comes before 0.50"},
		{func(s *Settings) { s.Rule = "round" }, `rule "round"`},
		{func(s *Settings) { s.Solver = "ddpm" }, `solver "ddpm"`},
		{func(s *Settings) { s.Steps = 0 }, "0 sampling steps"},
		{func(s *Settings) { s.Eta = 2 }, "eta is 2"},
		{func(s *Settings) { s.Solver, s.Eta = schedule.PNDM, 1 }, "only ddim supports"},
		{func(s *Settings) { s.Solver, s.Restart = schedule.PNDM, "again" }, `restart "again"`},
	}
	for _, test := range tests {
		s := Settings{Psi: ratios(t, "0,.5,1"), Solver: schedule.DDIM, Steps: 10, Seeds: []uint64{1, 2}}
		test.change(&s)
		if _, err := s.Stages(schedule.StableDiffusion()); err == nil || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one that says %q", err, test.want)
		}
	}
}
