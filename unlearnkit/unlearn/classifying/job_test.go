package classifying_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// layers is a classifier of two layers, quick enough for hundreds of steps, with dropout between them in training.
type layers struct{}

func (layers) Logits(scope *model.Scope, x classifying.Rows) *graph.Node {
	hidden := graph.Tanh(nn.Linear(scope.At("hidden"), x.Input, 6, true))
	if noise := x.Noise["hidden"]; noise != nil {
		hidden = nn.Dropout(hidden, noise, 0.3)
	}
	return nn.Linear(scope.At("out"), hidden, 5, true)
}

func (layers) Classes() int { return 5 }

func (layers) Parts() []string { return []string{"hidden", "out"} }

func (layers) Noise(random *rand.Rand, rows int, _ []int) map[string]*tensors.Tensor {
	values := make([]float32, rows*6)
	for i := range values {
		values[i] = random.Float32()
	}
	return map[string]*tensors.Tensor{"hidden": tensors.FromFlatDataAndDimensions(values, rows, 6)}
}

// sounds returns rows of noise with labels. Row i is the same in all tables with the same name.
func sounds(name string, rows, length int) unlearn.Table {
	var values []float32
	var labels []int32
	for row := range rows {
		random := seed.Stream(3, name, row)
		for range length {
			values = append(values, float32(random.NormFloat64()))
		}
		labels = append(labels, int32(random.IntN(5)))
	}
	return unlearn.Table{classifying.Input: tensors.FromFlatDataAndDimensions(values, rows, length),
		classifying.Label: tensors.FromFlatDataAndDimensions(labels, rows)}
}

// rows returns ten rows to forget and fourteen to retain.
func rows(length int) unlearn.Streams {
	return unlearn.Streams{unlearn.Forget: sounds(unlearn.Forget, 10, length),
		unlearn.Retain: sounds(unlearn.Retain, 14, length)}
}

// newJob returns a run of a method on the classifier of two layers, in batches of four.
func newJob(t *testing.T, m classifying.Method, budgets ...int) classifying.Job {
	t.Helper()
	store := model.NewStore()
	for i, name := range append([]string{unlearn.Policy}, m.Frozen...) {
		nn.Seed(store.RootScope().At("%s", name), uint64(i))
		_, err := devicetest.Open(t).Trace("start", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
			return []*graph.Node{layers{}.Logits(root.At("%s", name), classifying.Rows{Input: x[0]})}
		}, shapes.Make(dtypes.Float32, 1, 7))
		if err != nil {
			t.Fatal(err)
		}
	}
	return jobOf(t, m, store, classifying.NewTask(layers{}, rows(7)), budgets)
}

// newSpeechJob returns a run of a method on the fixture's speech encoder, in batches of four.
func newSpeechJob(t *testing.T, m classifying.Method, budgets ...int) classifying.Job {
	t.Helper()
	f := openFixture(t, dtypes.Float32)
	store := f.store(t)
	if !slices.Contains(m.Frozen, classifying.Incompetent) {
		if err := store.DeleteVariablesInScope("/" + classifying.Incompetent); err != nil {
			t.Fatal(err)
		}
	}
	return jobOf(t, m, store, classifying.Wav2Vec2(f.config, rows(samples)), budgets)
}

func jobOf(t *testing.T, m classifying.Method, store *model.Store, task classifying.Task,
	budgets []int) classifying.Job {
	return classifying.Job{
		Device: devicetest.Open(t), Store: store, Task: task, Method: m,
		Values: unlearn.Values{"batch": 4, "rate": 2e-3}, Budgets: budgets,
		Snapshot: func(context.Context, int) error { return nil }, Seed: 9, Identity: "test",
	}
}

// budgetsOf returns budgets at which a method can be evaluated.
func budgetsOf(m classifying.Method) []int {
	if m.Passes != nil {
		return m.Passes
	}
	return []int{1, 3}
}
