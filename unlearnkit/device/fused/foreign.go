package fused

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
)

// The Go backend computes the operations in this file.

func (f *function) BitCount(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.BitCount, x)
}

func (f *function) BitwiseNot(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.BitwiseNot, x)
}

func (f *function) Ceil(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.Ceil, x)
}

func (f *function) Clz(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.Clz, x)
}

func (f *function) Conj(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.Conj, x)
}

func (f *function) Expm1(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.Expm1, x)
}

func (f *function) Imag(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.Imag, x)
}

func (f *function) Real(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.Real, x)
}

func (f *function) Round(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.Round, x)
}

func (f *function) DynamicShape(x compute.Value) (compute.Value, error) {
	return f.unary(foreign, compute.Function.DynamicShape, x)
}

func (f *function) Atan2(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.Atan2, x, y)
}

func (f *function) BitwiseAnd(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.BitwiseAnd, x, y)
}

func (f *function) BitwiseOr(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.BitwiseOr, x, y)
}

func (f *function) BitwiseXor(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.BitwiseXor, x, y)
}

func (f *function) Complex(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.Complex, x, y)
}

func (f *function) EqualTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.EqualTotalOrder, x, y)
}

func (f *function) GreaterOrEqualTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.GreaterOrEqualTotalOrder, x, y)
}

func (f *function) GreaterThanTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.GreaterThanTotalOrder, x, y)
}

func (f *function) LessOrEqualTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.LessOrEqualTotalOrder, x, y)
}

func (f *function) LessThanTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.LessThanTotalOrder, x, y)
}

func (f *function) LogicalXor(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.LogicalXor, x, y)
}

func (f *function) NotEqualTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.NotEqualTotalOrder, x, y)
}

func (f *function) Rem(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.Rem, x, y)
}

func (f *function) ShiftLeft(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.ShiftLeft, x, y)
}

func (f *function) ShiftRightArithmetic(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.ShiftRightArithmetic, x, y)
}

func (f *function) ShiftRightLogical(x, y compute.Value) (compute.Value, error) {
	return f.binary(foreign, compute.Function.ShiftRightLogical, x, y)
}

func (f *function) ReduceBitwiseAnd(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(foreign, compute.Function.ReduceBitwiseAnd, x, axes)
}

func (f *function) ReduceBitwiseOr(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(foreign, compute.Function.ReduceBitwiseOr, x, axes)
}

func (f *function) ReduceBitwiseXor(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(foreign, compute.Function.ReduceBitwiseXor, x, axes)
}

func (f *function) ReduceLogicalAnd(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(foreign, compute.Function.ReduceLogicalAnd, x, axes)
}

func (f *function) ReduceLogicalOr(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(foreign, compute.Function.ReduceLogicalOr, x, axes)
}

func (f *function) ReduceLogicalXor(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(foreign, compute.Function.ReduceLogicalXor, x, axes)
}

func (f *function) ReduceProduct(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(foreign, compute.Function.ReduceProduct, x, axes)
}

func (f *function) ArgMinMax(x compute.Value, axis int, to dtypes.DType, isMin bool) (compute.Value, error) {
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.ArgMinMax(in[0], axis, to, isMin)
	}, x)
}

func (f *function) Bitcast(x compute.Value, to dtypes.DType) (compute.Value, error) {
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Bitcast(in[0], to)
	}, x)
}

func (f *function) BatchNormForInference(operand, scale, offset, mean, variance compute.Value, epsilon float32,
	axis int) (compute.Value, error) {
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.BatchNormForInference(in[0], in[1], in[2], in[3], in[4], epsilon, axis)
	}, operand, scale, offset, mean, variance)
}

func (f *function) ConvGeneral(input, kernel compute.Value, axes compute.ConvolveAxesConfig, strides []int,
	paddings [][2]int, inputDilations, kernelDilations []int, channelGroups, batchGroups int) (compute.Value, error) {
	strides, paddings = slices.Clone(strides), slices.Clone(paddings)
	inputDilations, kernelDilations = slices.Clone(inputDilations), slices.Clone(kernelDilations)
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.ConvGeneral(in[0], in[1], axes, strides, paddings, inputDilations, kernelDilations, channelGroups,
			batchGroups)
	}, input, kernel)
}

func (f *function) CumSum(x compute.Value, axis int, options compute.CumSumOptions) (compute.Value, error) {
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.CumSum(in[0], axis, options)
	}, x)
}

