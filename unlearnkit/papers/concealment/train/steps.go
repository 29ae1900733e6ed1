package train

import (
	"context"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// Steps returns the training steps of the study's methods on the paper's model, with the batches of their authors'
// code. The study has no preset of this size: it attacks published models, and trains small ones.
func Steps() []lab.Step {
	var steps []lab.Step
	for _, m := range concealment.Mini().Methods {
		steps = append(steps, stepOfPapersModel(lab.MethodOf(denoising.Methods(), m.Name)))
	}
	return steps
}

func stepOfPapersModel(method denoising.Method, rows int) lab.Step {
	return lab.Step{Stage: concealment.Erased.Name, Name: method.Name, Model: "Stable Diffusion 1.4", Rows: rows,
		Costs: func(ctx context.Context, d *device.Device) ([]unlearn.PhaseCost, error) {
			text := clip.ViTL14Text()
			blank := blankModel{denoising.Diffusion{Device: d, Model: diffusion.StableDiffusion(),
				Text: func(scope *model.Scope, ids *graph.Node) *graph.Node {
					return graph.StopGradient(clip.HiddenText(scope, text, ids, nil))
				}}}
			ids := lab.Zeros(dtypes.Int32, 1, text.Context)
			texts := unlearn.Table{denoising.Prompt: ids, denoising.Anchor: ids, denoising.Empty: ids}
			values := unlearn.Values{}
			if _, err := method.Setting("anchors"); err == nil {
				values["anchors"] = float64(rows) // pictures of one step instead of all
			}
			store := model.NewStore()
			defer store.Finalize()
			if err := blank.trace(store); err != nil {
				return nil, err
			}
			return denoising.Job{Device: d, Store: store, Method: method, Values: values, Budgets: []int{1},
				Task: denoising.NewTask(blank, unlearn.Streams{unlearn.Forget: texts})}.Costs(ctx)
		}}
}

// blankModel draws zeros without computing, because the cost of a step does not depend on values.
type blankModel struct{ denoising.Diffusion }

// trace creates the policy's tensors in the store. The engine shares with the frozen model what exists and does not
// change.
func (m blankModel) trace(store *model.Store) error {
	unet := m.Model.UNet
	_, err := m.Device.Trace("noise", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{m.Noise(root.At(unlearn.Policy), x[0], x[1], x[2])}
	}, shapes.Make(dtypes.Float32, 1, unet.In, unet.SampleSize, unet.SampleSize), shapes.Make(dtypes.Int32, 1),
		shapes.Make(dtypes.Int32, 1, clip.ViTL14Text().Context))
	return err
}

// Sampler implements [denoising.Model].
func (m blankModel) Sampler(*model.Scope) (denoising.Sampler, error) {
	return blankSampler{m.Model}, nil
}

type blankSampler struct{ of diffusion.Model }

func (s blankSampler) Shape() []int {
	return []int{s.of.UNet.In, s.of.UNet.SampleSize, s.of.UNet.SampleSize}
}

func (s blankSampler) TrainSteps() int { return s.of.Schedule.TrainSteps }

func (s blankSampler) Draw(_ context.Context, of denoising.Sampling) (*tensors.Tensor, error) {
	count := len(slices.Concat(of.Stops...))
	return lab.Zeros(dtypes.Float32, append([]int{count}, s.Shape()...)...), nil
}

func (blankSampler) Close() {}
