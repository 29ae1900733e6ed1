package diffusion_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

func TestPipeline_EqualsDiffusers(t *testing.T) {
	reference := paritytest.Open(t, "testdata/pipeline/reference.safetensors")
	p, err := diffusion.OpenPipeline(devicetest.Open(t), "testdata/pipeline")
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := p.Hidden(t.Context(), reference.Tensor("prompt", dtypes.Int32))
	if err != nil {
		t.Fatal(err)
	}
	reference.Compare("hidden", prompt, 1e-4, 0)
	empty, err := p.Hidden(t.Context(), reference.Tensor("empty", dtypes.Int32))
	if err != nil {
		t.Fatal(err)
	}
	denoiser := newDenoiser(t, p.UNet, p.Model)
	noise := reference.Floats("noise")
	for name, plan := range map[string]schedule.Plan{"plms": {Solver: p.Solver, Steps: 8},
		"ddim": {Solver: schedule.DDIM, Steps: 8, Eta: 1}} {
		result, err := diffusion.Sample(t.Context(), denoiser, diffusion.SampleOptions{
			Plan: plan, Guidance: 7.5, Prompt: prompt, Empty: empty, Seeds: make([]uint64, 2), Height: 4, Width: 8,
			Start: reference.Floats("latents"),
			Noise: func(timestep int) []float64 { return noise[(876-timestep)/125*256:][:256] },
		})
		if err != nil {
			t.Fatal(err)
		}
		reference.Compare(name+".latents", tensors.FromFlatDataAndDimensions(result.Samples, result.Shape...), 1e-4, 0)
		pictures, err := p.Pictures(t.Context(), result)
		if err != nil {
			t.Fatal(err)
		}
		reference.Compare(name+".image", pictures, 1e-4, 0)
	}
}

func TestPipeline_MissingPart(t *testing.T) {
	d := devicetest.Open(t)
	for _, missing := range []string{"scheduler", "unet", "vae", "text_encoder"} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS("testdata/pipeline")); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, missing)); err != nil {
			t.Fatal(err)
		}
		if _, err := diffusion.OpenPipeline(d, dir); err == nil || !strings.Contains(err.Error(), missing) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("without %s: error %v", missing, err)
		}
	}
}

