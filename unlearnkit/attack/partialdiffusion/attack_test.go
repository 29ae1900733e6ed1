package partialdiffusion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// tiny returns a small model with random weights, which depend on root.
func tiny(t testing.TB, name string, root uint64, change func(*diffusion.Model)) Model {
	t.Helper()
	m := diffusion.Model{
		UNet: diffusion.UNetConfig{In: 3, Out: 3, SampleSize: 4, Context: 5, Groups: 2, Epsilon: 1e-5,
			CosineFirst: true,
			Levels: []diffusion.Level{{Channels: 4, Layers: 1},
				{Channels: 6, Layers: 1, DownAttention: true, UpAttention: true, Heads: 2, Blocks: 1}}},
		Schedule: schedule.StableDiffusion(),
	}
	if change != nil {
		change(&m)
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), root)
	denoiser, err := diffusion.NewDenoiser(devicetest.Open(t), store.RootScope(), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(denoiser.Close)
	return Model{name, denoiser, hidden(1, float64(root)), hidden(1, 2)}
}

func hidden(count int, phase float64) *tensors.Tensor {
	values := make([]float32, count*2*5)
	for i := range values {
		values[i] = float32(math.Sin(phase + 1.7*float64(i)))
	}
	return tensors.FromFlatDataAndDimensions(values, count, 2, 5)
}

func settings(t testing.TB, solver schedule.Solver, eta float64) Settings {
	return Settings{Psi: ratios(t, "0,.05,.25,.29,.5,.9,1"), Solver: solver, Steps: 10, Eta: eta, Guidance: 3,
		Seeds: []uint64{7, 8, 9}}
}

// alone returns the samples that a model draws by itself.
func alone(t testing.TB, s Settings, m Model, change func(*diffusion.SampleOptions)) []float64 {
	t.Helper()
	o := s.options(m, schedule.Plan{Solver: s.Solver, Steps: s.Steps, Eta: s.Eta})
	if change != nil {
		change(&o)
	}
	result, err := diffusion.Sample(t.Context(), m.Denoiser, o)
	if err != nil {
		t.Fatal(err)
	}
	return result.Samples
}

// A hand-over at any ratio, from none of the original's steps to all of them, equals two separate runs.
func TestAttack_HandOver(t *testing.T) {
	original, unlearned := tiny(t, "original", 1, nil), tiny(t, "unlearned", 2, nil)
	for _, test := range []struct {
		solver  schedule.Solver
		eta     float64
		restart schedule.Restart
	}{{schedule.DDIM, 0, ""}, {schedule.DDIM, 1, ""}, {schedule.PNDM, 0, ""},
		{schedule.PNDM, 0, schedule.PublishedRestart}} {
		s := settings(t, test.solver, test.eta)
		s.Restart = test.restart
		prefixes, err := Begin(t.Context(), s, original, nil)
		if err != nil {
			t.Fatal(err)
		}
		completions, err := prefixes.Complete(t.Context(), unlearned, nil)
		if err != nil {
			t.Fatal(err)
		}
		last := len(s.Psi) - 1
		if !slices.Equal(completions.Latents[0], alone(t, s, unlearned, nil)) {
			t.Errorf("%v: ψ = 0 is not what the unlearned model draws alone", test)
		}
		if !slices.Equal(completions.Latents[last], alone(t, s, original, nil)) {
			t.Errorf("%v: ψ = 1 is not what the original draws alone", test)
		}
		for i, hand := range prefixes.HandOvers[:last] {
			if hand.Steps == 0 {
				continue
			}
			// The reference starts from noise, without stored prefixes of other ratios.
			before := alone(t, s, original, func(o *diffusion.SampleOptions) { o.Plan.AtLeast = hand.Timestep + 1 })
			if !slices.Equal(hand.Latents, before) {
				t.Errorf("%v: the latent at ψ %s is another than without the prefix kept", test, hand.Psi)
			}
			after := alone(t, s, unlearned, func(o *diffusion.SampleOptions) {
				o.Plan.Below, o.Plan.Restart, o.Start = hand.Timestep+1, test.restart, before
			})
			if !slices.Equal(completions.Latents[i], after) {
				t.Errorf("%v: the completion at ψ %s is another than without the prefix kept", test, hand.Psi)
			}
			if slices.Equal(completions.Latents[i], completions.Latents[last]) ||
				slices.Equal(completions.Latents[i], completions.Latents[0]) {
				t.Errorf("%v: ψ %s draws what an end draws", test, hand.Psi)
			}
		}
	}
}

