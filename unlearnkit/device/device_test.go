package device_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

func open(t *testing.T, wish string) *device.Device {
	t.Helper()
	d, err := device.Open(wish)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOpen_Once(t *testing.T) {
	if open(t, "go").Backend() != open(t, "go").Backend() {
		t.Error("two backends go: the tensors of one could not be used on the other")
	}
	if open(t, "go").Backend() == open(t, "go:plain").Backend() {
		t.Error("go and go:plain are one backend")
	}
}

func TestOpen_Environment(t *testing.T) {
	t.Setenv(device.Variable, "go:plain")
	if d := open(t, ""); d.Name() != "go:plain" || !strings.Contains(d.Why(), "$"+device.Variable) {
		t.Errorf("%v", d)
	}
	t.Setenv(device.Variable, "abacus")
	if _, err := device.Open(""); err == nil || !strings.Contains(err.Error(), "$"+device.Variable) {
		t.Errorf("%v", err)
	}
	if d := open(t, "go"); d.Name() != "go" {
		t.Errorf("the environment overrules the wish: %v", d)
	}
}

func TestOpen_WithoutPlugins(t *testing.T) {
	hidePlugins(t)
	if d := open(t, "auto"); d.Name() != "go" || d.Plugin() != "" || d.Version() != "" || d.XLA() {
		t.Errorf("%v", d)
	}
	_, err := device.Open("xla:cpu")
	if err == nil || !strings.Contains(err.Error(), "device xla:cpu: ") {
		t.Errorf("%v", err)
	}
}

// hidePlugins makes the folders where plugins are looked for empty.
func hidePlugins(t *testing.T) {
	t.Setenv(device.Variable, "")
	t.Setenv(device.HomeVariable, t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", "")
	for _, plugin := range device.Found() {
		t.Skipf("needs a machine without plugins for all users, such as %s", plugin.Path)
	}
}

// Panics and errors become one line that begins with the stage.
func TestErrors_Stage(t *testing.T) {
	cause := errors.New("two\nlines")
	tests := []struct {
		f    func() error
		says string
	}{
		{func() error { return cause }, "train: two lines"},
		{func() error { panic(cause) }, "train: two lines"},
		{func() error { panic("words") }, "train: words"},
		{func() error { var none []int; return errors.New(string(rune(none[len(none)]))) }, "device_test.go:"},
	}
	for _, test := range tests {
		err := device.Try("train", test.f)
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.HasPrefix(err.Error(), "train: ") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want one line with %q", err, test.says)
		}
	}
	if err := device.Try("train", func() error { return cause }); !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	if err := device.Try("train", func() error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestCompile_BadGraph(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	d := devicetest.Open(t)
	program, err := d.Compile("misfit", model.NewStore(), func(_ *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{graph.MatMul(inputs[0], inputs[0])}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	_, err = program.Run(t.Context(), [][]float32{{1, 2, 3}})
	if err == nil || !strings.HasPrefix(err.Error(), "misfit: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

func TestRun_Cancelled(t *testing.T) {
	program, err := devicetest.Open(t).Compile("late", model.NewStore(),
		func(_ *model.Scope, inputs []*graph.Node) []*graph.Node {
			return inputs
		})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := program.Run(ctx, float32(1)); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "late: ") {
		t.Errorf("%v", err)
	}
}

func TestTrace_WithoutValues(t *testing.T) {
	store := model.NewStore()
	shape := shapes.Make(dtypes.Float32, 100_000, 100_000) // would be 40 GB
	outputs, err := devicetest.Open(t).Trace("trace", store,
		func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
			weight := scope.VariableWithShape("weight", shape)
			return []*graph.Node{graph.MatMul(inputs[0], weight.NodeValue(inputs[0].Graph()))}
		}, shapes.Make(dtypes.Float32, 3, 100_000))
	if err != nil {
		t.Fatal(err)
	}
	if len(outputs) != 1 || !outputs[0].Equal(shapes.Make(dtypes.Float32, 3, 100_000)) {
		t.Errorf("%v", outputs)
	}
	for variable := range store.IterVariables() {
		if variable.Path() != "/weight" || variable.HasValue() || !variable.Shape().Equal(shape) {
			t.Errorf("%v", variable)
		}
	}
}

// GoMLX's executor fails at a softmax of bfloat16 only when the graph runs, after the counter's memory was given to the
// graph.
func TestRun_FailedStep(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	for _, wish := range []string{"go:plain"} {
		d, store := open(t, wish), model.NewStore()
		step := func(failing bool) *device.Program {
			program, err := d.Compile("step", store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
				counter := scope.VariableWithValue("counter", float32(0))
				counter.SetNodeValue(graph.OnePlus(counter.NodeValue(inputs[0].Graph())))
				if failing {
					return []*graph.Node{graph.Softmax(graph.ConvertDType(inputs[0], dtypes.BFloat16))}
				}
				return inputs
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(program.Close)
			return program
		}
		if _, err := step(false).Run(t.Context(), []float32{1, 2}); err != nil {
			t.Fatal(err)
		}
		fails := step(true)
		if _, err := fails.Run(t.Context(), []float32{1, 2}); err == nil || !strings.Contains(err.Error(), "/counter") {
			t.Errorf("%s: %v", wish, err)
		}
		if _, err := fails.Run(t.Context(), []float32{1, 2}); err == nil ||
			!strings.Contains(err.Error(), "checkpoint") {
			t.Errorf("%s: %v", wish, err)
		}
	}
}

func TestRun_PrintsNothing(t *testing.T) {
	out, problems := os.Stdout, os.Stderr
	file, err := os.CreateTemp(t.TempDir(), "printed")
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout, os.Stderr = file, file
	defer func() { os.Stdout, os.Stderr = out, problems }()
	for _, wish := range []string{"go", "go:plain", ""} {
		if _, err := device.Open(wish); err != nil {
			t.Error(err)
		}
	}
	device.Found()
	if info, err := file.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestSpeed(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	speed, err := devicetest.Open(t).Speed(t.Context())
	if err != nil || speed < .1 || speed > 1e6 {
		t.Errorf("%g GFLOP/s, %v", speed, err)
	}
	t.Logf("%.0f GFLOP/s", speed)
}

func ExampleOpen() {
	d, err := device.Open("go")
	if err != nil {
		panic(err)
	}
	program, err := d.Compile("example", model.NewStore(), func(_ *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{graph.MatMul(inputs[0], inputs[1])}
	})
	if err != nil {
		panic(err)
	}
	outputs, err := program.Run(context.Background(), [][]float32{{1, 2}, {3, 4}}, [][]float32{{0, 1}, {1, 0}})
	if err != nil {
		panic(err)
	}
	fmt.Println(tensors.MustCopyFlatData[float32](outputs[0]))
	// Output: [2 1 4 3]
}
