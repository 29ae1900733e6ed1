package train_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/traintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// perceptron returns a training of two layers that learn a difference. Its random numbers are seeded by names.
func perceptron(d *device.Device, steps int) train.Job {
	store := model.NewStore()
	nn.Seed(store.RootScope().At("policy"), 3)
	return train.Job{
		Stage: "perceptron", Device: d, Store: store, Scope: "policy", Steps: steps,
		Loss: func(root *model.Scope, inputs []*graph.Node) *graph.Node {
			scope := root.At("policy")
			hidden := graph.Tanh(nn.Linear(scope.At("first"), inputs[0], 7, true))
			return graph.ReduceAllMean(graph.Square(graph.Sub(nn.Linear(scope.At("second"), hidden, 1, true),
				inputs[1])))
		},
		Optimizer: optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.1}, ClipNorm: 1, Average: 0.9},
		Schedule:  optim.Cosine{Peak: 0.02, Warmup: 5, Steps: steps},
		Batch: func(step int) (train.Batch, error) {
			random, rows := seed.Stream(1, "batch", step), 4+step%2
			values := make([]float32, 4*rows)
			for i := range 3 * rows {
				values[i] = float32(random.NormFloat64())
			}
			for i := range rows {
				values[3*rows+i] = values[3*i] - values[3*i+1]
			}
			return train.Batch{Inputs: []*tensors.Tensor{
				tensors.FromFlatDataAndDimensions(values[:3*rows], rows, 3),
				tensors.FromFlatDataAndDimensions(values[3*rows:], rows, 1),
			}, Examples: rows}, nil
		},
		Identity: "perceptron of the test",
	}
}

// everything returns the content of the store as bytes.
func everything(t *testing.T, store *model.Store) map[string]string {
	t.Helper()
	contents := map[string]string{}
	for variable := range store.IterVariables() {
		if err := variable.MustValue().ConstBytes(func(data []byte) {
			contents[variable.Path()] = string(data)
		}); err != nil {
			t.Fatal(err)
		}
	}
	return contents
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Errorf("%s: %d tensors, want %d", what, len(got), len(want))
	}
	for path, data := range want {
		if got[path] != data {
			t.Errorf("%s: %s differs", what, path)
		}
	}
}

func TestRun_Log(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	job := perceptron(devicetest.Open(t), 40)
	var told []int
	job.Progress = func(done, steps int) { told = append(told, done*100+steps) }
	log, err := job.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(log) != 40 || log.Examples() != 20*4+20*5 || len(told) != 40 || told[0] != 140 || told[39] != 4040 {
		t.Errorf("%d steps, %d examples, progress %v", len(log), log.Examples(), told)
	}
	for i, step := range log {
		if step.Rate != job.Schedule.Rate(i) || !(step.Norm > 0) {
			t.Errorf("step %d: %+v", i, step)
		}
	}
	mean := func(part train.Log) (sum float64) {
		for _, step := range part {
			sum += step.Loss / float64(len(part))
		}
		return sum
	}
	if before, after := mean(log[:10]), mean(log[30:]); !(after < before) {
		t.Errorf("the loss went from %g to %g", before, after)
	}
}

func TestLog_Write(t *testing.T) {
	log := train.Log{{Loss: 1.5, Norm: 2, Rate: 0.1, Examples: 8},
		{Loss: math.NaN(), Norm: math.Inf(1), Rate: 0.05, Examples: 3}}
	path := filepath.Join(t.TempDir(), "log.parquet")
	if err := log.WriteParquet(path); err != nil {
		t.Fatal(err)
	}
	frame, err := safefile.ReadNumbers(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"step": {1, 2}, "loss": {1.5, math.NaN()}, "norm": {2, math.Inf(1)},
		"rate": {0.1, 0.05}, "examples": {8, 3}} {
		column := frame.Column(name)
		if column == nil || fmt.Sprint(column.Values) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, column, want)
		}
	}
}

// process is the environment variable that turns the test of this name into a training.
const process = "TRAIN_TEST_FOLDER"

func TestTrainingInAProcess(t *testing.T) {
	folder := os.Getenv(process)
	if folder == "" {
		t.Skip("runs in a process of other tests")
	}
	report := func(done, _ int) { traintest.Tell(done) }
	if err := trainInto(t, folder, filepath.Join(folder, "checkpoint.safetensors"), report); err != nil {
		t.Fatal(err)
	}
}

func trainInto(t *testing.T, folder, checkpoint string, progress func(done, steps int)) error {
	job := perceptron(devicetest.Open(t), 400)
	job.Checkpoint, job.CheckpointEvery = checkpoint, 2*time.Millisecond
	job.Progress = progress
	log, err := job.Run(t.Context())
	if err != nil {
		return err
	}
	var all []safefile.TensorData
	for path, data := range everything(t, job.Store) {
		all = append(all, safefile.TensorOfBytes(path, safefile.U8, []int{len(data)}, []byte(data)))
	}
	return errors.Join(log.WriteParquet(filepath.Join(folder, "log.parquet")),
		safefile.WriteTensors(filepath.Join(folder, "weights.safetensors"), all, nil))
}