// The prediction agrees with the noise that a single step implies.
func TestAttack_Prediction(t *testing.T) {
	original := tiny(t, "original", 1, nil)
	s := settings(t, schedule.DDIM, 0)
	prefixes, err := Begin(t.Context(), s, original, nil)
	if err != nil {
		t.Fatal(err)
	}
	process, err := schedule.New(schedule.StableDiffusion())
	if err != nil {
		t.Fatal(err)
	}
	for _, hand := range prefixes.HandOvers[:len(s.Psi)-1] {
		// The noise in the latent follows from the latent after one step: x' = sqrt(a') x0 + sqrt(1-a') e and x =
		// sqrt(a) x0 + sqrt(1-a) e.
		next := alone(t, s, original, func(o *diffusion.SampleOptions) {
			o.Plan.AtLeast, o.Plan.Below, o.Start = hand.Timestep, hand.Timestep+1, hand.Latents
		})
		from, to := process.SignalShare(hand.Timestep), process.SignalShare(hand.Timestep-100)
		want := make([]float64, len(next))
		for i := range want {
			determinant := math.Sqrt(from*(1-to)) - math.Sqrt(to*(1-from))
			want[i] = (hand.Latents[i]*math.Sqrt(1-to) - next[i]*math.Sqrt(1-from)) / determinant
		}
		if d := apart(hand.Predicted, want); d > 1e-6 {
			t.Errorf("ψ %s: the prediction is off by %g", hand.Psi, d)
		}
	}
	if last := prefixes.HandOvers[len(s.Psi)-1]; !slices.Equal(last.Predicted, last.Latents) {
		t.Error("at the end the prediction is not the latent")
	}
}

// source returns a Source of m that uses the latents as the pictures.
func source(m Model, role attack.Role, retained attack.Share) Source {
	decode := func(_ context.Context, latents diffusion.Result) (*tensors.Tensor, error) {
		single := make([]float32, len(latents.Samples))
		for i, value := range latents.Samples {
			single[i] = float32(value / 3)
		}
		return tensors.FromFlatDataAndDimensions(single, latents.Shape...), nil
	}
	return Source{Name: m.Name, Role: role, Retained: retained, Open: func(context.Context) (*Opened, error) {
		return &Opened{Model: m, Decode: decode}, nil
	}}
}

// brighter recognises the concept in pictures whose mean is above zero.
func brighter(_ context.Context, pictures *tensors.Tensor) ([]Judgement, error) {
	var judgements []Judgement
	for picture := range slices.Chunk(tensors.MustCopyFlatData[float32](pictures), 48) {
		sum := 0.
		for _, x := range picture {
			sum += float64(x)
		}
		judgements = append(judgements, Judgement{1 / (1 + math.Exp(-sum)), sum > 0})
	}
	return judgements, nil
}

// An attack scores every seed of every model, and reports its progress.
func TestAttack_Progress(t *testing.T) {
	a := &Attack{Settings: settings(t, schedule.DDIM, 1),
		Original: source(tiny(t, "original", 1, nil), "", attack.Share{}), Judge: brighter, Targets: []Source{
			source(tiny(t, "erased", 2, nil), attack.Unlearned, attack.Share{Right: 9, Of: 10}),
			source(tiny(t, "gold", 3, nil), attack.Gold, attack.Share{}),
		}}
	a.Batch = 2
	var heard []int
	var total int
	r, err := a.Run(t.Context(), func(done, of int) { heard, total = append(heard, done), of })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2*7*3 || len(r.Columns) != 5 ||
		fmt.Sprint(r.Lacks()) != "[the retained accuracy of gold was not measured: a destroyed model also has "+
			"a flat curve]" {
		t.Errorf("%d rows, %d columns, %v", len(r.Rows), len(r.Columns), r.Lacks())
	}
	for i, done := range heard {
		if done != i+1 {
			t.Fatalf("progress %v", heard)
		}
	}
	if len(heard) != total {
		t.Errorf("%d calls of %d", len(heard), total)
	}
	summary, err := r.Summary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range summary.Curves {
		first, last := c.Points[0], c.Points[6]
		want := map[string][2]float64{Nearness: {0, 1}, distanceOwn: {0, math.NaN()}, distanceOriginal: {math.NaN(), 0}}
		if w, ok := want[c.Column]; ok &&
			(!(math.IsNaN(w[0]) || *first.Estimate == w[0]) || !(math.IsNaN(w[1]) || *last.Estimate == w[1])) {
			t.Errorf("%s %s from %g to %g", c.Model, c.Column, *first.Estimate, *last.Estimate)
		}
		if c.Column == Recovered && *last.Estimate != *summary.Curves[slices.IndexFunc(summary.Curves,
			func(o attack.CurveSummary) bool {
				return o.Column == Recovered
			})].Points[6].Estimate {
			t.Error("at ψ = 1 two models draw differently")
		}
	}
}

