package unlearn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// Precomputed is a stream whose values a phase computes once, because they are the same in all passes: the output of
// the parts of the model that the phase does not train. They are computed before the phase's first step, in batches of
// the phase's size and in the order of the rows. So they depend neither on the order of the passes nor on
// interruptions. They stay in memory until the phase ends.
//
// A run fails if Of reads a tensor that the phase's optimizer changes. Of must not read variables that [Task.After]
// changes either.
//
// [Job.Steps] precomputes nothing. A loss then reads the task's own columns, so it must handle both.
type Precomputed[V any] struct {
	Stream string // name of one of the phase's Streams, which the task has
	// Of computes, from the task's columns, the columns that the loss reads instead of them.
	Of func(model V, columns map[string]*graph.Node) map[string]*graph.Node
}

// findPrecomputed returns what the phase precomputes for the stream with the name, if anything.
func (p Phase[V]) findPrecomputed(name string) (Precomputed[V], bool) {
	for _, of := range p.Precomputed {
		if of.Stream == name {
			return of, true
		}
	}
	return Precomputed[V]{}, false
}

// checkPrecomputed returns an error if the stream cannot be precomputed.
func (j Job[V]) checkPrecomputed(phase Phase[V], of Precomputed[V]) error {
	_, drawn := phase.findDrawn(of.Stream)
	same := func(other Precomputed[V]) bool { return other.Stream == of.Stream }
	switch first := slices.IndexFunc(phase.Precomputed, same); {
	case of.Of == nil || !slices.Contains(phase.Streams, of.Stream):
		return errors.New("it needs Of, and its Stream among the Streams")
	case drawn:
		return errors.New("the phase draws its rows")
	case slices.ContainsFunc(phase.Precomputed[first+1:], same):
		return errors.New("it is precomputed twice")
	}
	return nil
}

// precomputedStream serves a phase the columns that prepare computes once, instead of the task's own.
type precomputedStream[V any] struct {
	Stream
	of    Precomputed[V]
	job   Job[V]
	phase Phase[V]
	ctx   context.Context // context of the run
	table Table           // computed rows; nil before the first step
}

func (p *precomputedStream[V]) Columns() []string { return p.table.Columns() }
func (p *precomputedStream[V]) Batch(rows []int) ([]*tensors.Tensor, error) {
	return p.table.Batch(rows)
}
func (p *precomputedStream[V]) close() { p.table = nil }

// prepare computes all rows on its first call.
func (p *precomputedStream[V]) prepare(int, int) error {
	if p.table != nil {
		return nil
	}
	stage := "precomputed values"
	var names []string
	var buildErr error // the error before the executor wraps it
	program, err := p.job.Device.Compile(stage, p.job.Store,
		func(root *model.Scope, inputs []*graph.Node) (outputs []*graph.Node) {
			buildErr = device.Try(stage, func() error {
				columns, err := p.graph(root, inputs)
				names = slices.Sorted(maps.Keys(columns))
				for _, name := range names {
					outputs = append(outputs, columns[name])
				}
				return err
			})
			if buildErr != nil {
				panic(buildErr)
			}
			return outputs
		})
	if err != nil {
		return err
	}
	defer program.Close()
	table := Table{}
	batches := (p.Rows() + p.phase.Batch - 1) / p.phase.Batch
	for begin := 0; begin < p.Rows(); begin += p.phase.Batch {
		rows := make([]int, min(p.phase.Batch, p.Rows()-begin))
		for i := range rows {
			rows[i] = begin + i
		}
		columns, err := p.compute(program, rows)
		if buildErr != nil {
			return buildErr
		}
		if err != nil {
			return err
		}
		for i, name := range names {
			if err := p.put(table, name, columns[i], begin, len(rows)); err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
		}
		if p.job.Ahead != nil {
			p.job.Ahead(begin/p.phase.Batch+1, batches)
		}
	}
	p.table = table
	return nil
}

// compute returns the columns of some rows.
func (p *precomputedStream[V]) compute(program *device.Program, rows []int) ([]*tensors.Tensor, error) {
	columns, err := p.Stream.Batch(rows)
	if err != nil {
		return nil, err
	}
	if names := p.Stream.Columns(); len(columns) != len(names) {
		return nil, fmt.Errorf("a batch of %d columns, not of %s", len(columns), strings.Join(names, ", "))
	}
	inputs := make([]any, len(columns))
	for i, column := range columns {
		inputs[i] = column
	}
	return program.Run(p.ctx, inputs...)
}

// graph returns the columns that losses read, and an error if a step could change them.
func (p *precomputedStream[V]) graph(root *model.Scope, inputs []*graph.Node) (map[string]*graph.Node, error) {
	columns := map[string]*graph.Node{}
	for i, name := range p.Stream.Columns() {
		columns[name] = inputs[i]
	}
	computed := p.of.Of(p.job.Task.View(Weights{root.At(Policy), true}), columns)
	if len(computed) == 0 {
		return nil, errors.New("no column is made")
	}
	selected := p.phase.Optimizer.Select
	for variable := range root.At(Policy).IterVariables() {
		path := strings.TrimPrefix(variable.Path(), "/"+Policy+"/")
		if variable.InUseByGraph(inputs[0].Graph()) && variable.Trainable && (selected == nil || selected(path) != 0) {
			return nil, fmt.Errorf("it reads the tensor %s, which the phase trains", path)
		}
	}
	return computed, nil
}

// put stores the rows of a column in the table.
func (p *precomputedStream[V]) put(table Table, name string, rows *tensors.Tensor, begin, count int) error {
	shape := rows.Shape()
	if shape.Rank() == 0 || shape.Dimensions[0] != count {
		return fmt.Errorf("the shape %v is computed for %d rows", shape, count)
	}
	if table[name] == nil {
		dimensions := append([]int{p.Rows()}, shape.Dimensions[1:]...)
		table[name] = tensors.FromShape(shapes.Make(shape.DType, dimensions...))
	}
	whole := table[name]
	if !slices.Equal(whole.Shape().Dimensions[1:], shape.Dimensions[1:]) {
		return fmt.Errorf("rows of the shape %v after rows of %v", shape.Dimensions[1:], whole.Shape().Dimensions[1:])
	}
	var inner error
	err := whole.MutableBytes(func(to []byte) {
		inner = rows.ConstBytes(func(from []byte) { copy(to[begin*len(from)/count:], from) })
	})
	return errors.Join(err, inner)
}
