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
	Forget = "forget" // what is to be forgotten
	Retain = "retain" // a sample of what is to be kept
)

// Task is a model together with what it is to forget and to keep. V is the modality's: the model as losses see it.
type Task[V any] struct {
	Streams Streams
	// View returns the model that has these weights.
	View func(w Weights) V
	// After ends each step, if there is one; by clamping a variable of the policy, for example.
	After func(policy *model.Scope, g *graph.Graph)
}

// Streams are a task's tables of examples by their names.
type Streams map[string]Stream

// Stream is a table of examples. [Table] is one in memory.
type Stream interface {
	Rows() int
	// Columns are the names of what Batch returns.
	Columns() []string
	// Batch returns the columns of some rows, in that order: tensors whose first axis is that of rows. The others have
	// the same dimensions in all batches, for each of which a graph would have to be built.
	Batch(rows []int) ([]*tensors.Tensor, error)
}

// rows is the number of rows of a stream, 0 of one that the task does not have.
func (s Streams) rows(name string) int {
	if s[name] == nil {
		return 0
	}
	return s[name].Rows()
}

// Weights are a model's values, in the scope of a store: those of the model that is changed, or of the frozen one.
type Weights struct {
	scope  *model.Scope
	frozen bool
}

// Scope is where the values stand.
func (w Weights) Scope() *model.Scope {
	if w.scope == nil {
		panic(errors.New("the method reads its reference, but Method.Reference is not set"))
	}
	return w.scope
}

// Output is what a loss gets of x, which the model has put out: what a frozen model returns has no gradient.
func (w Weights) Output(x *graph.Node) *graph.Node {
	if w.frozen {
		return graph.StopGradient(x)
	}
	return x
}

// Models are the model that is changed and the frozen one from which it started; the latter only in methods that ask
// for a Reference.
type Models[V any] struct {
	Policy, Reference V

	frozen map[string]V
}

// Frozen is one of the further frozen models that the method names.
func (m Models[V]) Frozen(name string) V {
	view, named := m.frozen[name]
	if !named {
		panic(fmt.Errorf("the method reads a frozen model %q, but Method.Frozen does not name it", name))
	}
	return view
}

// models are the views of a job's models below a store's root.
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

// Batch is the rows of a step, within its graph.
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

// Columns are all columns of the rows of a stream by their names, none of a stream that the phase does not read.
func (b Batch) Columns(stream string) map[string]*graph.Node { return maps.Clone(b.columns[stream]) }

// Shuffled returns x with its rows in another order, a new one each step, the same for all that is shuffled in the
// step.
func (b Batch) Shuffled(x *graph.Node) *graph.Node {
	return graph.Gather(x, graph.InsertAxes(b.permutation, -1))
}