func TestAttack_Cancel(t *testing.T) {
	for _, stop := range []int{1, 4, 9, 20, 40} {
		ctx, cancel := context.WithCancel(t.Context())
		a := &Attack{Settings: settings(t, schedule.PNDM, 0),
			Original: source(tiny(t, "original", 1, nil), "", attack.Share{}), Targets: []Source{
				source(tiny(t, "erased", 2, nil), attack.Unlearned, attack.Share{}),
			}}
		last := 0
		_, err := a.Run(ctx, func(done, _ int) {
			if last = done; done == stop {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || last != stop || strings.Contains(err.Error(), "\n") {
			t.Errorf("cancelled at call %d, it stopped at %d: %v", stop, last, err)
		}
	}
}

func TestAttack_UnlikeModels(t *testing.T) {
	original := tiny(t, "original", 1, nil)
	prefixes, err := Begin(t.Context(), settings(t, schedule.DDIM, 0), original, nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*diffusion.Model){
		"wide is of another shape":         func(m *diffusion.Model) { m.UNet.Levels[1].Channels = 8 },
		"channels in and [4 6]":            func(m *diffusion.Model) { m.UNet.In, m.UNet.Out = 4, 4 },
		"wide has another noise schedule":  func(m *diffusion.Model) { m.Schedule.BetaEnd = .02 },
		"another noise schedule than the ": func(m *diffusion.Model) { m.Schedule.StepsOffset = 0 },
	} {
		if _, err := prefixes.Complete(t.Context(), tiny(t, "wide", 2, change), nil); err == nil ||
			!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	if _, err := prefixes.Complete(t.Context(), tiny(t, "velocity", 2, func(m *diffusion.Model) {
		m.Schedule.Prediction = schedule.Velocity
	}), nil); err != nil {
		t.Errorf("a model that predicts something else of the same process is refused: %v", err)
	}
}

func TestAttack_BadSources(t *testing.T) {
	m := tiny(t, "m", 1, nil)
	good, other := source(m, attack.Unlearned, attack.Share{}), m.Denoiser.Model()
	other.UNet.In = 9
	config := m.Denoiser.Model()
	shaped := good
	shaped.Config = &other
	for want, a := range map[string]*Attack{
		"two models are named m": {Settings: settings(t, schedule.DDIM, 0), Original: good,
			Targets: []Source{good, good}},
		`the role ""`: {Settings: settings(t, schedule.DDIM, 0), Original: good,
			Targets: []Source{source(m, "", attack.Share{})}},
		"of another shape": {Settings: settings(t, schedule.DDIM, 0),
			Original: Source{Config: &config, Open: good.Open}, Targets: []Source{shaped}},
		"0 sampling steps": {Original: Source{Config: &config, Open: good.Open}},
	} {
		if _, err := a.Draw(t.Context(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// The test counts the calls that stored prefixes save, and logs the time.
func TestPrefixes_ServeAllRatios(t *testing.T) {
	original, unlearned := tiny(t, "original", 1, nil), tiny(t, "unlearned", 2, nil)
	s := settings(t, schedule.DDIM, 0)
	s.Psi, s.Steps = append(PaperRatios(), ratios(t, "1")...), 20
	alone(t, s, original, func(o *diffusion.SampleOptions) { o.Plan.AtLeast = 900 }) // compiles the graph
	start := time.Now()
	prefixes, err := Begin(t.Context(), s, original, nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := time.Since(start)
	completions, err := prefixes.Complete(t.Context(), unlearned, nil)
	if err != nil {
		t.Fatal(err)
	}
	// If every ratio ran alone, the original would make 0+0+1+3+5+7+9+11+20 calls. At .001 and at .01 the other model
	// does the same 20 steps, which run once.
	if prefixes.Calls != (Calls{20, 56}) || completions.Calls != (Calls{104, 124}) {
		t.Errorf("calls %+v and %+v", prefixes.Calls, completions.Calls)
	}
	start = time.Now()
	for _, hand := range prefixes.HandOvers {
		alone(t, s, original, func(o *diffusion.SampleOptions) { o.Plan = hand.Before })
	}
	t.Logf("the original's part took %s with prefixes kept, 7 predictions included, and %s without", kept,
		time.Since(start))
}

// BenchmarkPrefixes times the original's steps for the paper's ratios: eight pictures of 32×32 pixels in 25 steps.
func BenchmarkPrefixes(b *testing.B) {
	m := diffusion.Small()
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	denoiser, err := diffusion.NewDenoiser(devicetest.Open(b), store.RootScope(), m)
	if err != nil {
		b.Fatal(err)
	}
	defer denoiser.Close()
	prompt := tensors.FromFlatDataAndDimensions(make([]float32, 2*m.UNet.Context), 1, 2, m.UNet.Context)
	original := Model{"original", denoiser, prompt, prompt}
	s := Settings{Psi: append(PaperRatios(), ratios(b, "1")...), Solver: schedule.DDIM, Steps: 25, Guidance: 3,
		Seeds: []uint64{1, 2, 3, 4, 5, 6, 7, 8}}
	prefixes, err := Begin(b.Context(), s, original, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			if _, err := Begin(b.Context(), s, original, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(prefixes.Calls.Made), "calls")
	})
	b.Run("anew", func(b *testing.B) {
		for b.Loop() {
			for _, hand := range prefixes.HandOvers {
				alone(b, s, original, func(o *diffusion.SampleOptions) { o.Plan = hand.Before })
			}
		}
		b.ReportMetric(float64(prefixes.Calls.Without), "calls")
	})
}
