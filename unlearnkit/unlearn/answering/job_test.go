package answering_test

import (
	"context"
	"testing"

	"github.com/gomlx/compute/dtypes"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

// newJob returns a run of a method on the fixture's model with a new adapter, in batches of two: three steps per pass.
func newJob(t *testing.T, m answering.Method, budgets ...int) answering.Job {
	t.Helper()
	f := openFixture(t, dtypes.Float32)
	return answering.Job{
		Device: f.device, Store: f.store(t, true), Task: f.task(t), Method: m,
		Values: unlearn.Values{"batch": 2, "rate": 5e-3}, Budgets: budgets,
		Snapshot: func(context.Context, int) error { return nil }, Seed: 9, Identity: "test",
	}
}

// withData replaces the forget and retain sets of a run.
func withData(t *testing.T, j *answering.Job, change func(data *answering.Data)) {
	t.Helper()
	f := openFixture(t, dtypes.Float32)
	data := f.data()
	change(&data)
	task, err := answering.NewTask(answering.LLaVA(f.config), data)
	if err != nil {
		t.Fatal(err)
	}
	j.Task = task
}

// budgetsOf returns budgets at which a method can be evaluated.
func budgetsOf(m answering.Method) []int {
	if m.Passes != nil {
		return m.Passes
	}
	return []int{1, 2}
}
