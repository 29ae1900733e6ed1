package classifying_test

import (
	"context"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// sounds are rows of noise with labels; row i is the same in every table of a name.
func sounds(name string, rows int) unlearn.Table {
	var values []float32
	var labels []int32
	for row := range rows {
		random := seed.Stream(3, name, row)
		for range samples {
			values = append(values, float32(random.NormFloat64()))
		}
		labels = append(labels, int32(random.IntN(5)))
	}
	return unlearn.Table{classifying.Input: tensors.FromFlatDataAndDimensions(values, rows, samples),
		classifying.Label: tensors.FromFlatDataAndDimensions(labels, rows)}
}

// newJob is a run of a method from the fixture's model, in batches of four: ten rows are to be forgotten and fourteen
// to be kept.
func newJob(t *testing.T, m classifying.Method, budgets ...int) classifying.Job {
	t.Helper()
	f := openFixture(t, dtypes.Float32)
	store := f.store(t)
	if !slices.Contains(m.Frozen, classifying.Incompetent) {
		if err := store.DeleteVariablesInScope("/" + classifying.Incompetent); err != nil {
			t.Fatal(err)
		}
	}
	return classifying.Job{
		Device: devicetest.Open(t), Store: store, Method: m, Values: unlearn.Values{"batch": 4, "rate": 2e-3},
		Task: classifying.Wav2Vec2(f.config, unlearn.Streams{
			unlearn.Forget: sounds(unlearn.Forget, 10), unlearn.Retain: sounds(unlearn.Retain, 14),
		}),
		Budgets: budgets, Snapshot: func(context.Context, int) error { return nil }, Seed: 9, Identity: "test",
	}
}

// budgetsOf are some at which a method can be judged.
func budgetsOf(m classifying.Method) []int {
	if m.Passes != nil {
		return m.Passes
	}
	return []int{1, 3}
}
