package fused

import "github.com/gomlx/compute"

// operation is the kind of a node. Operations before broadcast are element-wise.
type operation int

const (
	abs operation = iota
	cos
	erf
	exp
	log
	log1p
	logistic
	neg
	rsqrt
	sign
	sin
	sqrt
	tanh
	logicalNot
	floor
	isFinite
	isNaN
	add
	div
	maximum
	minimum
	mul
	pow
	sub
	equal
	notEqual
	greaterThan
	greaterOrEqual
	lessThan
	lessOrEqual
	logicalAnd
	logicalOr
	convert
	where
	clamp
	broadcast
	reduceMax
	reduceMin
	reduceSum
	alias
	transpose
	slice
	concatenate
	pad
	dot
	foldedDot
	parameter
	constant
	foreign
)

// elementwise reports whether the operation computes each element from the elements with the same index.
func (o operation) elementwise() bool { return o < broadcast }

// reduces reports whether the operation is a sum, maximum or minimum along axes.
func (o operation) reduces() bool { return o >= reduceMax && o <= reduceSum }

func (f *function) Abs(x compute.Value) (compute.Value, error) {
	return f.unary(abs, compute.Function.Abs, x)
}

func (f *function) Cos(x compute.Value) (compute.Value, error) {
	return f.unary(cos, compute.Function.Cos, x)
}

func (f *function) Erf(x compute.Value) (compute.Value, error) {
	return f.unary(erf, compute.Function.Erf, x)
}

func (f *function) Exp(x compute.Value) (compute.Value, error) {
	return f.unary(exp, compute.Function.Exp, x)
}

func (f *function) Log(x compute.Value) (compute.Value, error) {
	return f.unary(log, compute.Function.Log, x)
}

func (f *function) Log1p(x compute.Value) (compute.Value, error) {
	return f.unary(log1p, compute.Function.Log1p, x)
}

func (f *function) Logistic(x compute.Value) (compute.Value, error) {
	return f.unary(logistic, compute.Function.Logistic, x)
}

func (f *function) Neg(x compute.Value) (compute.Value, error) {
	return f.unary(neg, compute.Function.Neg, x)
}

func (f *function) Rsqrt(x compute.Value) (compute.Value, error) {
	return f.unary(rsqrt, compute.Function.Rsqrt, x)
}

func (f *function) Sign(x compute.Value) (compute.Value, error) {
	return f.unary(sign, compute.Function.Sign, x)
}

func (f *function) Sin(x compute.Value) (compute.Value, error) {
	return f.unary(sin, compute.Function.Sin, x)
}

func (f *function) Sqrt(x compute.Value) (compute.Value, error) {
	return f.unary(sqrt, compute.Function.Sqrt, x)
}

func (f *function) Tanh(x compute.Value) (compute.Value, error) {
	return f.unary(tanh, compute.Function.Tanh, x)
}

func (f *function) LogicalNot(x compute.Value) (compute.Value, error) {
	return f.unary(logicalNot, compute.Function.LogicalNot, x)
}

func (f *function) Floor(x compute.Value) (compute.Value, error) {
	return f.unary(floor, compute.Function.Floor, x)
}

func (f *function) IsFinite(x compute.Value) (compute.Value, error) {
	return f.unary(isFinite, compute.Function.IsFinite, x)
}

func (f *function) IsNaN(x compute.Value) (compute.Value, error) {
	return f.unary(isNaN, compute.Function.IsNaN, x)
}

func (f *function) Add(x, y compute.Value) (compute.Value, error) {
	return f.binary(add, compute.Function.Add, x, y)
}

func (f *function) Div(x, y compute.Value) (compute.Value, error) {
	return f.binary(div, compute.Function.Div, x, y)
}

func (f *function) Max(x, y compute.Value) (compute.Value, error) {
	return f.binary(maximum, compute.Function.Max, x, y)
}

func (f *function) Min(x, y compute.Value) (compute.Value, error) {
	return f.binary(minimum, compute.Function.Min, x, y)
}

func (f *function) Mul(x, y compute.Value) (compute.Value, error) {
	return f.binary(mul, compute.Function.Mul, x, y)
}

func (f *function) Pow(x, y compute.Value) (compute.Value, error) {
	return f.binary(pow, compute.Function.Pow, x, y)
}

func (f *function) Sub(x, y compute.Value) (compute.Value, error) {
	return f.binary(sub, compute.Function.Sub, x, y)
}

func (f *function) Equal(x, y compute.Value) (compute.Value, error) {
	return f.binary(equal, compute.Function.Equal, x, y)
}

func (f *function) NotEqual(x, y compute.Value) (compute.Value, error) {
	return f.binary(notEqual, compute.Function.NotEqual, x, y)
}

func (f *function) GreaterThan(x, y compute.Value) (compute.Value, error) {
	return f.binary(greaterThan, compute.Function.GreaterThan, x, y)
}

func (f *function) GreaterOrEqual(x, y compute.Value) (compute.Value, error) {
	return f.binary(greaterOrEqual, compute.Function.GreaterOrEqual, x, y)
}

func (f *function) LessThan(x, y compute.Value) (compute.Value, error) {
	return f.binary(lessThan, compute.Function.LessThan, x, y)
}

func (f *function) LessOrEqual(x, y compute.Value) (compute.Value, error) {
	return f.binary(lessOrEqual, compute.Function.LessOrEqual, x, y)
}

func (f *function) LogicalAnd(x, y compute.Value) (compute.Value, error) {
	return f.binary(logicalAnd, compute.Function.LogicalAnd, x, y)
}

func (f *function) LogicalOr(x, y compute.Value) (compute.Value, error) {
	return f.binary(logicalOr, compute.Function.LogicalOr, x, y)
}

func (f *function) ReduceMax(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(reduceMax, compute.Function.ReduceMax, x, axes)
}

func (f *function) ReduceMin(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(reduceMin, compute.Function.ReduceMin, x, axes)
}

func (f *function) ReduceSum(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(reduceSum, compute.Function.ReduceSum, x, axes)
}
