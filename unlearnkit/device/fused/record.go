package fused

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// emit records an operation in a graph of the Go backend.
type emit func(f compute.Function, inputs []compute.Value) (compute.Value, error)

// node is a recorded operation.
type node struct {
	index  int
	op     operation
	inputs []*node
	detail any
	shape  shapes.Shape
	inner  compute.Value
	emit   emit
	place  int // index of its values while a plan runs
}

// static reports whether the shape is known.
func (n *node) static() bool {
	return !slices.ContainsFunc(n.shape.Dimensions, func(d int) bool { return d < 0 })
}

// function records the operations that GoMLX builds. It also builds them in the Go backend, which checks them and
// infers the shapes.
type function struct {
	compute.Function
	builder    *builder
	nodes      []*node
	parameters []*node
	outputs    []*node
	known      map[compute.Value]*node
}

func (f *function) Builder() compute.Builder { return f.builder }

func (f *function) Parent() compute.Function {
	parent := f.Function.Parent()
	if parent == nil {
		return nil
	}
	return f.builder.wrap(parent)
}

func (f *function) Closure() (compute.Function, error) {
	inner, err := f.Function.Closure()
	if err != nil {
		return nil, err
	}
	f.builder.whole = true
	return f.builder.wrap(inner), nil
}

func (f *function) Shape(value compute.Value) (shapes.Shape, error) { return f.builder.OpShape(value) }

// unwrap returns GoMLX's values as nodes, and the values of the Go backend in them.
func unwrap(values []compute.Value) (nodes []*node, inner []compute.Value, err error) {
	nodes, inner = make([]*node, len(values)), make([]compute.Value, len(values))
	for i, value := range values {
		n, ok := value.(*node)
		if !ok {
			return nil, nil, fmt.Errorf("a value of another backend: %T", value)
		}
		nodes[i], inner[i] = n, n.inner
	}
	return nodes, inner, nil
}

// record adds an operation. If the Go backend already has the same operation, it returns the existing value, and so
// does record.
func (f *function) record(op operation, detail any, how emit, inputs ...compute.Value) (compute.Value, error) {
	nodes, inner, err := unwrap(inputs)
	if err != nil {
		return nil, err
	}
	value, err := how(f.Function, inner)
	if err != nil {
		return nil, err
	}
	return f.add(op, detail, how, nodes, value)
}

func (f *function) add(op operation, detail any, how emit, inputs []*node, value compute.Value) (compute.Value, error) {
	if n, ok := f.known[value]; ok {
		return n, nil
	}
	shape, err := f.Function.Shape(value)
	if err != nil {
		return nil, err
	}
	n := &node{index: len(f.nodes), op: op, inputs: inputs, detail: detail, shape: shape.Clone(), inner: value,
		emit: how}
	f.nodes = append(f.nodes, n)
	f.known[value] = n
	return n, nil
}

// foreign records an operation that the Go backend computes.
func (f *function) foreign(how emit, inputs ...compute.Value) (compute.Value, error) {
	return f.record(foreign, nil, how, inputs...)
}

// whole makes the Go backend run the whole graph: it has an operation with several results or with functions.
func (f *function) whole(how func(inner []compute.Value) ([]compute.Value, error),
	inputs ...compute.Value) ([]compute.Value, error) {
	f.builder.whole = true
	nodes, inner, err := unwrap(inputs)
	if err != nil {
		return nil, err
	}
	results, err := how(inner)
	if err != nil {
		return nil, err
	}
	values := make([]compute.Value, len(results))
	for i, result := range results {
		if values[i], err = f.add(foreign, nil, nil, nodes, result); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (f *function) Parameter(name string, shape shapes.Shape, sharding *compute.ShardingSpec) (compute.Value, error) {
	value, err := f.Function.Parameter(name, shape, sharding)
	if err != nil {
		return nil, err
	}
	n, err := f.add(parameter, name, nil, nil, value)
	if err != nil {
		return nil, err
	}
	f.parameters = append(f.parameters, n.(*node))
	return n, nil
}

func (f *function) Constant(values any, dims ...int) (compute.Value, error) {
	value, err := f.Function.Constant(values, dims...)
	if err != nil {
		return nil, err
	}
	if n, ok := f.known[value]; ok {
		return n, nil
	}
	n, err := f.add(constant, nil, nil, nil, value)
	if err != nil {
		return nil, err
	}
	made := n.(*node)
	kept, into, err := f.builder.backend.NewSharedBuffer(0, made.shape)
	if err != nil {
		return nil, err
	}
	made.detail = kept.(*buffer).memory
	return n, copyFlat(into, values)
}

func (f *function) Return(outputs []compute.Value, shardings []*compute.ShardingSpec) error {
	nodes, inner, err := unwrap(outputs)
	if err != nil {
		return err
	}
	f.outputs = nodes
	return f.Function.Return(inner, shardings)
}

func (f *function) unary(op operation, how func(compute.Function, compute.Value) (compute.Value, error),
	x compute.Value) (compute.Value, error) {
	return f.record(op, nil, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return how(g, in[0])
	}, x)
}

func (f *function) binary(op operation, how func(compute.Function, compute.Value, compute.Value) (compute.Value, error),
	x, y compute.Value) (compute.Value, error) {
	return f.record(op, nil, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return how(g, in[0], in[1])
	}, x, y)
}

