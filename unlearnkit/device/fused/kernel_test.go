package fused

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/gomlx/compute/dtypes"
)

func TestKernels_CloseToMath(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, 1003)
	for i := range x {
		x[i] = float32(random.NormFloat64() * math.Pow(10, float64(i%5)-2))
	}
	special := []float32{0, float32(math.Copysign(0, -1)), 88.5, 88.9, -87, -103.5, -110, 200, float32(math.Inf(1)),
		float32(math.Inf(-1)), float32(math.NaN()), 1e-30, 4, -4, 9}
	copy(x, special)
	for op, want := range map[operation]func(float64) float64{
		exp: math.Exp, erf: math.Erf, sign: func(x float64) float64 {
			switch {
			case x > 0:
				return 1
			case x < 0:
				return -1
			}
			return x
		}, tanh: math.Tanh, sqrt: math.Sqrt, neg: func(x float64) float64 { return -x },
		logistic: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	} {
		y := make([]float32, len(x))
		kernels[signature{op, dtypes.Float32, dtypes.Float32}](unsafe.Pointer(&y[0]), unsafe.Pointer(&x[0]), nil, nil,
			len(x))
		for i := range x {
			right := float32(want(float64(x[i])))
			if math.IsNaN(float64(right)) && math.IsNaN(float64(y[i])) || right == y[i] {
				continue
			}
			if difference := math.Abs(float64(y[i] - right)); !(difference <= 4e-7*math.Abs(float64(right))+1e-37) {
				t.Errorf("operation %d of %g is %g, package math says %g", op, x[i], y[i], right)
			}
		}
	}
}

func TestExtreme_EqualsInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	zero, nan, infinity := float32(0), float32(math.NaN()), float32(math.Inf(1))
	special := []float32{zero, float32(math.Copysign(0, -1)), nan, infinity, -infinity, 5, -5}
	for range 2000 {
		x := make([]float32, 1+random.IntN(50))
		for i := range x {
			x[i] = float32(random.NormFloat64()) - 3*float32(random.IntN(2))
			if random.IntN(30) == 0 {
				x[i] = special[random.IntN(len(special))]
			}
		}
		for _, largest := range []bool{true, false} {
			best := special[random.IntN(len(special))]
			got, want := extreme(x, best, largest), extremeInOrder(x, best, largest)
			if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
				t.Fatalf("extreme(%v, %g, %v) is %g, want %g", x, best, largest, got, want)
			}
		}
	}
}
