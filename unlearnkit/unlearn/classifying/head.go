package classifying

import (
	"context"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Head trains only a model's last parts. It uses [CFk], so the frozen parts of a [Headed] model run once for each
// example, and hundreds of passes take seconds.
type Head struct {
	Device *device.Device
	// Store has the model below [unlearn.Policy], with values; the head's values may be random.
	Store *model.Store
	Parts int // number of trained parts, from the last; in a speech encoder 1 is the classifier, 2 adds the projector
	// Passes is the number of passes over the examples, in batches of Batch rows by AdamW at Rate.
	Passes, Batch int
	Rate          float64
	Seed          uint64                // seed of the order of the examples
	Progress      func(done, steps int) // reports the progress; may be nil
}

// Train trains the head on the examples of a task's stream [unlearn.Retain], and returns the log of its steps.
func (h Head) Train(ctx context.Context, task Task) (train.Log, error) {
	result, err := Job{
		Device: h.Device, Store: h.Store, Task: task, Method: CFk(), Budgets: []int{h.Passes}, Seed: h.Seed,
		Values:   unlearn.Values{"layers": float64(h.Parts), "batch": float64(h.Batch), "rate": h.Rate},
		Snapshot: func(context.Context, int) error { return nil }, Progress: h.Progress,
	}.Run(ctx)
	return result.Log, err
}
