//go:build cgo && linux && amd64 && !noxla

package device

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// openedAnew returns a backend that has compiled nothing yet.
func openedAnew(t *testing.T) *cachingBackend {
	t.Helper()
	paths := candidates("cpu")
	if len(paths) == 0 {
		t.Skip("needs a CPU plugin for XLA: unlearnlab device install cpu fetches one")
	}
	backend, err := openPlugin(Plugin{Path: paths[0], Kind: "cpu"}, false)
	if err != nil {
		t.Fatal(err)
	}
	return backend.(*cachingBackend)
}

// shifted returns a program that adds a number to its input.
func shifted(t *testing.T, backend compute.Backend, by float64) *graph.Exec {
	t.Helper()
	exec, err := graph.NewExec(backend, func(x *graph.Node) *graph.Node { return graph.AddScalar(x, by) })
	if err != nil {
		t.Fatal(err)
	}
	return exec
}

func value(t *testing.T, exec *graph.Exec, x any) float32 {
	t.Helper()
	y, err := exec.Call1(x)
	if err != nil {
		t.Fatal(err)
	}
	return y.Value().([]float32)[0]
}

func TestPrograms_CompiledOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	b := openedAnew(t)
	for round := range 3 {
		exec := shifted(t, b, 2)
		y, err := exec.Call1([]float32{1})
		if err != nil {
			t.Fatal(err)
		}
		if got := value(t, exec, y); got != 5 { // one program's output is another's input, without a copy
			t.Errorf("round %d: %v", round, got)
		}
		exec.Finalize()
		if b.compiled != 1 || b.unused.Len() != 1 {
			t.Errorf("round %d: %d compiled, %d unused", round, b.compiled, b.unused.Len())
		}
	}
}

func TestPrograms_Differ(t *testing.T) {
	b := openedAnew(t)
	two, three := shifted(t, b, 2), shifted(t, b, 3)
	if got := [3]float32{value(t, two, []float32{1}), value(t, three, []float32{1}),
		value(t, two, []float32{1, 1})}; got != [3]float32{3, 4, 3} || b.compiled != 3 {
		t.Errorf("%v, %d compiled; another constant and another shape are other programs", got, b.compiled)
	}
}

// A program in use stays in memory, and the oldest unused one is removed.
func TestPrograms_OldestUnused(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	b := openedAnew(t)
	used := shifted(t, b, -1)
	value(t, used, []float32{1})
	for i := range mostPrograms + 1 {
		exec := shifted(t, b, float64(i))
		value(t, exec, []float32{1})
		exec.Finalize()
	}
	if got := value(t, used, []float32{1}); got != 0 || b.unused.Len() != mostPrograms ||
		len(b.programs) != mostPrograms+1 {
		t.Errorf("%v; %d unused of %d", got, b.unused.Len(), len(b.programs))
	}
	before := b.compiled
	value(t, shifted(t, b, mostPrograms), []float32{1})
	if b.compiled != before {
		t.Error("the last program was compiled again")
	}
	value(t, shifted(t, b, 0), []float32{1})
	if b.compiled != before+1 {
		t.Error("the oldest was kept")
	}
}

func TestPrograms_Unfinalized(t *testing.T) {
	b := openedAnew(t)
	func() { value(t, shifted(t, b, 2), []float32{1}) }()
	for range 100 {
		runtime.GC()
		b.mu.Lock()
		unused := b.unused.Len()
		b.mu.Unlock()
		if unused == 1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it is still in use")
}

// XLA's convolutions on a GPU round float32 to TF32 unless the program asks for the highest precision.
func TestConvolutions_HighestPrecision(t *testing.T) {
	for _, exact := range []bool{false, true} {
		b := openedAnew(t)
		b.exact = exact
		builder := b.Builder("convolution").(*cachingBuilder)
		g := builder.Main()
		image, err := g.Parameter("image", shapes.Make(dtypes.Float32, 1, 4, 4, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		kernel, err := g.Parameter("kernel", shapes.Make(dtypes.Float32, 3, 3, 1, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		axes := compute.ConvolveAxesConfig{InputChannels: 3, InputSpatial: []int{1, 2}, KernelInputChannels: 2,
			KernelOutputChannels: 3, KernelSpatial: []int{0, 1}, OutputChannels: 3, OutputSpatial: []int{1, 2}}
		y, err := g.ConvGeneral(image, kernel, axes, nil, nil, nil, nil, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Return([]compute.Value{y}, nil); err != nil {
			t.Fatal(err)
		}
		text, err := builder.text()
		if err != nil {
			t.Fatal(err)
		}
		want := "DEFAULT"
		if exact {
			want = "HIGHEST"
		}
		if got := strings.Count(string(text), "precision "+want); got != 2 {
			t.Errorf("exact %v: %d operands of precision %s, want 2:\n%s", exact, got, want, text)
		}
	}
}

func TestRun_MemoryFull(t *testing.T) {
	b := openedAnew(t)
	exec, err := graph.NewExec(b, func(x *graph.Node) *graph.Node {
		return graph.BroadcastToDims(x, 1<<23, 1<<23) // 256 TiB, more than a process can address
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.Call1(float32(1)); err == nil || !strings.Contains(err.Error(), "memory is full; use smaller") {
		t.Errorf("got %v, want an error that says that the memory is full and what to do", err)
	}
}
