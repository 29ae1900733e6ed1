package device

import (
	"context"
	"fmt"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Build describes a computation: it reads and sets variables below the scope, takes the inputs of a call and returns its outputs.
type Build func(scope *model.Scope, inputs []*graph.Node) []*graph.Node

// Program is a computation ready to be run. A program is built anew for each new set of input shapes, so keep those few.
type Program struct {
	stage string
	exec  *model.Exec
}

// Compile prepares build over the variables of store. The stage names the computation in errors. Nothing is built before the first Run.
func (d *Device) Compile(stage string, store *model.Store, build Build) (*Program, error) {
	var exec *model.Exec
	err := Try(stage, func() error {
		var err error
		exec, err = model.NewExec(d.backend, store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node { return build(scope, inputs) })
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Program{stage, exec}, nil
}

// Run computes the outputs for inputs, which are tensors or what [tensors.FromAnyValue] takes. Variables that the graph sets have their new values afterwards.
// After an error of a computation that sets variables their values are lost.
func (p *Program) Run(ctx context.Context, inputs ...any) (outputs []*tensors.Tensor, err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.stage, err)
	}
	err = Try(p.stage, func() error {
		outputs, err = p.exec.Call(inputs...)
		return err
	})
	return outputs, err
}

// Close frees the compiled graphs.
func (p *Program) Close() { p.exec.Finalize() }

// Trace builds the graph for inputs of the given shapes without compiling or running it: afterwards store has every variable of the model with its shape, and
// values only where it had them before.
func (d *Device) Trace(stage string, store *model.Store, build Build, inputs ...shapes.Shape) (outputs []shapes.Shape, err error) {
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

// Try runs f and returns what it panics with as an error; both carry the stage's name.
func Try(stage string, f func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			if inner, ok := cause.(error); ok {
				err = fmt.Errorf("%s: %w", stage, inner)
			} else {
				err = fmt.Errorf("%s: %v", stage, cause)
			}
		}
	}()
	if err := f(); err != nil {
		return fmt.Errorf("%s: %w", stage, err)
	}
	return nil
}
