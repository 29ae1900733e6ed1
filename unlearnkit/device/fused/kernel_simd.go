//go:build goexperiment.simd && amd64

package fused

import (
	"simd/archsimd"
	"unsafe"

	"github.com/gomlx/compute/dtypes"
)

type vector = archsimd.Float32x8

const lanes = 8

var vectors = archsimd.X86.AVX2() && archsimd.X86.FMA()

// vectorKernels replaces the plain float32 kernels by kernels with eight lanes. They use only AVX2 and FMA, so
// processors with wider vectors compute the same bits.
func vectorKernels() {
	if !vectors {
		return
	}
	set := func(op operation, k kernel) { kernels[signature{op, dtypes.Float32, dtypes.Float32}] = k }
	set(add, vectorAdd)
	set(sub, vectorSub)
	set(mul, vectorMul)
	set(div, vectorDiv)
	set(maximum, vectorMax)
	set(minimum, vectorMin)
	set(neg, vectorNeg)
	set(sign, vectorSign)
	set(sqrt, vectorSqrt)
	set(exp, vectorExp)
	set(erf, vectorErf)
	set(tanh, vectorTanh)
	set(logistic, vectorLogistic)
}

// full returns the elements from i on as a full vector. The caller checks the bounds.
func full(x []float32, i int) *[lanes]float32 {
	return (*[lanes]float32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(x)), 4*i))
}

func vectorAdd(to, a, b, _ unsafe.Pointer, n int) {
	x, z, y := elements[float32](a, n), elements[float32](b, n), elements[float32](to, n)
	i := 0
	for ; i+lanes <= n; i += lanes {
		archsimd.LoadFloat32x8(full(x, i)).Add(archsimd.LoadFloat32x8(full(z, i))).Store(full(y, i))
	}
	archsimd.ClearAVXUpperBits()
	for ; i < n; i++ {
		y[i] = x[i] + z[i]
	}
}

func vectorSub(to, a, b, _ unsafe.Pointer, n int) {
	x, z, y := elements[float32](a, n), elements[float32](b, n), elements[float32](to, n)
	i := 0
	for ; i+lanes <= n; i += lanes {
		archsimd.LoadFloat32x8(full(x, i)).Sub(archsimd.LoadFloat32x8(full(z, i))).Store(full(y, i))
	}
	archsimd.ClearAVXUpperBits()
	for ; i < n; i++ {
		y[i] = x[i] - z[i]
	}
}

func vectorMul(to, a, b, _ unsafe.Pointer, n int) {
	x, z, y := elements[float32](a, n), elements[float32](b, n), elements[float32](to, n)
	i := 0
	for ; i+lanes <= n; i += lanes {
		archsimd.LoadFloat32x8(full(x, i)).Mul(archsimd.LoadFloat32x8(full(z, i))).Store(full(y, i))
	}
	archsimd.ClearAVXUpperBits()
	for ; i < n; i++ {
		y[i] = x[i] * z[i]
	}
}

func vectorDiv(to, a, b, _ unsafe.Pointer, n int) {
	x, z, y := elements[float32](a, n), elements[float32](b, n), elements[float32](to, n)
	i := 0
	for ; i+lanes <= n; i += lanes {
		archsimd.LoadFloat32x8(full(x, i)).Div(archsimd.LoadFloat32x8(full(z, i))).Store(full(y, i))
	}
	archsimd.ClearAVXUpperBits()
	for ; i < n; i++ {
		y[i] = x[i] / z[i]
	}
}

// vectorMax preserves NaNs in either operand: if one operand is NaN, the instruction returns its second operand.
func vectorMax(to, a, b, _ unsafe.Pointer, n int) {
	x, z, y := elements[float32](a, n), elements[float32](b, n), elements[float32](to, n)
	i := 0
	for ; i+lanes <= n; i += lanes {
		v, w := archsimd.LoadFloat32x8(full(x, i)), archsimd.LoadFloat32x8(full(z, i))
		v.Merge(v.Max(w), v.IsNaN()).Store(full(y, i))
	}
	archsimd.ClearAVXUpperBits()
	for ; i < n; i++ {
		y[i] = max(x[i], z[i])
	}
}

func vectorMin(to, a, b, _ unsafe.Pointer, n int) {
	x, z, y := elements[float32](a, n), elements[float32](b, n), elements[float32](to, n)
	i := 0
	for ; i+lanes <= n; i += lanes {
		v, w := archsimd.LoadFloat32x8(full(x, i)), archsimd.LoadFloat32x8(full(z, i))
		v.Merge(v.Min(w), v.IsNaN()).Store(full(y, i))
	}
	archsimd.ClearAVXUpperBits()
	for ; i < n; i++ {
		y[i] = min(x[i], z[i])
	}
}

