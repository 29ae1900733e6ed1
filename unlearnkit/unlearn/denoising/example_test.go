package denoising_test

import (
	"context"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

func ExampleMethods() {
	for _, m := range denoising.Methods()[:4] {
		fmt.Println(m.Name)
	}
	// Output:
	// esd-x
	// esd-u
	// esd-x-newer
	// esd-u-newer
}

// cats is a stream with one prompt, which has the begin token and the word 7, and the same prompt without the word.
type cats struct{}

func (cats) Rows() int { return 1 }

func (cats) Columns() []string { return []string{denoising.Prompt, denoising.Empty} }

func (cats) Batch(rows []int) ([]*tensors.Tensor, error) {
	var prompts, empty []int32
	for range rows {
		prompts, empty = append(prompts, 1, 7), append(empty, 1, 0)
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(prompts, len(rows), 2),
		tensors.FromFlatDataAndDimensions(empty, len(rows), 2)}, nil
}

// A small untrained model makes two passes of ESD-x, and draws three trajectories in each.
func ExampleDiffusion() {
	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	small := denoising.Diffusion{
		Device: d,
		Model: diffusion.Model{
			UNet: diffusion.UNetConfig{In: 2, Out: 2, SampleSize: 4, Context: 6, Groups: 2, Epsilon: 1e-5,
				Levels: []diffusion.Level{{Channels: 4, Layers: 1, DownAttention: true, UpAttention: true, Heads: 2,
					Blocks: 1}}},
			Schedule: schedule.StableDiffusion(),
		},
		Text: func(scope *model.Scope, ids *graph.Node) *graph.Node {
			return diffusion.TextTable(scope, ids, 10, 2, 6)
		},
	}
	store := model.NewStore()
	nn.Seed(store.RootScope().At(unlearn.Policy), 1)
	_, err = d.Trace("a new model", store, func(root *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{small.Noise(root.At(unlearn.Policy), in[0], in[1], in[2])}
	}, shapes.Make(dtypes.Float32, 1, 2, 4, 4), shapes.Make(dtypes.Int32, 1), shapes.Make(dtypes.Int32, 1, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := denoising.Job{
		Device: d, Store: store, Task: denoising.NewTask(small, unlearn.Streams{unlearn.Forget: cats{}}),
		Method: denoising.ESDX(), Budgets: []int{2}, Seed: 1,
		Values: unlearn.Values{"trajectories": 3, "steps": 10, "rate": 1e-3},
		Snapshot: func(_ context.Context, budget int) error {
			fmt.Println("judged after", budget, "passes")
			return nil
		},
	}.Run(context.Background())
	fmt.Println(len(result.Log), "steps,", err)
	// Output:
	// judged after 2 passes
	// 6 steps, <nil>
}