func (f *function) reduce(op operation, how func(compute.Function, compute.Value, ...int) (compute.Value, error),
	x compute.Value, axes []int) (compute.Value, error) {
	axes = slices.Clone(axes)
	return f.record(op, axes, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return how(g, in[0], axes...)
	}, x)
}

// The operations below have their own kernels and details.

func (f *function) Reshape(x compute.Value, dimensions ...int) (compute.Value, error) {
	dimensions = slices.Clone(dimensions)
	return f.record(alias, nil, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Reshape(in[0], dimensions...)
	}, x)
}

func (f *function) Identity(x compute.Value) (compute.Value, error) {
	if _, ok := x.(*node); !ok {
		return nil, fmt.Errorf("a value of another backend: %T", x)
	}
	return x, nil
}

func (f *function) OptimizationBarrier(operands ...compute.Value) ([]compute.Value, error) {
	return slices.Clone(operands), nil
}

func (f *function) SchedulingBarrier(operand compute.Value, _ ...compute.Value) (compute.Value, error) {
	return f.Identity(operand)
}

func (f *function) BroadcastInDim(x compute.Value, shape shapes.Shape, axes []int) (compute.Value, error) {
	axes = slices.Clone(axes)
	return f.record(broadcast, axes, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.BroadcastInDim(in[0], shape, axes)
	}, x)
}

func (f *function) Transpose(x compute.Value, permutation ...int) (compute.Value, error) {
	permutation = slices.Clone(permutation)
	return f.record(transpose, permutation, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Transpose(in[0], permutation...)
	}, x)
}

type sliceDetail struct{ starts, strides []int }

func (f *function) Slice(x compute.Value, starts, limits, strides []int) (compute.Value, error) {
	starts, limits, strides = slices.Clone(starts), slices.Clone(limits), slices.Clone(strides)
	detail := sliceDetail{starts, strides}
	if len(strides) == 0 {
		detail.strides = slices.Repeat([]int{1}, len(starts))
	}
	return f.record(slice, detail, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Slice(in[0], starts, limits, strides)
	}, x)
}

func (f *function) Concatenate(axis int, operands ...compute.Value) (compute.Value, error) {
	return f.record(concatenate, axis, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Concatenate(axis, in...)
	}, operands...)
}

func (f *function) Pad(x, fill compute.Value, axes ...compute.PadAxis) (compute.Value, error) {
	axes = slices.Clone(axes)
	return f.record(pad, axes, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Pad(in[0], in[1], axes...)
	}, x, fill)
}

func (f *function) Iota(shape shapes.Shape, axis int) (compute.Value, error) {
	return f.foreign(func(g compute.Function, _ []compute.Value) (compute.Value, error) { return g.Iota(shape, axis) })
}

func (f *function) ConvertDType(x compute.Value, to dtypes.DType) (compute.Value, error) {
	return f.record(convert, nil, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.ConvertDType(in[0], to)
	}, x)
}

func (f *function) Where(condition, onTrue, onFalse compute.Value) (compute.Value, error) {
	return f.record(where, nil, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Where(in[0], in[1], in[2])
	}, condition, onTrue, onFalse)
}

func (f *function) Clamp(low, x, high compute.Value) (compute.Value, error) {
	return f.record(clamp, nil, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Clamp(in[0], in[1], in[2])
	}, low, x, high)
}

type dotDetail struct{ leftContracting, leftBatch, rightContracting, rightBatch []int }

func (f *function) DotGeneral(left compute.Value, leftContracting, leftBatch []int, right compute.Value,
	rightContracting, rightBatch []int, config compute.DotGeneralConfig) (compute.Value, error) {
	if n, known := left.(*node); known && n.shape.DType.Size() == 2 && n.shape.DType.IsFloat() {
		return f.halfProduct(n, leftContracting, leftBatch, right, rightContracting, rightBatch, config)
	}
	d := dotDetail{slices.Clone(leftContracting), slices.Clone(leftBatch), slices.Clone(rightContracting),
		slices.Clone(rightBatch)}
	op := dot
	if config != (compute.DotGeneralConfig{}) {
		op = foreign
	}
	return f.record(op, d, func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.DotGeneral(in[0], d.leftContracting, d.leftBatch, in[1], d.rightContracting, d.rightBatch, config)
	}, left, right)
}

// halfProduct computes a product of 16-bit numbers in float32. GoMLX's products of 16-bit numbers are wrong on
// processors with AVX2 and without AVX-512, if an operand is transposed.
func (f *function) halfProduct(left *node, leftContracting, leftBatch []int, right compute.Value, rightContracting,
	rightBatch []int, config compute.DotGeneralConfig) (compute.Value, error) {
	wide, err := f.ConvertDType(left, dtypes.Float32)
	if err != nil {
		return nil, err
	}
	if right, err = f.ConvertDType(right, dtypes.Float32); err != nil {
		return nil, err
	}
	product, err := f.DotGeneral(wide, leftContracting, leftBatch, right, rightContracting, rightBatch,
		compute.DotGeneralConfig{})
	to := cmp.Or(config.OutputDType, left.shape.DType)
	if err != nil || to == dtypes.Float32 {
		return product, err
	}
	return f.ConvertDType(product, to)
}