func vectorNeg(to, a, _, _ unsafe.Pointer, n int) {
	x, y := elements[float32](a, n), elements[float32](to, n)
	minus := archsimd.BroadcastFloat32x8(-1)
	i := 0
	for ; i+lanes <= n; i += lanes {
		archsimd.LoadFloat32x8(full(x, i)).Mul(minus).Store(full(y, i))
	}
	archsimd.ClearAVXUpperBits()
	for ; i < n; i++ {
		y[i] = -x[i]
	}
}

func vectorSign(to, a, _, _ unsafe.Pointer, n int) { mapVectors(to, a, n, signOf) }

// signOf preserves zeros and NaNs.
func signOf(x vector) vector {
	var zero vector // the constant 0 would be made by an SSE instruction, which is slow between AVX instructions
	return splat(1).Merge(splat(-1).Merge(x, x.Less(zero)), x.Greater(zero))
}

func vectorSqrt(to, a, _, _ unsafe.Pointer, n int) { mapVectors(to, a, n, root) }

func root(x vector) vector { return x.Sqrt() }

// mapVectors applies f to full vectors and to a last, partly filled one, so that every element is computed in the same
// way.
func mapVectors(to, a unsafe.Pointer, n int, f func(vector) vector) {
	x, y := elements[float32](a, n), elements[float32](to, n)
	i := 0
	for ; i+lanes <= n; i += lanes {
		f(archsimd.LoadFloat32x8(full(x, i))).Store(full(y, i))
	}
	if i < n {
		mapPart(y[i:], x[i:], f)
	}
	archsimd.ClearAVXUpperBits()
}

// mapPart applies f to fewer elements than a vector has. It copies them through an array, because the race detector's
// pointer checks treat a masked load as a load of a whole vector.
func mapPart(y, x []float32, f func(vector) vector) {
	var part [lanes]float32
	copy(part[:], x)
	f(archsimd.LoadFloat32x8(&part)).Store(&part)
	copy(y, part[:])
}

func vectorExp(to, a, _, _ unsafe.Pointer, n int) {
	x, y := elements[float32](a, n), elements[float32](to, n)
	i := 0
	for ; i+lanes <= n; i += lanes {
		exponential(archsimd.LoadFloat32x8(full(x, i))).Store(full(y, i))
	}
	if i < n {
		mapPart(y[i:], x[i:], exponential)
	}
	archsimd.ClearAVXUpperBits()
}

func vectorErf(to, a, _, _ unsafe.Pointer, n int)      { mapVectors(to, a, n, errorFunction) }
func vectorTanh(to, a, _, _ unsafe.Pointer, n int)     { mapVectors(to, a, n, hyperbolicTangent) }
func vectorLogistic(to, a, _, _ unsafe.Pointer, n int) { mapVectors(to, a, n, logisticFunction) }

func splat(x float32) vector { return archsimd.BroadcastFloat32x8(x) }

// exponential computes Cephes' expf: e^x = 2^n e^g with |g| <= ln 2 / 2 and a polynomial for e^g. The scale is applied
// in two halves, so that subnormal results and infinity are correct.
func exponential(x vector) vector {
	nan := x.IsNaN()
	bounded := x.Min(splat(89)).Max(splat(-104))
	n := bounded.Mul(splat(1.44269504088896341)).RoundToEven()
	g := n.MulAdd(splat(-0.693359375), bounded)
	g = n.MulAdd(splat(2.12194440e-4), g)
	p := splat(1.9875691500e-4)
	p = p.MulAdd(g, splat(1.3981999507e-3))
	p = p.MulAdd(g, splat(8.3334519073e-3))
	p = p.MulAdd(g, splat(4.1665795894e-2))
	p = p.MulAdd(g, splat(1.6666665459e-1))
	p = p.MulAdd(g, splat(5.0000001201e-1))
	p = p.MulAdd(g.Mul(g), g).Add(splat(1))
	exponent := n.ConvertToInt32()
	half := exponent.ShiftAllRight(1)
	y := p.Mul(powerOfTwo(half)).Mul(powerOfTwo(exponent.Sub(half)))
	return x.Merge(y, nan)
}

func powerOfTwo(n archsimd.Int32x8) vector {
	return n.Add(archsimd.BroadcastInt32x8(127)).ShiftAllLeft(23).AsFloat32x8()
}