func (f *function) DynamicSlice(operand compute.Value, starts []compute.Value, sizes []int) (compute.Value, error) {
	sizes = slices.Clone(sizes)
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.DynamicSlice(in[0], in[1:], sizes)
	},
		append([]compute.Value{operand}, starts...)...)
}

func (f *function) DynamicUpdateSlice(operand, update compute.Value, starts []compute.Value) (compute.Value, error) {
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.DynamicUpdateSlice(in[0], in[1], in[2:])
	},
		append([]compute.Value{operand, update}, starts...)...)
}

func (f *function) FFT(operand compute.Value, kind compute.FFTType, length []int) (compute.Value, error) {
	length = slices.Clone(length)
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.FFT(in[0], kind, length)
	}, operand)
}

func (f *function) Gather(operand, starts compute.Value, indexAxis int, offsetAxes, collapsedAxes, startMap,
	sizes []int, sorted bool) (compute.Value, error) {
	offsetAxes, collapsedAxes, startMap, sizes = slices.Clone(offsetAxes), slices.Clone(collapsedAxes),
		slices.Clone(startMap), slices.Clone(sizes)
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Gather(in[0], in[1], indexAxis, offsetAxes, collapsedAxes, startMap, sizes, sorted)
	}, operand, starts)
}

func (f *function) ReduceWindow(input compute.Value, reduction compute.ReduceOpType, dimensions, strides,
	inputDilations, windowDilations []int, paddings [][2]int) (compute.Value, error) {
	dimensions, strides, paddings = slices.Clone(dimensions), slices.Clone(strides), slices.Clone(paddings)
	inputDilations, windowDilations = slices.Clone(inputDilations), slices.Clone(windowDilations)
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.ReduceWindow(in[0], reduction, dimensions, strides, inputDilations, windowDilations, paddings)
	}, input)
}

func (f *function) Reverse(x compute.Value, axes ...int) (compute.Value, error) {
	axes = slices.Clone(axes)
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.Reverse(in[0], axes...)
	}, x)
}

// scatter is ScatterSum, ScatterMax or ScatterMin.
type scatter func(f compute.Function, operand, indices, updates compute.Value, indexAxis int, windowAxes, insertedAxes,
	operandAxes []int, sorted, unique bool) (compute.Value, error)

func (f *function) scatter(how scatter, operand, indices, updates compute.Value, indexAxis int, windowAxes,
	insertedAxes, operandAxes []int, sorted, unique bool) (compute.Value, error) {
	windowAxes, insertedAxes, operandAxes = slices.Clone(windowAxes), slices.Clone(insertedAxes),
		slices.Clone(operandAxes)
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return how(g, in[0], in[1], in[2], indexAxis, windowAxes, insertedAxes, operandAxes, sorted, unique)
	}, operand, indices, updates)
}

func (f *function) ScatterSum(operand, indices, updates compute.Value, indexAxis int, windowAxes, insertedAxes,
	operandAxes []int, sorted, unique bool) (compute.Value, error) {
	return f.scatter(compute.Function.ScatterSum, operand, indices, updates, indexAxis, windowAxes, insertedAxes,
		operandAxes, sorted, unique)
}

func (f *function) ScatterMax(operand, indices, updates compute.Value, indexAxis int, windowAxes, insertedAxes,
	operandAxes []int, sorted, unique bool) (compute.Value, error) {
	return f.scatter(compute.Function.ScatterMax, operand, indices, updates, indexAxis, windowAxes, insertedAxes,
		operandAxes, sorted, unique)
}

func (f *function) ScatterMin(operand, indices, updates compute.Value, indexAxis int, windowAxes, insertedAxes,
	operandAxes []int, sorted, unique bool) (compute.Value, error) {
	return f.scatter(compute.Function.ScatterMin, operand, indices, updates, indexAxis, windowAxes, insertedAxes,
		operandAxes, sorted, unique)
}

func (f *function) SelectAndScatterMax(operand, source compute.Value, dimensions, strides []int,
	paddings [][2]int) (compute.Value, error) {
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.SelectAndScatterMax(in[0], in[1], dimensions, strides, paddings)
	}, operand, source)
}

func (f *function) SelectAndScatterMin(operand, source compute.Value, dimensions, strides []int,
	paddings [][2]int) (compute.Value, error) {
	return f.foreign(func(g compute.Function, in []compute.Value) (compute.Value, error) {
		return g.SelectAndScatterMin(in[0], in[1], dimensions, strides, paddings)
	}, operand, source)
}
