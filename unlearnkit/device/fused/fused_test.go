package fused_test

import (
	"runtime"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/compute/support/backendtest"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/fused"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// pair opens the Go backend and a fused one.
func pair(t testing.TB) (plain, planned compute.Backend) {
	open := func() compute.Backend {
		backend, err := gobackend.New("")
		if err != nil {
			t.Fatal(err)
		}
		if err := fused.LiftWorkerLimit(backend); err != nil {
			t.Fatal(err)
		}
		return backend
	}
	wrapped, err := fused.Wrap(open())
	if err != nil {
		t.Fatal(err)
	}
	return open(), wrapped
}

func TestWrap_GoMLXTests(t *testing.T) {
	_, planned := pair(t)
	backendtest.TestBinaryOps(t, planned)
	backendtest.TestUnaryOps(t, planned)
	backendtest.TestConvertDType(t, planned)
	backendtest.TestBitcast(t, planned)
	backendtest.TestExec(t, planned)
	backendtest.TestFunctions(t, planned)
	backendtest.TestConvGeneral(t, planned, nil)
	backendtest.TestSpecialOps(t, planned)
	backendtest.TestDotGeneral(t, planned)
	backendtest.TestBarriers(t, planned)
}

// Fused operations are declined, so that GoMLX builds them from plain operations.
func TestWrap_DeclinesFused(t *testing.T) {
	_, planned := pair(t)
	main := planned.Builder("declined").Main()
	x, err := main.Parameter("x", shapes.Make(dtypes.Float32, 3, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := main.FusedSoftmax(x, 1); !compute.IsNotImplemented(err) {
		t.Errorf("a fused softmax answers %v", err)
	}
}

// Results have the same bits, whatever the number of processors.
func TestPlan_Processors(t *testing.T) {
	_, planned := pair(t)
	build := func(x []*graph.Node) []*graph.Node {
		y := graph.Softmax(graph.Einsum("abc,dc->abd", x[0], x[1]), -1)
		loss := graph.ReduceAllSum(graph.Square(graph.Sub(y, graph.ReduceAndKeep(y, graph.ReduceMean, 0, 1))))
		convolved := nn.Convolve(graph.Reshape(x[0], 7, 43, 19, 31), graph.Reshape(x[2], 9, 31, 3, 3),
			nn.ConvConfig{Out: 9, Kernel: []int{3, 3}, Padding: []int{1, 1}})
		loss = graph.Add(loss, graph.ReduceAllSum(graph.Square(convolved)))
		return append([]*graph.Node{loss, graph.ReduceSum(y, 0, 1)}, graph.Gradient(loss, x...)...)
	}
	x, w, kernel := uniform("x", 19, 301, 31), uniform("w", 67, 31), uniform("kernel", 9*31*9)
	var want [][]float32
	for _, processors := range []int{1, 2, 4, 7} {
		before := runtime.GOMAXPROCS(processors)
		got := evaluate[float32](t, planned, build, x, w, kernel)
		runtime.GOMAXPROCS(before)
		if want == nil {
			want = got
		}
		if difference := cmp.Diff(want, got); difference != "" {
			t.Fatalf("with %d processors other bits than with one:\n%s", processors, difference)
		}
	}
}

// Graphs that cannot be planned go to the plain backend as a whole.
func TestPlan_HandedOver(t *testing.T) {
	same(t, "loop", func(x []*graph.Node) []*graph.Node {
		sorted := graph.Sort(x[0], -1, true)
		return []*graph.Node{graph.Exp(sorted)}
	}, uniform("x", 5, 7))
}

func TestPlan_Failure(t *testing.T) {
	_, planned := pair(t)
	exec, err := graph.NewExec(planned, func(x *graph.Node) *graph.Node { return graph.Exp(x) })
	if err != nil {
		t.Fatal(err)
	}
	gone := tensors.FromValue([]float32{1, 2})
	if _, err := exec.Call(gone); err != nil {
		t.Fatal(err)
	}
	gone.FinalizeAll()
	if _, err := exec.Call(gone); err == nil {
		t.Error("a released input was computed with")
	}
	if outputs, err := exec.Call([]float32{0, 0}); err != nil || outputs[0].Value().([]float32)[0] != 1 {
		t.Errorf("afterwards: %v, %v", outputs, err)
	}
}
