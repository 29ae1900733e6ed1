// Package fused makes GoMLX's pure Go backend fast.
//
// It records a graph while GoMLX builds it, and then runs it by its own plan. Chains of element-wise operations become
// one pass over memory, in blocks that stay in the processor's cache. Reductions read such chains without storing them,
// and transposes work in tiles. Float32 products locate their operands by patterns of strides, so that neither the
// unfolded input of a convolution nor the product from which its gradient is summed is ever stored. Products in float64
// or without vector instructions, and every operation that has no kernel here, are computed by the Go backend, one
// operation at a time. A graph with control flow is delegated to it as a whole.
//
// One operation runs at a time and spreads over the processors by itself, so nothing waits for anything and a panic
// becomes an error. How work is split depends only on sizes, so results have the same bits for every GOMAXPROCS.
package fused

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// Backend is a Go backend that plans its graphs and runs the plans.
type Backend struct {
	compute.Backend
	pool     pool
	products sync.Map // maps product to *compiledOp
	template reflect.Value
}

// Wrap makes backend, which must be GoMLX's Go backend, plan its graphs and run the plans.
func Wrap(backend compute.Backend) (*Backend, error) {
	template, _, err := backend.NewSharedBuffer(0, shapes.Shape{DType: float32Type})
	if err != nil {
		return nil, err
	}
	value := reflect.ValueOf(template)
	if value.Kind() != reflect.Pointer || value.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("the buffers of %s are not those of the Go backend", backend.Name())
	}
	for _, field := range []string{"RawShape", "RawBytes", "Flat"} {
		if f := value.Elem().FieldByName(field); !f.IsValid() || !f.CanSet() {
			return nil, fmt.Errorf("the buffers of %s are not those of the Go backend: they have no %s", backend.Name(),
				field)
		}
	}
	return &Backend{Backend: backend, template: value.Elem()}, nil
}

// Description returns the description of the Go backend, marked as fused.
func (b *Backend) Description() string { return "fused " + b.Backend.Description() }

// Builder starts a graph.
func (b *Backend) Builder(name string) compute.Builder {
	return &builder{Builder: b.Backend.Builder(name), backend: b, made: map[compute.Function]*function{}}
}

type builder struct {
	compute.Builder
	backend *Backend
	main    *function
	made    map[compute.Function]*function
	whole   bool // the graph contains something that cannot be planned
}

func (b *builder) wrap(inner compute.Function) *function {
	f, ok := b.made[inner]
	if !ok {
		f = &function{Function: inner, builder: b, known: map[compute.Value]*node{}}
		b.made[inner] = f
	}
	return f
}

func (b *builder) Main() compute.Function {
	if b.main == nil {
		b.main = b.wrap(b.Builder.Main())
	}
	return b.main
}

func (b *builder) NewFunction(name string) (compute.Function, error) {
	inner, err := b.Builder.NewFunction(name)
	if err != nil {
		return nil, err
	}
	b.whole = true
	return b.wrap(inner), nil
}

func (b *builder) OpShape(value compute.Value) (shapes.Shape, error) {
	n, ok := value.(*node)
	if !ok {
		return shapes.Invalid(), fmt.Errorf("a value of another backend: %T", value)
	}
	return n.shape, nil
}

func (b *builder) Compile() (compute.Executable, error) {
	if !b.whole {
		for _, n := range b.main.nodes {
			if !n.static() {
				b.whole = true
				break
			}
		}
	}
	if !b.whole {
		return compile(b.backend, b.main)
	}
	inner, err := b.Builder.Compile()
	if err != nil {
		return nil, err
	}
	return &delegated{inner, b.backend}, nil
}
