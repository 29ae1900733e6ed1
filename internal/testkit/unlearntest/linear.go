package unlearntest

import (
	"context"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// linear is a contrastive model with one layer per encoder, fast enough for hundreds of steps.
type linear struct{}

// EmbedImage implements [contrastive.Model].
func (linear) EmbedImage(scope *model.Scope, pixels *graph.Node) *graph.Node {
	return unit(nn.Linear(scope.At("image"), pixels, 4, true))
}

// EmbedText implements [contrastive.Model].
func (linear) EmbedText(scope *model.Scope, ids *graph.Node) *graph.Node {
	return unit(graph.ReduceSum(nn.Embedding(scope.At("text"), ids, 13, 4), 1))
}

// LogitScale implements [contrastive.Model].
func (linear) LogitScale(scope *model.Scope, g *graph.Graph) *graph.Node {
	return graph.Exp(nn.Parameter(scope, g, "logit_scale", nn.Constant(0.7)))
}

func unit(x *graph.Node) *graph.Node {
	return graph.Div(x, graph.Sqrt(graph.ReduceAndKeep(graph.Square(x), graph.ReduceSum, -1)))
}

// Task returns a task for the linear model. Steps end as in CLIP's training.
func Task(forget, retain unlearn.Stream) contrastive.Task {
	task := contrastive.NewTask(linear{}, unlearn.Streams{unlearn.Forget: forget, unlearn.Retain: retain})
	task.After = contrastive.ClampScale
	return task
}

// Noise returns a stream of random pixels and token IDs. Row i is the same in every batch.
func Noise(name string, rows int) Stream {
	columns := []string{contrastive.Image, contrastive.Caption, contrastive.Generic}
	return Stream{rows, columns, func(rows []int) ([]*tensors.Tensor, error) {
		var pixels []float32
		ids := [2][]int32{}
		for _, row := range rows {
			random := seed.Stream(7, name, row)
			for range 5 {
				pixels = append(pixels, float32(random.NormFloat64()))
			}
			for i := range ids {
				ids[i] = append(ids[i], int32(random.IntN(13)), int32(random.IntN(13)), int32(random.IntN(13)))
			}
		}
		n := len(rows)
		return []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(pixels, n, 5), tensors.FromFlatDataAndDimensions(ids[0], n, 3),
			tensors.FromFlatDataAndDimensions(ids[1], n, 3),
		}, nil
	}}
}

// Start returns a store with an initialized policy for the linear task.
func Start(t testing.TB) *model.Store {
	t.Helper()
	store := model.NewStore()
	nn.Seed(store.RootScope().At(unlearn.Policy), 5)
	columns, err := Noise("forget", 10).Batch([]int{0})
	if err != nil {
		t.Fatal(err)
	}
	_, err = devicetest.Open(t).Trace("start", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		scope := root.At(unlearn.Policy)
		return []*graph.Node{linear{}.EmbedImage(scope, inputs[0]), linear{}.EmbedText(scope, inputs[1]),
			linear{}.LogitScale(scope, inputs[0].Graph())}
	}, columns[0].Shape(), columns[1].Shape())
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// NewJob returns a job on the linear task and a new store. With its settings, a method takes visible steps: three
// batches per pass over the forget set.
func NewJob(t testing.TB, m contrastive.Method, budgets ...int) contrastive.Job {
	t.Helper()
	values := unlearn.Values{}
	for _, setting := range m.Settings {
		switch setting.Name {
		case "batch":
			values["batch"] = 4
		case "rate":
			values["rate"] = 0.01
		}
	}
	return contrastive.Job{
		Device: devicetest.Open(t), Store: Start(t), Task: Task(Noise("forget", 10), Noise("retain", 7)), Method: m,
		Values: values, Budgets: budgets, Snapshot: func(context.Context, int) error { return nil }, Seed: 9,
		Identity: "test",
	}
}

// Own returns a method with one phase over the forget set.
func Own(loss func(m contrastive.Models, b unlearn.Batch) *graph.Node) contrastive.Method {
	return contrastive.Method{
		Entry: catalogue.Entry{Name: "own"},
		Phases: func(*unlearn.Plan) ([]contrastive.Phase, error) {
			return []contrastive.Phase{{Streams: []string{unlearn.Forget}, Batch: 4, Loss: loss,
				Rate: optim.Constant(0.01)}}, nil
		},
	}
}
