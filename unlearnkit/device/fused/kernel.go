package fused

import (
	"math"
	"unsafe"

	"github.com/gomlx/compute/dtypes"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// kernel computes n elements of an element-wise operation. Operands that the operation does not have are nil.
type kernel func(to, a, b, c unsafe.Pointer, n int)

// signature tells kernels apart: the operation and the types of its (last) operand and of its result.
type signature struct {
	op       operation
	from, to dtypes.DType
}

var kernels = map[signature]kernel{}

type floating interface{ ~float32 | ~float64 }

type number interface {
	~float32 | ~float64 | ~int32 | ~int64
}

func elements[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

func one[A, R any](f func(A) R) kernel {
	return func(to, a, _, _ unsafe.Pointer, n int) {
		x, y := elements[A](a, n), elements[R](to, n)
		for i := range y {
			y[i] = f(x[i])
		}
	}
}

func two[A, R any](f func(A, A) R) kernel {
	return func(to, a, b, _ unsafe.Pointer, n int) {
		x, z, y := elements[A](a, n), elements[A](b, n), elements[R](to, n)
		for i := range y {
			y[i] = f(x[i], z[i])
		}
	}
}

// inDouble computes a function of package math for either type.
func inDouble[T floating](f func(float64) float64) kernel {
	return one(func(x T) T { return T(f(float64(x))) })
}

func init() {
	numeric[float32](dtypes.Float32)
	numeric[float64](dtypes.Float64)
	numeric[int32](dtypes.Int32)
	numeric[int64](dtypes.Int64)
	float[float32](dtypes.Float32)
	float[float64](dtypes.Float64)
	logical()
	conversions()
	vectorKernels()
}

func numeric[T number](t dtypes.DType) {
	same := map[operation]kernel{
		add: func(to, a, b, _ unsafe.Pointer, n int) {
			x, z, y := elements[T](a, n), elements[T](b, n), elements[T](to, n)
			for i := range y {
				y[i] = x[i] + z[i]
			}
		},
		sub: func(to, a, b, _ unsafe.Pointer, n int) {
			x, z, y := elements[T](a, n), elements[T](b, n), elements[T](to, n)
			for i := range y {
				y[i] = x[i] - z[i]
			}
		},
		mul: func(to, a, b, _ unsafe.Pointer, n int) {
			x, z, y := elements[T](a, n), elements[T](b, n), elements[T](to, n)
			for i := range y {
				y[i] = x[i] * z[i]
			}
		},
		maximum: two(func(x, z T) T { return max(x, z) }),
		minimum: two(func(x, z T) T { return min(x, z) }),
		neg:     one(func(x T) T { return -x }),
		abs: one(func(x T) T {
			if x < 0 {
				return -x
			}
			return x + 0 // -0 has the absolute value 0
		}),
		sign: one(func(x T) T {
			switch {
			case x > 0:
				return 1
			case x < 0:
				return -1
			}
			return x
		}),
		where: choose[T],
		clamp: func(to, a, b, c unsafe.Pointer, n int) {
			low, x, high, y := elements[T](a, n), elements[T](b, n), elements[T](c, n), elements[T](to, n)
			for i := range y {
				y[i] = min(max(x[i], low[i]), high[i])
			}
		},
	}
	for op, k := range same {
		kernels[signature{op, t, t}] = k
	}
	for op, f := range map[operation]func(x, z T) bool{
		equal:          func(x, z T) bool { return x == z },
		notEqual:       func(x, z T) bool { return x != z },
		greaterThan:    func(x, z T) bool { return x > z },
		greaterOrEqual: func(x, z T) bool { return x >= z },
		lessThan:       func(x, z T) bool { return x < z },
		lessOrEqual:    func(x, z T) bool { return x <= z },
	} {
		kernels[signature{op, t, dtypes.Bool}] = two(f)
	}
}

func choose[T any](to, a, b, c unsafe.Pointer, n int) {
	which, x, z, y := elements[bool](a, n), elements[T](b, n), elements[T](c, n), elements[T](to, n)
	for i := range y {
		if which[i] {
			y[i] = x[i]
		} else {
			y[i] = z[i]
		}
	}
}

func float[T floating](t dtypes.DType) {
	for op, k := range map[operation]kernel{
		div: func(to, a, b, _ unsafe.Pointer, n int) {
			x, z, y := elements[T](a, n), elements[T](b, n), elements[T](to, n)
			for i := range y {
				y[i] = x[i] / z[i]
			}
		},
		sqrt:     inDouble[T](math.Sqrt),
		rsqrt:    inDouble[T](func(x float64) float64 { return 1 / math.Sqrt(x) }),
		exp:      inDouble[T](vectorstate.Exp),
		erf:      inDouble[T](vectorstate.Erf),
		log:      inDouble[T](math.Log),
		log1p:    inDouble[T](math.Log1p),
		logistic: inDouble[T](func(x float64) float64 { return 1 / (1 + vectorstate.Exp(-x)) }),
		tanh:     inDouble[T](tangent),
		sin:      inDouble[T](math.Sin),
		cos:      inDouble[T](math.Cos),
		floor:    inDouble[T](math.Floor),
		pow:      two(func(x, z T) T { return T(vectorstate.Pow(float64(x), float64(z))) }),
	} {
		kernels[signature{op, t, t}] = k
	}
	kernels[signature{isNaN, t, dtypes.Bool}] = one(func(x T) bool { return x != x })
	kernels[signature{isFinite, t, dtypes.Bool}] = one(func(x T) bool { return x-x == 0 })
}

func tangent(x float64) float64 {
	vectorstate.Clear()
	return math.Tanh(x)
}

func logical() {
	kernels[signature{where, dtypes.Bool, dtypes.Bool}] = choose[bool]
	kernels[signature{logicalNot, dtypes.Bool, dtypes.Bool}] = one(func(x bool) bool { return !x })
	kernels[signature{logicalAnd, dtypes.Bool, dtypes.Bool}] = two(func(x, z bool) bool { return x && z })
	kernels[signature{logicalOr, dtypes.Bool, dtypes.Bool}] = two(func(x, z bool) bool { return x || z })
	kernels[signature{equal, dtypes.Bool, dtypes.Bool}] = two(func(x, z bool) bool { return x == z })
	kernels[signature{notEqual, dtypes.Bool, dtypes.Bool}] = two(func(x, z bool) bool { return x != z })
}

func conversions() {
	from[float32](dtypes.Float32)
	from[float64](dtypes.Float64)
	from[int32](dtypes.Int32)
	from[int64](dtypes.Int64)
	fromBool[float32](dtypes.Float32)
	fromBool[float64](dtypes.Float64)
	fromBool[int32](dtypes.Int32)
	fromBool[int64](dtypes.Int64)
}

func from[A number](t dtypes.DType) {
	kernels[signature{convert, t, dtypes.Float32}] = one(func(x A) float32 { return float32(x) })
	kernels[signature{convert, t, dtypes.Float64}] = one(func(x A) float64 { return float64(x) })
	kernels[signature{convert, t, dtypes.Int32}] = one(func(x A) int32 { return int32(x) })
	kernels[signature{convert, t, dtypes.Int64}] = one(func(x A) int64 { return int64(x) })
	kernels[signature{convert, t, dtypes.Bool}] = one(func(x A) bool { return x != 0 })
}

func fromBool[R number](t dtypes.DType) {
	kernels[signature{convert, dtypes.Bool, t}] = one(func(x bool) R {
		if x {
			return 1
		}
		return 0
	})
}

// kernelOf finds the kernel of a node; nil where there is none, and the Go backend computes it.
func kernelOf(n *node) kernel {
	if !n.op.elementwise() {
		return nil
	}
	last := n.inputs[len(n.inputs)-1].shape.DType
	return kernels[signature{n.op, last, n.shape.DType}]
}