func TestRun_Killed(t *testing.T) {
	devicetest.Watch(t, 2*time.Minute)
	calm, killed := t.TempDir(), t.TempDir()
	if err := trainInto(t, calm, "", nil); err != nil {
		t.Fatal(err)
	}
	steps := traintest.Kill(t, "TestTrainingInAProcess", []string{process + "=" + killed}, 6, 50)
	t.Logf("steps by process: %v", steps)
	sum := 0
	for _, made := range steps {
		sum += made
	}
	if last := steps[len(steps)-1]; last == 400 || sum < 400 {
		t.Errorf("%v steps: nothing was gone on with", steps)
	}
	for _, name := range []string{"log.parquet", "weights.safetensors"} {
		want, err := os.ReadFile(filepath.Join(calm, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(killed, name)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
}

func TestRun_Cancelled(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	d := devicetest.Open(t)
	whole := perceptron(d, 12)
	want, err := whole.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "checkpoint.safetensors")
	var done []int
	for _, at := range []int{5, 6, 11} {
		ctx, cancel := context.WithCancel(t.Context())
		job := perceptron(d, 12)
		job.Checkpoint = path
		batch := job.Batch
		job.Batch = func(step int) (train.Batch, error) { // cancelled after a batch was drawn and before its step
			if step == at {
				cancel()
			}
			return batch(step)
		}
		log, err := job.Run(ctx)
		if !errors.Is(err, context.Canceled) || len(log) != at || strings.Contains(err.Error(), "\n") {
			t.Errorf("cancelled in step %d: %d steps, %v", at, len(log), err)
		}
		done = append(done, len(log))
	}
	last := perceptron(d, 12)
	last.Checkpoint = path
	got, err := last.Run(t.Context())
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("after %v: %v, want %v, %v", done, got, want, err)
	}
	same(t, "the store", everything(t, last.Store), everything(t, whole.Store))
}

// After a resume, snapshots are called for the step of the resume and for later steps.
func TestSnapshots_AfterResume(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	path := filepath.Join(t.TempDir(), "checkpoint.safetensors")
	run := func(cancelAfter int) (called []int) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		job := perceptron(devicetest.Open(t), 9)
		job.Checkpoint = path
		job.Snapshots = []int{0, 3, 6, 9}
		job.Snapshot = func(_ context.Context, steps int) error { called = append(called, steps); return nil }
		job.Progress = func(done, _ int) {
			if done == cancelAfter {
				cancel()
			}
		}
		if _, err := job.Run(ctx); errors.Is(err, context.Canceled) != (cancelAfter < 9) {
			t.Errorf("cancelled after %d: %v", cancelAfter, err)
		}
		return called
	}
	for _, test := range []struct {
		cancelAfter int
		want        []int
	}{{3, []int{0, 3}}, {4, []int{3}}, {5, nil}, {99, []int{6, 9}}} {
		if got := run(test.cancelAfter); !slices.Equal(got, test.want) {
			t.Errorf("to step %d: snapshots %v, want %v", test.cancelAfter, got, test.want)
		}
	}
}

func TestRun_Diverged(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	for name, spoil := range map[string]func(loss *graph.Node) *graph.Node{
		"infinite loss": func(loss *graph.Node) *graph.Node { return graph.MulScalar(loss, 1e38) },
		"NaN loss":      func(loss *graph.Node) *graph.Node { return graph.Log(graph.Neg(loss)) },
		"NaN gradient": func(loss *graph.Node) *graph.Node { // the loss is zero, its gradient 0·∞
			return graph.Mul(graph.Sqrt(graph.MulScalar(loss, 0)), graph.ScalarOne(loss.Graph(), loss.DType()))
		},
	} {
		job := perceptron(devicetest.Open(t), 8)
		loss := job.Loss
		job.Loss = func(root *model.Scope, inputs []*graph.Node) *graph.Node {
			return spoil(graph.MulScalar(loss(root, inputs), 1e3))
		}
		job.Snapshots = []int{8}
		job.Snapshot = func(context.Context, int) error { t.Error("a model that diverged was judged"); return nil }
		log, err := job.Run(t.Context())
		if !errors.Is(err, train.ErrDiverged) || strings.Contains(err.Error(), "\n") || len(log) == 0 {
			t.Errorf("%s: %d steps, %v", name, len(log), err)
			continue
		}
		last := log[len(log)-1]
		if finite := !math.IsNaN(last.Loss+last.Norm) && !math.IsInf(last.Loss+last.Norm, 0); finite ||
			!strings.Contains(err.Error(), "step 1 of 8") {
			t.Errorf("%s: %+v, %v", name, last, err)
		}
	}
}
