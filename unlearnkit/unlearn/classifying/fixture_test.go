package classifying_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// fixture is the output of gen_methods.py.
type fixture struct {
	paritytest.Reference
	config wav2vec2.Config
	task   classifying.Task
	dtype  dtypes.DType
}

func openFixture(t *testing.T, dtype dtypes.DType) fixture {
	t.Helper()
	text, err := os.ReadFile("testdata/model/config.json")
	if err != nil {
		t.Fatal(err)
	}
	config, err := wav2vec2.ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{Reference: paritytest.Open(t, "testdata/methods.safetensors"), config: config, dtype: dtype}
	f.task = classifying.Wav2Vec2(config, unlearn.Streams{
		unlearn.Forget: f.stream(unlearn.Forget), unlearn.Retain: f.stream(unlearn.Retain),
	})
	return f
}

func (f fixture) stream(name string) unlearn.Stream {
	return unlearn.Table{classifying.Input: f.Tensor(name+".input", f.dtype),
		classifying.Label: f.Tensor(name+".label", dtypes.Int32)}
}

// store returns a store with the fixture's models: the policy, and the model that never learnt the task.
func (f fixture) store(t *testing.T) *model.Store {
	t.Helper()
	store := model.NewStore()
	nn.SetType(store.RootScope(), f.dtype)
	for folder, name := range map[string]string{"model": unlearn.Policy, "incompetent": classifying.Incompetent} {
		_, err := devicetest.Open(t).Trace("load", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
			scope := root.At("%s", name)
			return []*graph.Node{wav2vec2.Forward(scope, f.config, wav2vec2.Input{Values: x[0]}).Logits}
		}, shapes.Make(dtypes.Float32, 1, f.config.ReceptiveField()))
		if err != nil {
			t.Fatal(err)
		}
		from, err := hf.Open(filepath.Join("testdata", folder))
		if err != nil {
			t.Fatal(err)
		}
		defer from.Tensors.Close()
		if _, err := hf.Load(store.RootScope().At("%s", name), from.Tensors, f.config.Names()); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// batch returns a function that returns the fixture's rows of a step in the engine's order, and then its random
// columns.
func (f fixture) batch(streams []string, random func(step, rows int) []*tensors.Tensor,
	from int) func(step int) (train.Batch, error) {
	return func(step int) (train.Batch, error) {
		step += from
		prefix := fmt.Sprintf("step.%d.", step)
		count := len(f.Floats(prefix + unlearn.Forget))
		batch := train.Batch{Inputs: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(make([]int32, count), count)}}
		for _, name := range streams {
			var rows []int
			for _, row := range f.Floats(prefix + name) {
				rows = append(rows, int(row))
			}
			columns, err := f.task.Streams[name].Batch(rows)
			if err != nil {
				return batch, err
			}
			batch.Inputs = append(batch.Inputs, columns...)
		}
		if random != nil {
			batch.Inputs = append(batch.Inputs, random(step, count)...)
		}
		return batch, nil
	}
}

// drawn returns a function that returns the fixture's random numbers for a step.
func (f fixture) drawn(name string) func(step, rows int) []*tensors.Tensor {
	return func(step, rows int) []*tensors.Tensor {
		all := f.Floats(name)
		dimensions := slices.Clone(f.Tensor(name, f.dtype).Shape().Dimensions[1:])
		width := dimensions[1]
		begin := step * dimensions[0] * width
		of := all[begin : begin+rows*width]
		if f.dtype == dtypes.Float64 {
			return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(of, rows, width)}
		}
		single := make([]float32, len(of))
		for i, value := range of {
			single[i] = float32(value)
		}
		return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(single, rows, width)}
	}
}

// uniform returns the numbers of gen_methods.py's congruential generator for one site in a step.
func uniform(step, site int, shape shapes.Shape) *tensors.Tensor {
	values := make([]float32, shape.Size())
	for i := range values {
		values[i] = float32((uint64(i+1)*2654435761+uint64(step*64+site)*40503)%(1<<32)/256) / (1 << 24)
	}
	return tensors.FromFlatDataAndDimensions(values, shape.Dimensions...)
}

// disturbance returns a function that draws the noise of the student in gen_methods.py, in the order of the names.
func (f fixture) disturbance(samples int) func(step, rows int) []*tensors.Tensor {
	return func(step, rows int) []*tensors.Tensor {
		named := map[string]*tensors.Tensor{}
		var names []string
		site := 0
		for _, s := range f.config.Sites(rows, samples) {
			names = append(names, s.Name)
			switch s.Name {
			case "mask_time_indices":
				frames := s.Shape.Dim(1)
				masked := make([]bool, rows*frames)
				for row := range rows {
					masked[row*frames+row], masked[row*frames+row+1] = true, true
				}
				named[s.Name] = tensors.FromFlatDataAndDimensions(masked, rows, frames)
			case "layerdrop":
				named[s.Name] = uniform(step, 50, s.Shape)
			default:
				site++
				named[s.Name] = uniform(step, site, s.Shape)
			}
		}
		slices.Sort(names)
		var columns []*tensors.Tensor
		for _, name := range names {
			columns = append(columns, named[name])
		}
		return columns
	}
}

// values returns a model's numbers, tensor after tensor in the order of PyTorch's names.
func values(store *model.Store, scope string) []float64 {
	named := map[string]*model.Variable{}
	var names []string
	for variable := range store.Scope("/" + scope).IterVariables() {
		name := strings.ReplaceAll(strings.TrimPrefix(variable.Path(), "/"+scope+"/"), "/", ".")
		names, named[name] = append(names, name), variable
	}
	slices.Sort(names)
	var all []float64
	for _, name := range names {
		all = append(all, paritytest.Values(named[name].MustValue())...)
	}
	return all
}
