// Package paritytest compares a model's results with the original library's results in a fixture.
package paritytest

import (
	"math"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Reference is a fixture: named arrays with the original library's inputs and outputs.
type Reference struct {
	t    testing.TB
	file *safefile.Tensors
}

// Open opens a safetensors file, which it closes when the test ends.
func Open(t testing.TB, path string) Reference {
	t.Helper()
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	return Reference{t, file}
}

// Below returns the rest of each name that begins with prefix. The test fails if there is none.
func (r Reference) Below(prefix string) []string {
	var names []string
	for _, name := range r.file.Names() {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			names = append(names, rest)
		}
	}
	if names == nil {
		r.t.Fatalf("the fixture has nothing called %s…", prefix)
	}
	return names
}

// Floats returns the elements of an array.
func (r Reference) Floats(name string) []float64 {
	r.t.Helper()
	tensor, ok := r.file.Tensor(name)
	if !ok {
		r.t.Fatalf("the fixture has no %s", name)
	}
	values := make([]float64, tensor.Elements())
	if err := r.file.Float64(name, values); err != nil {
		r.t.Fatal(err)
	}
	return values
}

// Tensor returns an array as a graph input of the given type: Float32, Float64, Int32 or Bool.
func (r Reference) Tensor(name string, t dtypes.DType) *tensors.Tensor {
	r.t.Helper()
	values := r.Floats(name)
	tensor, _ := r.file.Tensor(name)
	switch t {
	case dtypes.Float64:
		return tensors.FromFlatDataAndDimensions(values, tensor.Shape...)
	case dtypes.Float32:
		return converted(values, tensor.Shape, func(value float64) float32 { return float32(value) })
	case dtypes.Int32:
		return converted(values, tensor.Shape, func(value float64) int32 { return int32(value) })
	case dtypes.Bool:
		return converted(values, tensor.Shape, func(value float64) bool { return value != 0 })
	}
	panic("paritytest: no input is of type " + t.String())
}

func converted[T float32 | int32 | bool](values []float64, shape []int, convert func(float64) T) *tensors.Tensor {
	out := make([]T, len(values))
	for i, value := range values {
		out[i] = convert(value)
	}
	return tensors.FromFlatDataAndDimensions(out, shape...)
}

// Compare fails the test if an element of got differs from the array called name by more than tolerance times the
// array's largest magnitude, or times floor if that is larger. got must be float32 or float64.
func (r Reference) Compare(name string, got *tensors.Tensor, tolerance, floor float64) {
	r.t.Helper()
	compare(r.t, name, Values(got), r.Floats(name), tolerance, floor)
}

// compare fails the test if values differ by more than tolerance times the largest magnitude in want, or times floor if
// that is larger.
func compare(t testing.TB, name string, got, want []float64, tolerance, floor float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d elements, the original's %d", name, len(got), len(want))
		return
	}
	scale, worst, place := floor, 0.0, 0
	for i := range want {
		scale = max(scale, math.Abs(want[i]))
		if difference := math.Abs(got[i] - want[i]); difference > worst || math.IsNaN(difference) {
			worst, place = difference, i
		}
	}
	t.Logf("%s: largest difference %.2g of %.2g", name, worst, scale)
	if !(worst <= tolerance*scale) {
		t.Errorf("%s[%d]: got %g, want %g: they differ by %.2g of %.2g, allowed is %.2g relative", name, place,
			got[place], want[place], worst, scale, tolerance)
	}
}

// Largest returns the largest magnitude among the arrays whose names begin with prefix.
func (r Reference) Largest(prefix string) float64 {
	largest := 0.0
	for _, name := range r.Below(prefix) {
		for _, value := range r.Floats(prefix + name) {
			largest = max(largest, math.Abs(value))
		}
	}
	return largest
}

// Values returns the elements of a float32 or float64 tensor.
func Values(tensor *tensors.Tensor) []float64 {
	if tensor.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](tensor)
	}
	var values []float64
	for _, value := range tensors.MustCopyFlatData[float32](tensor) {
		values = append(values, float64(value))
	}
	return values
}