// errorFunction computes a rational approximation of erf over [-4, 4]; beyond, erf is ±1 in float32. The coefficients
// are those in Eigen's and XLA's erf.
func errorFunction(x vector) vector {
	nan := x.IsNaN()
	b := x.Min(splat(4)).Max(splat(-4))
	s := b.Mul(b)
	p := splat(-2.72614225801306e-10)
	p = p.MulAdd(s, splat(2.77068142495902e-08))
	p = p.MulAdd(s, splat(-2.10102402082508e-06))
	p = p.MulAdd(s, splat(-5.69250639462346e-05))
	p = p.MulAdd(s, splat(-7.34990630326855e-04))
	p = p.MulAdd(s, splat(-2.95459980854025e-03))
	p = p.MulAdd(s, splat(-1.60960333262415e-02))
	q := splat(-1.45660718464996e-05)
	q = q.MulAdd(s, splat(-2.13374055278905e-04))
	q = q.MulAdd(s, splat(-1.68282697438203e-03))
	q = q.MulAdd(s, splat(-7.37332916720468e-03))
	q = q.MulAdd(s, splat(-1.42647390514189e-02))
	return x.Merge(b.Mul(p).Div(q), nan)
}

// hyperbolicTangent computes a rational approximation of tanh over the range where tanh is not ±1 in float32. The
// coefficients are those in Eigen's tanh.
func hyperbolicTangent(x vector) vector {
	nan := x.IsNaN()
	b := x.Min(splat(7.90531110763549805)).Max(splat(-7.90531110763549805))
	s := b.Mul(b)
	p := splat(-2.76076847742355e-16)
	p = p.MulAdd(s, splat(2.00018790482477e-13))
	p = p.MulAdd(s, splat(-8.60467152213735e-11))
	p = p.MulAdd(s, splat(5.12229709037114e-08))
	p = p.MulAdd(s, splat(1.48572235717979e-05))
	p = p.MulAdd(s, splat(6.37261928875436e-04))
	p = p.MulAdd(s, splat(4.89352455891786e-03))
	q := splat(1.19825839466702e-06)
	q = q.MulAdd(s, splat(1.18534705686654e-04))
	q = q.MulAdd(s, splat(2.26843463243900e-03))
	q = q.MulAdd(s, splat(4.89352518554385e-03))
	return x.Merge(b.Mul(p).Div(q), nan)
}

func logisticFunction(x vector) vector {
	one := splat(1)
	return one.Div(one.Add(exponential(x.Mul(splat(-1)))))
}

func addTo(to, x []float32) {
	n, i := len(x), 0
	to = to[:n]
	if vectors {
		for ; i+lanes <= n; i += lanes {
			archsimd.LoadFloat32x8(full(to, i)).Add(archsimd.LoadFloat32x8(full(x, i))).Store(full(to, i))
		}
		archsimd.ClearAVXUpperBits()
	}
	for ; i < n; i++ {
		to[i] += x[i]
	}
}

// sum returns the sum of at most a few thousand values. It adds in eight lanes, and then adds the lanes in double
// precision.
func sum(x []float32) float64 {
	var total float64
	i := 0
	if vectors && len(x) >= lanes {
		s := archsimd.LoadFloat32x8(full(x, 0))
		for i = lanes; i+lanes <= len(x); i += lanes {
			s = s.Add(archsimd.LoadFloat32x8(full(x, i)))
		}
		var parts [lanes]float32
		s.Store(&parts)
		archsimd.ClearAVXUpperBits()
		for _, part := range parts {
			total += float64(part)
		}
	}
	for ; i < len(x); i++ {
		total += float64(x[i])
	}
	return total
}

// repeatFour repeats the four bytes at from n times.
func repeatFour(to, from unsafe.Pointer, n int) {
	i := 0
	if vectors {
		values, into := splat(*(*float32)(from)), elements[float32](to, n)
		for ; i+lanes <= n; i += lanes {
			values.Store(full(into, i))
		}
		archsimd.ClearAVXUpperBits()
	}
	if i < n {
		repeatWords[uint32](unsafe.Add(to, 4*i), from, n-i)
	}
}

// extreme returns the largest or smallest of best and the elements of x.
func extreme(x []float32, best float32, largest bool) float32 {
	if !vectors || len(x) < 2*lanes {
		return extremeInOrder(x, best, largest)
	}
	m := archsimd.LoadFloat32x8(full(x, 0))
	s, last := m, len(x)-lanes
	for i := lanes; i < len(x); i += lanes {
		v := archsimd.LoadFloat32x8(full(x, min(i, last)))
		s = s.Add(v)
		if largest {
			m = m.Max(v)
		} else {
			m = m.Min(v)
		}
	}
	var parts, sums [lanes]float32
	m.Store(&parts)
	s.Store(&sums)
	archsimd.ClearAVXUpperBits()
	for i := range parts {
		if parts[i] == 0 || sums[i] != sums[i] { // vectors do not order zeros and NaNs as max and min do
			return extremeInOrder(x, best, largest)
		}
	}
	return extremeInOrder(parts[:], best, largest)
}
