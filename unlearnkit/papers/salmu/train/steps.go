package train

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Steps returns the training steps of the paper preset.
func Steps() []lab.Step {
	var steps []lab.Step
	for _, m := range salmu.Paper(salmu.Download{Retain: "given"}).Methods {
		rows := int(m.Values["batch"])
		steps = append(steps, lab.Step{Stage: salmu.Unlearned.Name, Name: m.Name, Model: "ViT-B/16", Rows: rows,
			Costs: func(ctx context.Context, d *device.Device) ([]unlearn.PhaseCost, error) {
				method, err := unlearn.Find(contrastive.Methods(), m.Name)
				if err != nil {
					return nil, err
				}
				store := model.NewStore()
				defer store.Finalize()
				return contrastive.Job{Device: d, Store: store, Task: zeros(clip.ViTB16(), rows), Method: method,
					Values: m.Values, Budgets: []int{1}}.Costs(ctx)
			}})
	}
	return steps
}

// zeros returns a task with rows all-zero pictures each to forget and to retain.
func zeros(c clip.Config, rows int) contrastive.Task {
	ids := lab.Zeros(dtypes.Int32, rows, c.Text.Context)
	table := unlearn.Table{
		contrastive.Image:   lab.Zeros(dtypes.Float32, rows, c.Vision.Channels, c.Vision.Image, c.Vision.Image),
		contrastive.Caption: ids, contrastive.Generic: ids,
	}
	return contrastive.CLIP(c, unlearn.Streams{unlearn.Forget: table, unlearn.Retain: table})
}
