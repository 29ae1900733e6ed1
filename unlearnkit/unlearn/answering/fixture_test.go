package answering_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// smallModel is the folder of a small LLaVA.
const smallModel = "../../zoo/llava/testdata/llava"

// fixture is the output of gen_methods.py.
type fixture struct {
	paritytest.Reference
	config llava.Config
	dtype  dtypes.DType
	device *device.Device // pure Go, which compiles nothing; XLA takes half a minute for each graph
}

func openFixture(t *testing.T, dtype dtypes.DType) fixture {
	t.Helper()
	text, err := os.ReadFile(smallModel + "/config.json")
	if err != nil {
		t.Fatal(err)
	}
	config, err := llava.ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	pureGo, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	return fixture{paritytest.Open(t, "testdata/methods.safetensors"), config, dtype, pureGo}
}

// store returns a store with the small model as the policy, and with PEFT's new adapter if adapted is set.
func (f fixture) store(t *testing.T, adapted bool) *model.Store {
	t.Helper()
	store := model.NewStore()
	nn.SetType(store.RootScope(), f.dtype)
	if f.dtype == dtypes.BFloat16 {
		answering.Mix(store.RootScope())
	}
	policy := store.RootScope().At(unlearn.Policy)
	f.trace(t, store)
	from, err := hf.Open(smallModel)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Tensors.Close()
	if _, err := hf.Load(policy, from.Tensors, f.config.Names()); err != nil {
		t.Fatal(err)
	}
	if adapted {
		if _, err := hf.LoadAdapter(policy, "testdata/adapter", f.config.Names()); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// trace declares the small model's tensors in the store.
func (f fixture) trace(t *testing.T, store *model.Store) {
	t.Helper()
	side := f.config.Vision.Image
	_, err := f.device.Trace("load", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{llava.Logits(root.At(unlearn.Policy), f.config, x[0], x[1], nil)}
	}, shapes.Make(dtypes.Float32, 1, 3, side, side), shapes.Make(dtypes.Int32, 1, f.config.ImageTokens()))
	if err != nil {
		t.Fatal(err)
	}
}

// data returns the fixture's questions and answers.
func (f fixture) data() answering.Data {
	var data answering.Data
	for _, name := range f.Below("refusal.") {
		data.Refusals = append(data.Refusals, f.tokens("refusal."+name))
	}
	for name, to := range map[string]*[]answering.Record{unlearn.Forget: &data.Forget, unlearn.Retain: &data.Retain} {
		kinds := f.Below(name + ".")
		for i := 0; slices.Contains(kinds, fmt.Sprint(i, ".question")); i++ {
			prefix := fmt.Sprint(name, ".", i, ".")
			record := answering.Record{Question: f.tokens(prefix + "question"), Answer: f.tokens(prefix + "answer")}
			if slices.Contains(kinds, fmt.Sprint(i, ".pixels")) {
				for _, value := range f.Floats(prefix + "pixels") {
					record.Pixels = append(record.Pixels, float32(value))
				}
			}
			*to = append(*to, record)
		}
	}
	return data
}

func (f fixture) tokens(name string) (ids []int32) {
	for _, value := range f.Floats(name) {
		ids = append(ids, int32(value))
	}
	return ids
}

func (f fixture) task(t *testing.T) answering.Task {
	t.Helper()
	task, err := answering.NewTask(answering.LLaVA(f.config), f.data())
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// batch returns a function that returns the fixture's rows of a step in the engine's order: rows of streams, then drawn
// rows.
func (f fixture) batch(task answering.Task, phase answering.Phase, first int) func(step int) (train.Batch, error) {
	return func(step int) (train.Batch, error) {
		prefix := fmt.Sprintf("step.%d.", first+step)
		count := len(f.tokens(prefix + unlearn.Forget))
		batch := train.Batch{Inputs: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(make([]int32, count), count)}}
		sources := slices.Clone(phase.Streams)
		for _, random := range phase.Random {
			sources = append(sources, map[string]string{"partner": unlearn.Retain,
				"refusal": answering.Refusals}[random.Name])
		}
		for _, name := range sources {
			var rows []int
			for _, row := range f.tokens(prefix + name) {
				rows = append(rows, int(row))
			}
			columns, err := task.Streams[name].Batch(rows)
			if err != nil {
				return batch, err
			}
			batch.Inputs = append(batch.Inputs, columns...)
		}
		return batch, nil
	}
}

// numbers returns the values of some of the policy's tensors, one after another in the order of their paths.
func numbers(store *model.Store, selected func(path string) bool) []float64 {
	named := map[string]*model.Variable{}
	var paths []string
	for variable := range store.Scope("/" + unlearn.Policy).IterVariables() {
		path := strings.TrimPrefix(variable.Path(), "/"+unlearn.Policy+"/")
		if selected(path) {
			paths, named[path] = append(paths, path), variable
		}
	}
	slices.Sort(paths)
	var all []float64
	for _, path := range paths {
		all = append(all, paritytest.Values(named[path].MustValue())...)
	}
	return all
}

// largest returns the largest magnitude.
func largest(values []float64) float64 {
	most := 0.
	for _, value := range values {
		most = max(most, math.Abs(value))
	}
	return most
}
