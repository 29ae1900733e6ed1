package unlearn

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// table is a stream of columns that are made row by row.
type table struct {
	rows    int
	columns []string
	batch   func(rows []int) ([]*tensors.Tensor, error)
}

func (s table) Rows() int                                   { return s.rows }
func (s table) Columns() []string                           { return s.columns }
func (s table) Batch(rows []int) ([]*tensors.Tensor, error) { return s.batch(rows) }

// plain is a task without images.
type plain map[string]Stream

func (p plain) Stream(name string) Stream        { return p[name] }
func (p plain) After(*model.Scope, *graph.Graph) {}

// clamped ends each step as CLIP's training does.
func clamped(policy *model.Scope, g *graph.Graph) {
	scale := policy.GetVariable("logit_scale")
	value := scale.NodeValue(g)
	scale.SetNodeValue(graph.ClipScalar(value, 0, math.Log(100)))
}

// linear is a contrastive task of one layer an encoder, quick enough for hundreds of steps.
type linear struct{ plain }

func (linear) After(policy *model.Scope, g *graph.Graph) { clamped(policy, g) }

func unit(x *graph.Node) *graph.Node {
	return graph.Div(x, graph.Sqrt(graph.ReduceAndKeep(graph.Square(x), graph.ReduceSum, -1)))
}

func (linear) EmbedImage(scope *model.Scope, pixels *graph.Node) *graph.Node {
	return unit(nn.Linear(scope.At("image"), pixels, 4, true))
}

func (linear) EmbedText(scope *model.Scope, ids *graph.Node) *graph.Node {
	return unit(graph.ReduceSum(nn.Embedding(scope.At("text"), ids, 13, 4), 1))
}

func (linear) LogitScale(scope *model.Scope, g *graph.Graph) *graph.Node {
	return graph.Exp(nn.Parameter(scope, g, "logit_scale", nn.Constant(0.7)))
}

// pairs of noise and ids; row i is the same in every batch.
func noise(name string, rows int) table {
	columns := []string{Image, Caption, Generic}
	return table{rows, columns, func(rows []int) ([]*tensors.Tensor, error) {
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

func newLinear() linear {
	return linear{plain{Forget: noise("forget", 10), Retain: noise("retain", 7)}}
}

// start is a store with a policy of the linear task.
func start(t testing.TB) *model.Store {
	t.Helper()
	store := model.NewStore()
	nn.Seed(store.RootScope().At(Policy), 5)
	task, d := newLinear(), devicetest.Open(t)
	columns, err := task.Stream(Forget).Batch([]int{0})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Trace("start", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		scope := root.At(Policy)
		return []*graph.Node{task.EmbedImage(scope, inputs[0]), task.EmbedText(scope, inputs[1]),
			task.LogitScale(scope, inputs[0].Graph())}
	}, columns[0].Shape(), columns[1].Shape())
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// small are settings with which a method makes visible steps on the linear task: three batches a pass over the forget
// set.
func small(m Method) Values {
	values := Values{}
	for _, setting := range m.Settings {
		switch setting.Name {
		case "batch":
			values["batch"] = 4
		case "rate":
			values["rate"] = 0.01
		}
	}
	return values
}

// newJob is a run on a new store of the linear task.
func newJob(t testing.TB, m Method, budgets ...int) Job {
	t.Helper()
	return Job{Device: devicetest.Open(t), Store: start(t), Task: newLinear(), Method: m, Values: small(m),
		Budgets: budgets, Snapshot: func(context.Context, int) error {
			return nil
		}, Seed: 9, Identity: "test"}
}

// contents are the bytes of the variables below a scope.
func contents(t testing.TB, store *model.Store, scope string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for variable := range store.Scope("/" + scope).IterVariables() {
		if err := variable.MustValue().ConstBytes(func(data []byte) {
			all[strings.TrimPrefix(variable.Path(), "/"+scope+"/")] = string(data)
		}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// differing are the names whose bytes are not the same.
func differing(a, b map[string]string) []string {
	var names []string
	for name, data := range a {
		if b[name] != data {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, there := a[name]; !there {
			names = append(names, name)
		}
	}
	return names
}

// own is a method of one phase over the forget set.
func own(loss func(m Models, b Batch) *graph.Node) Method {
	return Method{Name: "own", Phases: func(Plan) []Phase {
		return []Phase{{Streams: []string{Forget}, Batch: 4, Loss: loss, Rate: optim.Constant(0.01)}}
	}}
}

func watch(t *testing.T) { devicetest.Watch(t, 2*time.Minute) }