func newDenoiser(t *testing.T, store *model.Store, m diffusion.Model) *diffusion.Denoiser {
	t.Helper()
	denoiser, err := diffusion.NewDenoiser(devicetest.Open(t), store.RootScope(), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(denoiser.Close)
	return denoiser
}

// tiny returns a model with random weights and a given kind of prediction.
func tiny(root uint64, prediction schedule.Prediction) (diffusion.Model, *model.Store) {
	m := diffusion.Model{
		UNet: diffusion.UNetConfig{In: 3, Out: 3, SampleSize: 4, Context: 5, Groups: 2, Epsilon: 1e-5,
			CosineFirst: true,
			Levels: []diffusion.Level{{Channels: 4, Layers: 1},
				{Channels: 6, Layers: 1, DownAttention: true, UpAttention: true, Heads: 2, Blocks: 1}}},
		Schedule: schedule.StableDiffusion(),
	}
	m.Schedule.Prediction = prediction
	store := model.NewStore()
	nn.Seed(store.RootScope(), root)
	return m, store
}

func hidden(count int, phase float64) *tensors.Tensor {
	values := make([]float32, count*2*5)
	for i := range values {
		values[i] = float32(math.Sin(phase + 1.7*float64(i)))
	}
	return tensors.FromFlatDataAndDimensions(values, count, 2, 5)
}

func options(plan schedule.Plan) diffusion.SampleOptions {
	return diffusion.SampleOptions{Plan: plan, Guidance: 3, Prompt: hidden(3, 1), Empty: hidden(1, 2),
		Seeds: []uint64{7, 8, 9}}
}

func sample(t *testing.T, n *diffusion.Denoiser, o diffusion.SampleOptions) diffusion.Result {
	t.Helper()
	result, err := diffusion.Sample(t.Context(), n, o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestSample_Continued(t *testing.T) {
	m, store := tiny(1, schedule.Original)
	denoiser := newDenoiser(t, store, m)
	for _, plan := range []schedule.Plan{{Solver: schedule.PNDM, Steps: 6}, {Solver: schedule.DDIM, Steps: 6, Eta: .7},
		{Solver: schedule.DDPM, Steps: 6}} {
		whole := sample(t, denoiser, options(plan))
		for stop := 1; stop < 6; stop++ {
			ctx, cancel := context.WithCancel(t.Context())
			o := options(plan)
			o.Progress = func(calls, of int) {
				if calls == stop {
					cancel()
				}
			}
			stopped, err := diffusion.Sample(ctx, denoiser, o)
			if !errors.Is(err, context.Canceled) || stopped.State.Next != stop {
				t.Fatalf("%s cancelled at call %d stands at %d: %v", plan.Solver, stop, stopped.State.Next, err)
			}
			stored, err := json.Marshal(stopped.State)
			if err != nil {
				t.Fatal(err)
			}
			o, o.Progress, o.State = options(plan), nil, &schedule.State{}
			if err := json.Unmarshal(stored, o.State); err != nil {
				t.Fatal(err)
			}
			if resumed := sample(t, denoiser, o); !slices.Equal(resumed.Samples, whole.Samples) {
				t.Errorf("%s stopped at call %d goes on to another sample", plan.Solver, stop)
			}
		}
	}
}

func TestSample_BatchIgnored(t *testing.T) {
	m, store := tiny(1, schedule.Velocity)
	denoiser := newDenoiser(t, store, m)
	plan := schedule.Plan{Solver: schedule.DDIM, Steps: 4, Eta: 1}
	together := sample(t, denoiser, options(plan))
	o := options(plan)
	o.Batch = 2
	if apart := sample(t, denoiser, o); relative(apart.Samples, together.Samples) > 1e-5 {
		t.Error("a smaller batch gives other samples")
	}
	size := len(together.Samples) / 3
	o = options(plan)
	o.Seeds = []uint64{9}
	o.Prompt = tensors.FromFlatDataAndDimensions(tensors.MustCopyFlatData[float32](o.Prompt)[20:], 1, 2, 5)
	if alone := sample(t, denoiser, o); relative(alone.Samples, together.Samples[2*size:]) > 1e-5 {
		t.Error("the third sample drawn alone is another")
	}
	if relative(together.Samples[:size], together.Samples[size:2*size]) < .01 {
		t.Error("two seeds give one sample")
	}
}

// Partial diffusion with the same model twice is the same as sampling.
func TestPartialDiffusion_WithItself(t *testing.T) {
	m, store := tiny(1, schedule.Epsilon)
	other, otherStore := tiny(2, schedule.Epsilon)
	denoiser, unlearned := newDenoiser(t, store, m), newDenoiser(t, otherStore, other)
	whole := sample(t, denoiser, options(schedule.Plan{Solver: schedule.DDIM, Steps: 10, Eta: 1}))
	for _, cut := range []int{101, 400, 901} {
		before := sample(t, denoiser, options(schedule.Plan{Solver: schedule.DDIM, Steps: 10, Eta: 1, AtLeast: cut}))
		o := options(schedule.Plan{Solver: schedule.DDIM, Steps: 10, Eta: 1, Below: cut})
		o.Start = before.Samples
		if after := sample(t, denoiser, o); !slices.Equal(after.Samples, whole.Samples) {
			t.Errorf("a hand-over at %d changes the sample", cut)
		}
		if mixed := sample(t, unlearned, o); slices.Equal(mixed.Samples, whole.Samples) {
			t.Errorf("after a hand-over at %d another model draws the same", cut)
		}
	}
}

func TestSample_NoGuidance(t *testing.T) {
	m, store := tiny(1, schedule.Epsilon)
	denoiser := newDenoiser(t, store, m)
	o := options(schedule.Plan{Solver: schedule.DDIM, Steps: 3})
	o.Guidance, o.Empty = 1, nil
	alone := sample(t, denoiser, o)
	o = options(schedule.Plan{Solver: schedule.DDIM, Steps: 3})
	o.Guidance = 1 + 1e-9
	if guided := sample(t, denoiser, o); relative(guided.Samples, alone.Samples) > 1e-5 {
		t.Error("guidance of strength 1 is not the prompt alone")
	}
	o.Guidance = 4
	if guided := sample(t, denoiser, o); relative(guided.Samples, alone.Samples) < .01 {
		t.Error("guidance of strength 4 changes nothing")
	}
}

func ExampleSample() {
	d, err := device.Open("go")
	if err != nil {
		panic(err)
	}
	m, store := tiny(1, schedule.Original) // random weights; OpenPipeline would read weights from a folder
	denoiser, err := diffusion.NewDenoiser(d, store.RootScope(), m)
	if err != nil {
		panic(err)
	}
	defer denoiser.Close()
	result, err := diffusion.Sample(context.Background(), denoiser, diffusion.SampleOptions{
		Plan: schedule.Plan{Solver: schedule.DDIM, Steps: 4}, Guidance: 3, Prompt: hidden(2, 1), Empty: hidden(1, 2),
		Seeds:    []uint64{42, 43},
		Progress: func(calls, of int) { fmt.Println(calls, "of", of) },
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Shape)
	// Output:
	// 1 of 4
	// 2 of 4
	// 3 of 4
	// 4 of 4
	// [2 3 4 4]
}

func TestNewDenoiser_Refused(t *testing.T) {
	m, store := tiny(1, schedule.Epsilon)
	m.UNet.Out = 4
	if _, err := diffusion.NewDenoiser(devicetest.Open(t), store.RootScope(), m); err == nil ||
		!strings.Contains(err.Error(), "from 3 channels to 4") {
		t.Errorf("error %v", err)
	}
}

func TestSampleOptions_Refused(t *testing.T) {
	m, store := tiny(1, schedule.Epsilon)
	denoiser := newDenoiser(t, store, m)
	tests := []struct {
		change func(*diffusion.SampleOptions)
		want   string
	}{
		{func(o *diffusion.SampleOptions) { o.Seeds = nil }, "0 samples"},
		{func(o *diffusion.SampleOptions) { o.Height = -1 }, "-1×4"},
		{func(o *diffusion.SampleOptions) { o.Prompt = nil }, "Prompt is missing"},
		{func(o *diffusion.SampleOptions) { o.Empty = nil }, "Empty is missing"},
		{func(o *diffusion.SampleOptions) { o.Prompt = hidden(2, 1) }, "(Float32)[3 words 5]"},
		{func(o *diffusion.SampleOptions) { o.Empty = hidden(2, 1) }, "Empty is"},
		{func(o *diffusion.SampleOptions) {
			o.Empty = tensors.FromFlatDataAndDimensions(make([]float32, 15), 1, 3, 5)
		}, "the prompts have 2 words and the empty ones 3"},
		{func(o *diffusion.SampleOptions) {
			o.Prompt = tensors.FromFlatDataAndDimensions(make([]float64, 30), 3, 2, 5)
		}, "Float64"},
		{func(o *diffusion.SampleOptions) { o.Start = make([]float64, 5) }, "5 numbers to start from"},
		{func(o *diffusion.SampleOptions) {
			o.State = &schedule.State{Sample: make([]float64, 7)}
		}, "7 numbers to start from"},
		{func(o *diffusion.SampleOptions) { o.Plan.Solver = "heun" }, `"heun"`},
		{func(o *diffusion.SampleOptions) { o.Plan.Steps = 0 }, "0 sampling steps"},
	}
	for _, test := range tests {
		o := options(schedule.Plan{Solver: schedule.DDIM, Steps: 3})
		test.change(&o)
		if _, err := diffusion.Sample(t.Context(), denoiser, o); err == nil ||
			!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one that says %q", err, test.want)
		}
	}
}
