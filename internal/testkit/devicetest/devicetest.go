// Package devicetest holds what tests of graphs share: the device under test, a run on several devices, a numerical
// check of gradients, a comparison of tensors, and a watchdog.
package devicetest

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// Open opens the device in $UNLEARNLAB_DEVICE, by default pure Go, so that the same tests cover every backend.
func Open(t testing.TB) *device.Device {
	t.Helper()
	d, err := device.Open(underTest())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func underTest() string {
	if wish := os.Getenv(device.Variable); wish != "" {
		return wish
	}
	return "go"
}

// Each runs a test as a subtest on pure Go, on XLA's CPU plugin and on the device under test. It skips XLA's CPU if the
// machine has no plugin.
func Each(t *testing.T, test func(t *testing.T, d *device.Device)) {
	t.Helper()
	wishes := []string{"go", "xla:cpu"}
	if wish := underTest(); !slices.Contains(wishes, wish) {
		wishes = append(wishes, wish)
	}
	for _, wish := range wishes {
		t.Run(wish, func(t *testing.T) {
			if wish == "xla:cpu" && !slices.ContainsFunc(device.Found(), func(p device.Plugin) bool {
				return p.Kind == "cpu" && p.Error == ""
			}) {
				t.Skip("needs a CPU plugin for XLA: unlearnlab device install cpu fetches one")
			}
			d, err := device.Open(wish)
			if err != nil {
				t.Fatal(err)
			}
			test(t, d)
		})
	}
}

// Watch fails the test with the stacks of all goroutines if it runs longer than limit. Every test that runs a graph
// must call it, because a hang in a backend never ends by itself. XLA has six times the limit, because it compiles for
// seconds to minutes.
func Watch(t testing.TB, limit time.Duration) {
	if strings.HasPrefix(os.Getenv(device.Variable), "xla") {
		limit *= 6
	}
	timer := time.AfterFunc(limit, func() {
		stacks := make([]byte, 1<<20)
		panic(fmt.Sprintf("%s hangs:\n%s", t.Name(), stacks[:runtime.Stack(stacks, true)]))
	})
	t.Cleanup(func() { timer.Stop() })
}

// Same fails the test if two tensors differ in shape, or in a value by more than tolerance times the largest magnitude
// in want. NaN differs from everything. Arguments that are not tensors are converted by [tensors.FromAnyValue]; types
// may differ.
func Same(t testing.TB, want, got any, tolerance float64) {
	t.Helper()
	wantDimensions, wanted := flat(t, want)
	gotDimensions, gotten := flat(t, got)
	if !slices.Equal(wantDimensions, gotDimensions) {
		t.Errorf("the shape is %v, want %v", gotDimensions, wantDimensions)
		return
	}
	scale := 0.
	for _, value := range wanted {
		scale = max(scale, math.Abs(value))
	}
	worst, at, wrong := -1., 0, 0
	for i := range wanted {
		difference := math.Abs(gotten[i] - wanted[i])
		if difference <= tolerance*scale {
			continue
		}
		wrong++
		if difference > worst || math.IsNaN(difference) {
			worst, at = difference, i
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d values differ by more than %g of %g, most that at %d: %g, want %g", wrong, len(wanted),
			tolerance, scale, at, gotten[at], wanted[at])
	}
}

// flat returns the dimensions and the values of a tensor.
func flat(t testing.TB, value any) ([]int, []float64) {
	t.Helper()
	tensor, ok := value.(*tensors.Tensor)
	if !ok {
		var err error
		if tensor, err = tensors.FromAnyValue(value); err != nil {
			t.Fatal(err)
		}
	}
	dimensions := tensor.Shape().Dimensions
	switch tensor.DType() {
	case dtypes.Float64:
		return dimensions, tensors.MustCopyFlatData[float64](tensor)
	case dtypes.Float32:
		return dimensions, widened(tensors.MustCopyFlatData[float32](tensor))
	case dtypes.Int32:
		return dimensions, widened(tensors.MustCopyFlatData[int32](tensor))
	case dtypes.Int64:
		return dimensions, widened(tensors.MustCopyFlatData[int64](tensor))
	}
	t.Fatalf("a tensor of %v cannot be compared", tensor.DType())
	return nil, nil
}

func widened[T float32 | int32 | int64](values []T) []float64 {
	wide := make([]float64, len(values))
	for i, value := range values {
		wide[i] = float64(value)
	}
	return wide
}
