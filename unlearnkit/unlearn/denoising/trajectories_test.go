package denoising_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

func TestTrajectories_Drawer(t *testing.T) {
	unlearntest.Watch(t)
	for _, test := range []struct {
		method denoising.Method
		by     string
	}{
		{denoising.ESDX(), "the policy as it is"}, {denoising.NewerESDX(), "the frozen model"},
		{denoising.SDD(), "the average"},
	} {
		j := erasing(t, test.method, 3)
		plain := tinyDiffusion(t)
		var moving map[string]string // the policy after the last step
		j.Progress = func(int, int) { moving = unlearntest.Contents(t, j.Store, unlearn.Policy) }
		draws := 0
		j.Task = watching(plain, func(scope *model.Scope, s denoising.Sampling, drawn *tensors.Tensor) {
			if draws++; draws == 1 {
				return // the first drawing precedes the first step
			}
			models := map[string]string{}
			note := func() {
				name := "the policy as it is"
				if len(unlearntest.Differing(moving, unlearntest.Contents(t, j.Store, unlearn.Policy))) > 0 {
					name = "the average"
				}
				models[name] = drawnBy(t, plain, j.Store.RootScope().At(unlearn.Policy), s)
			}
			note()
			if test.method.Reference {
				models["the frozen model"] = drawnBy(t, plain, j.Store.RootScope().At(unlearn.Reference), s)
			} else {
				average := optim.Optimizer{Scope: "optimizer_0"}
				for range 2 { // exchange the policy for the average, and back
					if err := average.SwapAverage(j.Store); err != nil {
						t.Fatal(err)
					}
					note()
				}
			}
			if len(models) != 2 {
				t.Errorf("%s: %d models could have drawn", test.method.Name, len(models))
			}
			for name, would := range models {
				if same := would == bytesOf(drawn); same != (name == test.by) {
					t.Errorf("%s: the same as %s draws: %v", test.method.Name, name, same)
				}
			}
		})
		if _, err := j.Run(t.Context()); err != nil || draws != 3 {
			t.Errorf("%s: %d draws, %v", test.method.Name, draws, err)
		}
	}
}

func TestTrajectories_Timesteps(t *testing.T) {
	unlearntest.Watch(t)
	j := erasing(t, denoising.ESDX(), 1)
	j.Values = unlearn.Values{"trajectories": 6, "stops": 4, "steps": 50, "batch": 24}
	var asked denoising.Sampling
	j.Task = watching(tinyDiffusion(t), func(_ *model.Scope, s denoising.Sampling, _ *tensors.Tensor) { asked = s })
	var times []int32
	j.Progress = func(int, int) {
		kept := j.Store.GetVariable("/optimizer_0/drawn/trajectories/column/timestep")
		times = tensors.MustCopyFlatData[int32](kept.MustValue())
	}
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, stop := range slices.Concat(asked.Stops...) {
		if low := int32(20 * (49 - stop)); times[i] < low || times[i] >= low+20 {
			t.Errorf("after %d steps of 50 the timestep is %d, want %d to %d", stop, times[i], low, low+19)
		}
	}
	if len(times) != 24 || len(asked.Seeds) != 6 {
		t.Errorf("%d rows of %d trajectories", len(times), len(asked.Seeds))
	}
}

// A sample that is stopped is on the path of a sample that is not.
func TestTrajectories_Stopped(t *testing.T) {
	unlearntest.Watch(t)
	task := tinyDiffusion(t)
	scope := original(t, task).RootScope().At(unlearn.Policy)
	columns, err := tinyTexts().Batch([]int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(stops ...[]int) []float32 {
		sampler, err := task.Sampler(scope)
		if err != nil {
			t.Fatal(err)
		}
		defer sampler.Close()
		drawn, err := sampler.Draw(t.Context(),
			denoising.Sampling{Prompts: columns[0], Empty: columns[2], Guidance: 3, Steps: 5, Seeds: []uint64{1, 2},
				Stops: stops})
		if err != nil {
			t.Fatal(err)
		}
		return tensors.MustCopyFlatData[float32](drawn)
	}
	const size = 2 * 8 * 8
	whole := draw([]int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5})
	some := draw([]int{2, 5}, []int{0})
	for i, at := range []int{2, 5, 6} {
		if !slices.Equal(some[i*size:(i+1)*size], whole[at*size:(at+1)*size]) {
			t.Errorf("row %d is not the sample %d of all", i, at)
		}
	}
	for at := 1; at < 12; at++ {
		if slices.Equal(whole[at*size:(at+1)*size], whole[(at-1)*size:at*size]) {
			t.Errorf("nothing moves between the samples %d and %d", at-1, at)
		}
	}
}

// An error of noise that follows from an original weighs less towards the clean end.
func TestNoiseErrors_CleanEnd(t *testing.T) {
	unlearntest.Watch(t)
	task := tinyDiffusion(t)
	ones, zeros := make([]float32, 2*2*8*8), make([]float32, 2*2*8*8)
	for i := range ones {
		ones[i] = 1
	}
	loss := func() float64 {
		program, err := task.Device.Compile("error", model.NewStore(),
			func(_ *model.Scope, in []*graph.Node) []*graph.Node {
				return []*graph.Node{task.NoiseError(in[0], in[1], in[2])}
			})
		if err != nil {
			t.Fatal(err)
		}
		defer program.Close()
		outputs, err := program.Run(t.Context(), tensors.FromFlatDataAndDimensions(ones, 2, 2, 8, 8),
			tensors.FromFlatDataAndDimensions(zeros, 2, 2, 8, 8), []int32{0, 999})
		if err != nil {
			t.Fatal(err)
		}
		return float64(tensors.ToScalar[float32](outputs[0]))
	}
	if got := loss(); math.Abs(got-1) > 1e-6 {
		t.Errorf("a network that puts out noise: %g, want 1", got)
	}
	task.Model.Schedule.Prediction = "sample"
	if got, want := loss(), (.00085/.99915+1)/2; math.Abs(got-want) > 1e-5 {
		t.Errorf("a network that puts out the original: %g, want %g", got, want)
	}
}
