package device

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Build describes a computation. It reads and sets variables below the scope, takes the inputs of a call and returns
// its outputs.
type Build func(scope *model.Scope, inputs []*graph.Node) []*graph.Node

// Program is a computation that is ready to run. It is compiled once for each set of input shapes, so use few of them.
type Program struct {
	stage   string
	store   *model.Store
	exec    *model.Exec
	failure error // the error after which the variables lost their values
}

// Compile prepares build over the variables of store. The stage names the computation in errors. Nothing is built
// before the first Run.
func (d *Device) Compile(stage string, store *model.Store, build Build) (*Program, error) {
	var exec *model.Exec
	err := Try(stage, func() error {
		var err error
		exec, err = model.NewExec(d.backend, store,
			func(scope *model.Scope, g *graph.Graph, inputs []*graph.Node) []*graph.Node {
				outputs := build(scope, inputs)
				if donor, ok := d.backend.(donor); ok {
					donor.donate(g.Name(), changed(store, g))
				}
				return outputs
			})
		return err
	})
	if err != nil {
		return nil, err
	}
	exec.WithName(fmt.Sprintf("%s, program %d", stage, programs.Add(1)))
	return &Program{stage: stage, store: store, exec: exec}, nil
}

// programs counts the programs, so that the graphs of different programs have different names.
var programs atomic.Int64

// A donor is a backend that computes new values of variables in the memory of the old ones. It must know the variables
// before it compiles.
type donor interface {
	// donate takes the name of a graph and the names of the parameters whose memory the graph may overwrite.
	donate(graph string, parameters []string)
}

// changed returns the paths of the variables that g sets; they are the names of the graph's parameters. GoMLX gives
// their memory away when it executes the graph.
func changed(store *model.Store, g *graph.Graph) []string {
	var paths []string
	for variable := range store.IterVariables() {
		if variable.ChangedInGraph(g) {
			paths = append(paths, variable.Path())
		}
	}
	return paths
}

// Run computes the outputs for inputs, which are tensors or values that [tensors.FromAnyValue] accepts. Variables that
// the graph sets have their new values afterwards.
//
// If a computation fails while it runs, the variables that it sets are lost, because the graph was allowed to overwrite
// their memory. The error says so, the program refuses to run again, and the variables need their values from a
// checkpoint. If the graph cannot be built or compiled, no variable changes.
func (p *Program) Run(ctx context.Context, inputs ...any) (outputs []*tensors.Tensor, err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.stage, err)
	}
	if p.failure != nil {
		return nil, fmt.Errorf("%s: cannot run again after this error, load a checkpoint: %w", p.stage, p.failure)
	}
	before := withValues(p.store)
	err = Try(p.stage, func() error {
		outputs, err = p.exec.Call(inputs...)
		return err
	})
	if err != nil {
		if lost := slices.DeleteFunc(before, (*model.Variable).HasValue); len(lost) > 0 {
			err = fmt.Errorf("%w; the values of %s and %d more variables are lost", err, lost[0].Path(), len(lost)-1)
			p.failure = err
		}
		return nil, err
	}
	return outputs, nil
}

func withValues(store *model.Store) []*model.Variable {
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

// Trace builds the graph for inputs of the given shapes without compiling or running it. Afterwards store has every
// variable of the model with its shape. Tracing computes no values.
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

// Try runs f and turns a panic into an error. Errors have the stage's name in front and take one line. For a runtime
// error, such as an index out of range, the error names the line of code.
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

// A stageError prefixes an error with a stage's name and joins GoMLX's multi-line messages into one line.
type stageError struct {
	stage string
	error
}

func (e stageError) Error() string { return e.stage + ": " + oneLine(e.error.Error()) }
func (e stageError) Unwrap() error { return e.error }

// origin returns the line that panicked. It must be called by the deferred function.
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
