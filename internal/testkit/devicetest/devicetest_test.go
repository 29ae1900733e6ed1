package devicetest_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// A recorder is a test that records failures instead of failing.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// wrong returns the square of x with the gradient of x.
func wrong(x *graph.Node) *graph.Node {
	return graph.IdentityWithCustomGradient(graph.Add(x, graph.StopGradient(graph.Sub(graph.Square(x), x))),
		func(_, adjoint *graph.Node) *graph.Node {
			return adjoint
		})
}

func TestGradients_WrongNoticed(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	tests := []struct {
		name  string
		noted bool
		build device.Build
	}{
		{"right", false, func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			return []*graph.Node{graph.Square(x[0])}
		}},
		{"wrong", true, func(_ *model.Scope, x []*graph.Node) []*graph.Node { return []*graph.Node{wrong(x[0])} }},
		{"second output wrong", true, func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			return []*graph.Node{graph.Square(x[0]), wrong(x[0])}
		}},
		{"of a tensor wrong", true, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			weight := scope.VariableWithValue("weight", []float64{1, 2, 3}).NodeValue(x[0])
			return []*graph.Node{graph.Mul(x[0], graph.ExpandLeftToRank(wrong(weight), 2))}
		}},
		{"no number", true, func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			return []*graph.Node{graph.Sqrt(graph.Neg(graph.Square(x[0])))}
		}},
	}
	for _, test := range tests {
		r := &recorder{TB: t}
		devicetest.Gradients(r, test.build, []int{2, 3})
		if noted := len(r.said) > 0; noted != test.noted {
			t.Errorf("%s: noted %v, %q", test.name, noted, r.said)
		}
	}
}

func TestSame(t *testing.T) {
	tests := []struct {
		want, got any
		tolerance float64
		same      bool
	}{
		{[]float64{1, 2}, []float64{1, 2}, 0, true},
		{[]float64{1, 2}, []float32{1, 2}, 0, true},
		{[]float64{1, 2}, []int32{1, 2}, 0, true},
		{[]float64{100, 2}, []float64{100, 2.09}, 1e-3, true}, // the tolerance is relative to the largest element
		{[]float64{100, 2}, []float64{100, 2.11}, 1e-3, false},
		{[]float64{0, 0}, []float64{0, 1e-300}, 1, false},
		{[]float64{1, 2}, [][]float64{{1, 2}}, 1, false},
		{[]float64{1, 2}, []float64{1, math.NaN()}, 1, false},
		{[]float64{1, math.NaN()}, []float64{1, math.NaN()}, 1, false},
		{tensors.FromFlatDataAndDimensions([]int64{1, 2}, 2), []int64{1, 3}, .1, false},
	}
	for _, test := range tests {
		r := &recorder{TB: t}
		devicetest.Same(r, test.want, test.got, test.tolerance)
		if (len(r.said) == 0) != test.same {
			t.Errorf("%v and %v within %g: %q", test.want, test.got, test.tolerance, r.said)
		}
	}
}

func TestEach_PureGo(t *testing.T) {
	ran := map[string]bool{}
	devicetest.Each(t, func(_ *testing.T, d *device.Device) { ran[d.Name()] = true })
	if !ran["go"] || !ran[devicetest.Open(t).Name()] {
		t.Errorf("%v", ran)
	}
}

func TestWatch_PrintsStacks(t *testing.T) {
	if os.Getenv("UNLEARNLAB_TEST_CHILD") == "hang" {
		devicetest.Watch(t, 100*time.Millisecond)
		select {}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), "UNLEARNLAB_TEST_CHILD=hang")
	output, err := child.CombinedOutput()
	if err == nil || !strings.Contains(string(output), t.Name()+" hangs:") ||
		!strings.Contains(string(output), "[select (no cases)") {
		t.Errorf("got %v\n%s, want an error, %q in it, \"[select (no cases)\" in it",
			err, output, t.Name()+" hangs:")
	}
}
