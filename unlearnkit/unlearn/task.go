package unlearn

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Names of streams that tasks share.
const (
	Forget = "forget" // examples to forget
	Retain = "retain" // a sample of the examples to keep
)

// Task is a model together with the examples to forget and to keep. V is the modality's type: the model as losses use
// it.
type Task[V any] struct {
	Streams Streams
	// View returns the model with these weights.
	View func(w Weights) V
	// After, if not nil, runs at the end of each step; for example, it clamps a variable of the policy.
	After func(policy *model.Scope, g *graph.Graph)
}

// Streams maps the names of a task's tables of examples to the tables.
type Streams map[string]Stream

// Stream is a table of examples. [Table] is a Stream in memory.
type Stream interface {
	Rows() int
	// Columns returns the names of the tensors that Batch returns.
	Columns() []string
	// Batch returns the columns of the given rows, in the given order: tensors whose first axis counts rows. The other
	// dimensions should be the same in all batches, because each new shape needs a new graph.
	Batch(rows []int) ([]*tensors.Tensor, error)
}

// rows returns the number of rows of a stream, or 0 if the task does not have it.
func (s Streams) rows(name string) int {
	if s[name] == nil {
		return 0
	}
	return s[name].Rows()
}

// Weights are the values of a model in the scope of a store: of the model that is changed, or of a frozen one.
type Weights struct {
	scope  *model.Scope
	frozen bool
}

// Scope returns the scope of the values.
func (w Weights) Scope() *model.Scope {
	if w.scope == nil {
		panic(errors.New("the method reads its reference, but Method.Reference is not set"))
	}
	return w.scope
}

// Output prepares the model's output x for a loss: the output of a frozen model has no gradient.
func (w Weights) Output(x *graph.Node) *graph.Node {
	if w.frozen {
		return graph.StopGradient(x)
	}
	return x
}

// Models holds the model that is changed and the frozen one from which it started. Reference is set only for methods
// that ask for it.
type Models[V any] struct {
	Policy, Reference V

	frozen map[string]V
}

// Frozen returns one of the additional frozen models that the method names.
func (m Models[V]) Frozen(name string) V {
	view, named := m.frozen[name]
	if !named {
		panic(fmt.Errorf("the method reads a frozen model %q, but Method.Frozen does not name it", name))
	}
	return view
}

// models returns the views of a job's models below a store's root.
func (j Job[V]) models(root *model.Scope) Models[V] {
	var frozen Weights
	if j.Method.Reference {
		frozen = Weights{root.At(Reference), true}
	}
	m := Models[V]{Policy: j.Task.View(Weights{root.At(Policy), false}), Reference: j.Task.View(frozen),
		frozen: map[string]V{}}
	for _, name := range j.Method.Frozen {
		m.frozen[name] = j.Task.View(Weights{root.At("%s", name), true})
	}
	return m
}

// Batch holds the rows of one step as nodes of the step's graph.
type Batch struct {
	columns     map[string]map[string]*graph.Node
	permutation *graph.Node
}

// Of returns a column of the rows of a stream.
func (b Batch) Of(stream, column string) *graph.Node {
	columns, read := b.columns[stream]
	if !read {
		panic(fmt.Errorf("the loss reads the stream %q, the phase only %s", stream,
			strings.Join(slices.Sorted(maps.Keys(b.columns)), ", ")))
	}
	node, ok := columns[column]
	if !ok {
		panic(fmt.Errorf("the task's stream %q has no column %q; it has %s", stream, column,
			strings.Join(slices.Sorted(maps.Keys(columns)), ", ")))
	}
	return node
}

// Columns returns all columns of the rows of a stream by name, or nil if the phase does not read the stream.
func (b Batch) Columns(stream string) map[string]*graph.Node { return maps.Clone(b.columns[stream]) }

// Shuffled returns x with its rows permuted. Each step has a new permutation, the same one for every x.
func (b Batch) Shuffled(x *graph.Node) *graph.Node {
	return graph.Gather(x, graph.InsertAxes(b.permutation, -1))
}
