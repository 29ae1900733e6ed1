package device

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Build describes a computation: it reads and sets variables below the scope, takes the inputs of a call and returns
// its outputs.
type Build func(scope *model.Scope, inputs []*graph.Node) []*graph.Node

// Program is a computation ready to be run. A program is built anew for each new set of input shapes, so keep those
// few.
type Program struct {
	stage string
	store *model.Store
	exec  *model.Exec
	lost  error // what failed after the variables to be set had been given away
}

// Compile prepares build over the variables of store. The stage names the computation in errors. Nothing is built
// before the first Run.
func (d *Device) Compile(stage string, store *model.Store, build Build) (*Program, error) {
	var exec *model.Exec
	err := Try(stage, func() error {
		var err error
		exec, err = model.NewExec(d.backend, store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
			return build(scope, inputs)
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Program{stage: stage, store: store, exec: exec}, nil
}

// Run computes the outputs for inputs, which are tensors or what [tensors.FromAnyValue] takes. Variables that the graph
// sets have their new values afterwards.
//
// A computation that fails while it runs takes the variables that it would have set with it: their memory was the
// graph's to write into. The error says so, the program refuses to run again, and the variables need their values from
// a checkpoint. A graph that cannot be built or compiled does no such harm.
func (p *Program) Run(ctx context.Context, inputs ...any) (outputs []*tensors.Tensor, err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.stage, err)
	}
	if p.lost != nil {
		return nil, fmt.Errorf("%s: cannot run again after this error, load a checkpoint: %w", p.stage, p.lost)
	}
	before := valued(p.store)
	err = Try(p.stage, func() error {
		outputs, err = p.exec.Call(inputs...)
		return err
	})
	if err != nil {
		if lost := slices.DeleteFunc(before, (*model.Variable).HasValue); len(lost) > 0 {
			err = fmt.Errorf("%w; the values of %s and %d more variables are lost", err, lost[0].Path(), len(lost)-1)
			p.lost = err
		}
		return nil, err
	}
	return outputs, nil
}

// valued are the variables that have values.
func valued(store *model.Store) []*model.Variable {
	var with []*model.Variable
	for variable := range store.IterVariables() {
		if variable.HasValue() {
			with = append(with, variable)
		}
	}
	return with
}

// Close frees the compiled graphs.
func (p *Program) Close() { p.exec.Finalize() }

// Trace builds the graph for inputs of the given shapes without compiling or running it: afterwards store has every
// variable of the model with its shape, and values only where it had them before.
func (d *Device) Trace(stage string, store *model.Store, build Build, inputs ...shapes.Shape) (outputs []shapes.Shape,
	err error) {
	err = Try(stage, func() error {
		g := graph.NewGraph(d.backend, stage)
		defer g.Finalize()
		model.SetStore(g, store)
		nodes := make([]*graph.Node, len(inputs))
		for i, shape := range inputs {
			nodes[i] = graph.Parameter(g, fmt.Sprintf("input %d", i), shape)
		}
		for _, node := range build(store.RootScope(), nodes) {
			outputs = append(outputs, node.Shape())
		}
		return nil
	})
	return outputs, err
}

// Try runs f and returns what it panics with as an error; both carry the stage's name, on one line. Of a mistake that
// the runtime found, such as an index out of range, the error says where.
func Try(stage string, f func() error) (err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case runtime.Error:
			err = stageError{stage, fmt.Errorf("%w at %s", cause, origin())}
		case error:
			err = stageError{stage, cause}
		default:
			err = stageError{stage, fmt.Errorf("%v", cause)}
		}
	}()
	if err := f(); err != nil {
		return stageError{stage, err}
	}
	return nil
}

// A stageError puts a stage's name before an error and its message on one line: GoMLX's go over many.
type stageError struct {
	stage string
	error
}

func (e stageError) Error() string { return e.stage + ": " + oneLine(e.error.Error()) }
func (e stageError) Unwrap() error { return e.error }

// origin is the line that panicked, asked by the function deferred for it.
func origin() string {
	stack := make([]uintptr, 16)
	frames := runtime.CallersFrames(stack[:runtime.Callers(3, stack)])
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf("%s (%s:%d)", frame.Function, filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
