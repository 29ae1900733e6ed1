// Package zootest trains small models of every family, for tests that apply to all families and for the benchmark
// against PyTorch.
package zootest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Model is a small model, a loss, and a batch to train it on.
type Model struct {
	Name string
	// Loss returns the model's mean loss on a batch. Its variables are below scope.
	Loss func(scope *model.Scope, inputs []*graph.Node) *graph.Node
	// Batch draws a batch.
	Batch func(random *rand.Rand) []*tensors.Tensor

	adapter *nn.LoRA                       // LoRA of the language model; nil if there is none
	selects func(path string) float64      // factors by variable, as in [optim.Optimizer.Select]; nil trains all variables
	fill    func(scope *model.Scope) error // sets the initial values of the variables; nil uses the layers' own initialisation
}

// Trainer trains a model on one batch by AdamW with clipped gradients. All random numbers come from fixed seeds.
type Trainer struct {
	store *model.Store
	step  *device.Program
	batch []any
}

const modelScope = "model"

// NewTrainer prepares the training of m on d with a new store.
func NewTrainer(d *device.Device, m Model) (*Trainer, error) {
	t := &Trainer{store: model.NewStore()}
	for _, tensor := range m.Batch(seed.Stream(2, "batch", m.Name)) {
		t.batch = append(t.batch, tensor)
	}
	if err := t.initialise(d, m); err != nil {
		return nil, err
	}
	step, err := m.step(d, t.store)
	if err != nil {
		return nil, err
	}
	t.step = step
	return t, nil
}

// step compiles a training step of the model.
func (m Model) step(d *device.Device, store *model.Store) (*device.Program, error) {
	optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}, ClipNorm: 1, Select: m.selects}
	return d.Compile("train "+m.Name, store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		rate, batch := inputs[0], inputs[1:]
		loss := m.Loss(scope.At(modelScope), batch)
		optimizer.Minimize(scope.At(modelScope), loss, rate)
		return []*graph.Node{loss}
	})
}

// Cost compiles a training step on a device from [device.OpenCompiler] and returns its cost.
func Cost(d *device.Device, m Model) (device.Cost, error) {
	store := model.NewStore()
	defer store.Finalize()
	if m.adapter != nil {
		nn.Adapt(store.RootScope().At(modelScope).At("language_model"), *m.adapter)
	}
	step, err := m.step(d, store)
	if err != nil {
		return device.Cost{}, err
	}
	defer step.Close()
	inputs := []shapes.Shape{shapes.Make(dtypes.Float64)}
	for _, tensor := range m.Batch(seed.Stream(2, "batch", m.Name)) {
		inputs = append(inputs, tensor.Shape())
	}
	return step.Cost(inputs...)
}

// initialise sets the model's seed, or creates its variables and fills them.
func (t *Trainer) initialise(d *device.Device, m Model) error {
	at := t.store.RootScope().At(modelScope)
	if m.adapter != nil {
		nn.Adapt(at.At("language_model"), *m.adapter)
	}
	if m.fill == nil {
		nn.Seed(at, 1)
		return nil
	}
	var inputs []shapes.Shape
	for _, tensor := range t.batch {
		inputs = append(inputs, tensor.(*tensors.Tensor).Shape())
	}
	_, err := d.Trace(m.Name, t.store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{m.Loss(scope.At(modelScope), inputs)}
	}, inputs...)
	if err != nil {
		return err
	}
	return m.fill(at)
}

// Step makes one step and returns the loss before the step.
func (t *Trainer) Step(ctx context.Context) (float64, error) {
	outputs, err := t.step.Run(ctx, append([]any{1e-3}, t.batch...)...)
	if err != nil {
		return 0, err
	}
	loss, single := outputs[0].Value().(float32)
	if !single {
		return 0, fmt.Errorf("a loss of shape %s", outputs[0].Shape())
	}
	return float64(loss), nil
}

// Train makes the given number of steps and returns the first and the last loss.
func (t *Trainer) Train(ctx context.Context, steps int) (first, last float64, err error) {
	for i := range steps {
		if last, err = t.Step(ctx); err != nil {
			return 0, 0, err
		}
		if i == 0 {
			first = last
		}
	}
	return first, last, nil
}

// Parameters returns the number of trained parameters, which is known after the first step.
func (t *Trainer) Parameters() int {
	count := 0
	for variable := range t.store.Scope("/" + modelScope).IterVariables() {
		if variable.Trainable {
			count += variable.Shape().Size()
		}
	}
	return count
}

// Digest returns the SHA-256 of the names, shapes and bits of all variables: the model's tensors and the optimizer's
// state.
func (t *Trainer) Digest() ([32]byte, error) {
	hash := sha256.New()
	variables := slices.SortedFunc(t.store.IterVariables(), func(a, b *model.Variable) int {
		return strings.Compare(a.Path(), b.Path())
	})
	for _, variable := range variables {
		value, err := variable.Value()
		if err != nil {
			return [32]byte{}, err
		}
		fmt.Fprintln(hash, variable.Path(), variable.Shape())
		if err := value.ConstBytes(func(bytes []byte) { hash.Write(bytes) }); err != nil {
			return [32]byte{}, err
		}
	}
	return [32]byte(hash.Sum(nil)), nil
}

// Close frees the trainer's memory.
func (t *Trainer) Close() {
	t.step.Close()
	t.store.Finalize()
}

// normal draws a tensor from the standard normal distribution.
func normal(random *rand.Rand, dimensions ...int) *tensors.Tensor {
	return drawn(dimensions, func() float32 { return float32(random.NormFloat64()) })
}

// below draws a tensor of integers from 0 to most-1.
func below(random *rand.Rand, most int, dimensions ...int) *tensors.Tensor {
	return drawn(dimensions, func() int32 { return int32(random.IntN(most)) })
}

func drawn[T float32 | int32](dimensions []int, next func() T) *tensors.Tensor {
	size := 1
	for _, dimension := range dimensions {
		size *= dimension
	}
	values := make([]T, size)
	for i := range values {
		values[i] = next()
	}
	return tensors.FromFlatDataAndDimensions(values, dimensions...)
}
