package denoising_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// tinyTexts returns three prompts of four out of ten words. Word 7 is the concept, word 4 its anchor, and 0 is no word.
func tinyTexts() unlearn.Table {
	ids := map[string][]int32{
		denoising.Prompt: {1, 7, 0, 0, 1, 2, 7, 0, 1, 7, 3, 5},
		denoising.Anchor: {1, 4, 0, 0, 1, 2, 4, 0, 1, 4, 3, 5},
		denoising.Empty:  {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
		denoising.Joined: {1, 7, 9, 0, 1, 7, 9, 0, 1, 7, 9, 0},
	}
	texts := unlearn.Table{}
	for column, all := range ids {
		texts[column] = tensors.FromFlatDataAndDimensions(all, 3, 4)
	}
	return texts
}

// words encodes texts with weights that can be trained.
func words(scope *model.Scope, ids *graph.Node) *graph.Node {
	return diffusion.TextEmbedding(scope, ids, 10, 4, 6)
}

// tinyDiffusion returns a model of latents with two channels of 8×8.
func tinyDiffusion(t testing.TB) denoising.Diffusion {
	t.Helper()
	return denoising.Diffusion{
		Device: devicetest.Open(t),
		Model: diffusion.Model{
			UNet: diffusion.UNetConfig{In: 2, Out: 2, SampleSize: 8, Context: 6, Groups: 2, Epsilon: 1e-5,
				CosineFirst: true,
				Levels: []diffusion.Level{{Channels: 4, Layers: 1},
					{Channels: 8, Layers: 1, DownAttention: true, UpAttention: true, Heads: 2, Blocks: 1}}},
			Schedule: schedule.StableDiffusion(),
		},
		Text: words,
	}
}

// original returns a store with a policy of the task.
func original(t testing.TB, d denoising.Diffusion) *model.Store {
	t.Helper()
	store := model.NewStore()
	nn.Seed(store.RootScope().At(unlearn.Policy), 3)
	size := d.Model.UNet.SampleSize
	_, err := d.Device.Trace("original", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{d.Noise(root.At(unlearn.Policy), inputs[0], inputs[1], inputs[2])}
	}, shapes.Make(dtypes.Float32, 1, d.Model.UNet.In, size, size), shapes.Make(dtypes.Int32, 1),
		shapes.Make(dtypes.Int32, 1, 4))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// quick returns settings of an erasing method for the tiny task: four steps per pass, of two rows each.
func quick(m denoising.Method) unlearn.Values {
	values := unlearn.Values{"rate": 0.02, "batch": 2, "steps": 5}
	for _, setting := range m.Settings {
		switch setting.Name {
		case "trajectories", "stops":
			values["trajectories"], values["stops"] = 4, 2
		case "anchors":
			values["anchors"] = 8
		case "average":
			values["average"] = 0.5
		}
	}
	return values
}

// erasing returns a run of a method on the tiny task.
func erasing(t testing.TB, m denoising.Method, budgets ...int) denoising.Job {
	t.Helper()
	d := tinyDiffusion(t)
	return denoising.Job{
		Device: d.Device, Store: original(t, d), Task: denoising.NewTask(d, streams()), Method: m, Values: quick(m),
		Budgets: budgets, Snapshot: func(context.Context, int) error { return nil }, Seed: 9, Identity: "test",
	}
}

func streams() unlearn.Streams { return unlearn.Streams{unlearn.Forget: tinyTexts()} }

// watched is a model that records what its samplers draw.
type watched struct {
	denoising.Diffusion
	see func(scope *model.Scope, s denoising.Sampling, drawn *tensors.Tensor)
}

func watching(d denoising.Diffusion, see func(scope *model.Scope, s denoising.Sampling,
	drawn *tensors.Tensor)) denoising.Task {
	return denoising.NewTask(watched{d, see}, streams())
}

func (w watched) Sampler(scope *model.Scope) (denoising.Sampler, error) {
	inner, err := w.Diffusion.Sampler(scope)
	return watchedSampler{inner, scope, w.see}, err
}

type watchedSampler struct {
	denoising.Sampler
	scope *model.Scope
	see   func(scope *model.Scope, s denoising.Sampling, drawn *tensors.Tensor)
}

func (w watchedSampler) Draw(ctx context.Context, s denoising.Sampling) (*tensors.Tensor, error) {
	drawn, err := w.Sampler.Draw(ctx, s)
	if err == nil {
		w.see(w.scope, s, drawn)
	}
	return drawn, err
}

// drawnBy returns what the model below a scope draws with its current values.
func drawnBy(t *testing.T, d denoising.Diffusion, scope *model.Scope, s denoising.Sampling) string {
	t.Helper()
	sampler, err := d.Sampler(scope)
	if err != nil {
		t.Fatal(err)
	}
	defer sampler.Close()
	drawn, err := sampler.Draw(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return bytesOf(drawn)
}

func bytesOf(tensor *tensors.Tensor) string {
	var all string
	if err := tensor.ConstBytes(func(data []byte) { all = fmt.Sprintf("%x", data) }); err != nil {
		panic(err)
	}
	return all
}
