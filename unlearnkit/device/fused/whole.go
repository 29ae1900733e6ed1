package fused

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// The operations in this file make the Go backend run the whole graph: they call functions, have several results, or
// have shapes that are not known in advance.

func (f *function) one(how func(inner []compute.Value) (compute.Value, error), inputs ...compute.Value) (compute.Value,
	error) {
	values, err := f.whole(func(inner []compute.Value) ([]compute.Value, error) {
		value, err := how(inner)
		return []compute.Value{value}, err
	}, inputs...)
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

func (f *function) three(how func(inner []compute.Value) (a, b, c compute.Value, err error),
	inputs ...compute.Value) (a, b, c compute.Value, err error) {
	values, err := f.whole(func(inner []compute.Value) ([]compute.Value, error) {
		a, b, c, err := how(inner)
		return []compute.Value{a, b, c}, err
	}, inputs...)
	if err != nil {
		return nil, nil, nil, err
	}
	return values[0], values[1], values[2], nil
}

// unwrapFunction returns the Go backend's function in f.
func unwrapFunction(f compute.Function) (compute.Function, error) {
	ours, ok := f.(*function)
	if !ok {
		return nil, fmt.Errorf("a function of another backend: %T", f)
	}
	return ours.Function, nil
}

func (f *function) Call(target compute.Function, inputs ...compute.Value) ([]compute.Value, error) {
	inner, err := unwrapFunction(target)
	if err != nil {
		return nil, err
	}
	return f.whole(func(in []compute.Value) ([]compute.Value, error) {
		return f.Function.Call(inner, in...)
	}, inputs...)
}

func (f *function) Sort(comparator compute.Function, axis int, stable bool, inputs ...compute.Value) ([]compute.Value,
	error) {
	inner, err := unwrapFunction(comparator)
	if err != nil {
		return nil, err
	}
	return f.whole(func(in []compute.Value) ([]compute.Value, error) {
		return f.Function.Sort(inner, axis, stable, in...)
	}, inputs...)
}

func (f *function) While(condition, body compute.Function, state ...compute.Value) ([]compute.Value, error) {
	first, err := unwrapFunction(condition)
	if err != nil {
		return nil, err
	}
	second, err := unwrapFunction(body)
	if err != nil {
		return nil, err
	}
	return f.whole(func(in []compute.Value) ([]compute.Value, error) {
		return f.Function.While(first, second, in...)
	}, state...)
}

func (f *function) If(condition compute.Value, onTrue, onFalse compute.Function) ([]compute.Value, error) {
	first, err := unwrapFunction(onTrue)
	if err != nil {
		return nil, err
	}
	second, err := unwrapFunction(onFalse)
	if err != nil {
		return nil, err
	}
	return f.whole(func(in []compute.Value) ([]compute.Value, error) {
		return f.Function.If(in[0], first, second)
	}, condition)
}

func (f *function) AllReduce(operands []compute.Value, reduction compute.ReduceOpType, groups [][]int) ([]compute.Value,
	error) {
	return f.whole(func(in []compute.Value) ([]compute.Value, error) {
		return f.Function.AllReduce(in, reduction, groups)
	}, operands...)
}

func (f *function) DynamicDimensionSize(x compute.Value, axis int) (compute.Value, error) {
	return f.one(func(in []compute.Value) (compute.Value, error) {
		return f.Function.DynamicDimensionSize(in[0], axis)
	}, x)
}

func (f *function) DynamicReshape(x compute.Value, dimensions ...compute.DynamicDimensionSpec) (compute.Value, error) {
	return f.sized(dimensions, func(in []compute.Value, sizes []compute.DynamicDimensionSpec) (compute.Value, error) {
		return f.Function.DynamicReshape(in[0], sizes...)
	}, x)
}

func (f *function) DynamicBroadcastInDim(x compute.Value, axes []int,
	dimensions ...compute.DynamicDimensionSpec) (compute.Value, error) {
	return f.sized(dimensions, func(in []compute.Value, sizes []compute.DynamicDimensionSpec) (compute.Value, error) {
		return f.Function.DynamicBroadcastInDim(in[0], axes, sizes...)
	}, x)
}

func (f *function) DynamicIota(kind dtypes.DType, axis int,
	dimensions ...compute.DynamicDimensionSpec) (compute.Value, error) {
	return f.sized(dimensions, func(_ []compute.Value, sizes []compute.DynamicDimensionSpec) (compute.Value, error) {
		return f.Function.DynamicIota(kind, axis, sizes...)
	})
}

// sized records an operation whose dimensions may be values.
func (f *function) sized(dimensions []compute.DynamicDimensionSpec,
	how func(inner []compute.Value, sizes []compute.DynamicDimensionSpec) (compute.Value, error),
	inputs ...compute.Value) (compute.Value, error) {
	sizes, next := slices.Clone(dimensions), len(inputs)
	for _, d := range dimensions {
		if d.Value != nil {
			inputs = append(inputs, d.Value)
		}
	}
	return f.one(func(in []compute.Value) (compute.Value, error) {
		for i := range sizes {
			if sizes[i].Value != nil {
				sizes[i].Value = in[next]
				next++
			}
		}
		return how(in, sizes)
	}, inputs...)
}

func (f *function) DynamicPad(x, fill compute.Value, axes ...compute.DynamicPadAxis) (compute.Value, error) {
	inputs := []compute.Value{x, fill}
	axes = slices.Clone(axes)
	var values []*compute.Value
	for i := range axes {
		for _, value := range []*compute.Value{&axes[i].StartValue, &axes[i].EndValue, &axes[i].InteriorValue} {
			if *value != nil {
				inputs, values = append(inputs, *value), append(values, value)
			}
		}
	}
	return f.one(func(in []compute.Value) (compute.Value, error) {
		for i, value := range values {
			*value = in[2+i]
		}
		return f.Function.DynamicPad(in[0], in[1], axes...)
	}, inputs...)
}

func (f *function) RNGBitGenerator(state compute.Value, shape shapes.Shape) (newState, values compute.Value,
	err error) {
	results, err := f.whole(func(in []compute.Value) ([]compute.Value, error) {
		a, b, err := f.Function.RNGBitGenerator(in[0], shape)
		return []compute.Value{a, b}, err
	}, state)
	if err != nil {
		return nil, nil, err
	}
	return results[0], results[1], nil
}

func (f *function) BatchNormForTraining(operand, scale, offset compute.Value, epsilon float32, axis int) (normalized,
	mean, variance compute.Value, err error) {
	return f.three(func(in []compute.Value) (compute.Value, compute.Value, compute.Value, error) {
		return f.Function.BatchNormForTraining(in[0], in[1], in[2], epsilon, axis)
	}, operand, scale, offset)
}

func (f *function) BatchNormGradient(operand, scale, mean, variance, gradient compute.Value, epsilon float32,
	axis int) (gradOperand, gradScale, gradOffset compute.Value, err error) {
	return f.three(func(in []compute.Value) (compute.Value, compute.Value, compute.Value, error) {
		return f.Function.BatchNormGradient(in[0], in[1], in[2], in[3], in[4], epsilon, axis)
	}, operand, scale, mean, variance, gradient)
}

// If the backend declines a fused operation, GoMLX builds it from plain ones, and the plan fuses those.

func (f *function) FusedSoftmax(compute.Value, int) (compute.Value, error) {
	return nil, compute.ErrNotImplemented
}

func (f *function) FusedGelu(compute.Value, bool) (compute.Value, error) {
	return nil, compute.ErrNotImplemented
}

func (f *function) FusedLayerNorm(_ compute.Value, _ []int, _ float64, _, _ compute.Value) (compute.Value, error) {
	return nil, compute.ErrNotImplemented
}

func (f *function) FusedDense(_, _, _ compute.Value, _ compute.DenseConfig) (compute.Value, error) {
	return nil, compute.ErrNotImplemented
}

func (f *function) FusedScaledDotProductAttention(_, _, _ compute.Value, _ compute.AttentionAxesLayout,
	_ *compute.ScaledDotProductAttentionConfig) (compute.Value, []compute.Value, error) {
	return nil, nil, compute.ErrNotImplemented
}

func (f *function) FusedScaledDotProductAttentionVJP(_, _, _ compute.Value, _ compute.AttentionAxesLayout,
	_ *compute.ScaledDotProductAttentionConfig, _ compute.Value, _ []compute.Value, _ compute.Value) (dQuery, dKey,
	dValue compute.Value, err error) {
	return nil, nil, nil, compute.ErrNotImplemented
}

func (f *function) QuantizedEmbeddingLookup(_, _ compute.Value, _ *compute.Quantization) (compute.Value, error) {
	return nil, compute.ErrNotImplemented
}

func (f *function) FusedQuantizedDense(_, _, _ compute.Value, _ *compute.Quantization,
	_ compute.ActivationType) (compute.Value, error) {
	return nil, compute.ErrNotImplemented
}

func (f *function) FusedAttentionQKVProjection(_, _, _, _, _ compute.Value, _, _ int) (query, key, value compute.Value,
	err error) {
	return nil, nil, nil, compute.ErrNotImplemented
}
