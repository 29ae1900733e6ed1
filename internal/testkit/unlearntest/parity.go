package unlearntest

import (
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// CompareLosses compares the losses of steps with those of PyTorch.
func CompareLosses(t *testing.T, wanted []float64, log train.Log) {
	t.Helper()
	for i, want := range wanted {
		difference := math.Abs(log[i].Loss - want)
		t.Logf("step %d: loss %.8g, relative difference %.1e", i, want, difference/math.Abs(want))
		if !(difference <= 1e-5*math.Abs(want)) {
			t.Errorf("step %d: the loss is %.8g, PyTorch's %.8g", i, log[i].Loss, want)
		}
	}
}

// CompareChanges compares the changes of parameters with those of PyTorch. Changes below rate/part are compared as if
// they were that large, because steps that nearly cancel leave a small change with a large relative error. NaN in
// wanted skips a parameter.
func CompareChanges(t *testing.T, wanted []float64, rate, part float64, before, after []float64) {
	t.Helper()
	if len(wanted) != len(before) {
		t.Fatalf("%d parameters, PyTorch's model has %d", len(before), len(wanted))
	}
	compared, worst, largest := 0, 0., 0.
	for i, change := range wanted {
		if math.IsNaN(change) {
			continue
		}
		compared++
		largest = max(largest, math.Abs(change))
		difference := math.Abs(after[i] - before[i] - change)
		if !(difference <= 1e-3*max(math.Abs(change), rate/part)) {
			t.Errorf("parameter %d: the change is %g, PyTorch's %g", i, after[i]-before[i], change)
		} else {
			worst = max(worst, difference)
		}
	}
	t.Logf("%d of %d changes compared, the largest difference is %.1e of %.1e", compared, len(wanted), worst, largest)
	if compared < len(wanted)*9/10 || largest < rate {
		t.Errorf("only %d of %d changes, up to %g, can be compared", compared, len(wanted), largest)
	}
}
