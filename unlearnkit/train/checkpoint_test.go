package train_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// checkpointed makes six steps of a training and returns the file from which the training could continue.
func checkpointed(t *testing.T) []byte {
	t.Helper()
	job := perceptron(devicetest.Open(t), 6)
	job.Checkpoint, job.CheckpointEvery = filepath.Join(t.TempDir(), "checkpoint.safetensors"), time.Nanosecond
	if _, err := job.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(job.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCheckpoint_Refused(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	good := checkpointed(t)
	flipped := func(at int) []byte {
		bad := bytes.Clone(good)
		bad[at] ^= 4
		return bad
	}
	inLog := bytes.Index(good, []byte(`"log/rate"`))
	for _, test := range []struct {
		name, says string
		file       []byte
		change     func(job *train.Job)
	}{
		{"another identity", `another training ("perceptron of the test", not "another")`, good, func(job *train.Job) {
			job.Identity = "another"
		}},
		{"more steps than are wanted", "has made 6 steps of 5", good, func(job *train.Job) { job.Steps = 5 }},
		{"a bit flipped in the last weight", "damaged", flipped(len(good) - 1), nil},
		{"a bit flipped in the middle", "damaged", flipped(len(good) - 300), nil},
		{"a bit flipped in a name", "checkpoint", flipped(inLog + 6), nil},
		{"cut short", "cannot be read", good[:len(good)-100], nil},
		{"empty", "cannot be read", nil, nil},
		{"something else", "cannot be read", []byte("loss,norm\n1,2\n"), nil},
		{"a model with other shapes", "shape", good, func(job *train.Job) {
			job.Store = model.NewStore()
			job.Store.VariableWithValue("/policy/first/weight", [][]float32{{1, 2}})
		}},
		{"a model with a tensor more", "has no /policy/third/weight", good, func(job *train.Job) {
			job.Store.VariableWithValue("/policy/third/weight", []float32{1, 2})
		}},
	} {
		job := perceptron(devicetest.Open(t), 8)
		job.Checkpoint = filepath.Join(t.TempDir(), "checkpoint.safetensors")
		if err := os.WriteFile(job.Checkpoint, test.file, 0o600); err != nil {
			t.Fatal(err)
		}
		if test.change != nil {
			test.change(&job)
		}
		_, err := job.Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), test.says) ||
			!strings.Contains(err.Error(), "remove it to begin anew") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want one line with %q", test.name, err, test.says)
		}
	}
	job := perceptron(devicetest.Open(t), 8)
	job.Checkpoint = filepath.Join(t.TempDir(), "checkpoint.safetensors")
	if err := os.WriteFile(job.Checkpoint, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if log, err := job.Run(t.Context()); err != nil || len(log) != 8 {
		t.Errorf("the checkpoint itself: %d steps, %v", len(log), err)
	}
}

func TestCheckpoint_CannotWrite(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	job := perceptron(devicetest.Open(t), 8)
	job.Checkpoint, job.CheckpointEvery = filepath.Join(t.TempDir(), "missing", "checkpoint.safetensors"),
		time.Nanosecond
	if log, err := job.Run(t.Context()); err == nil || len(log) != 1 || strings.Contains(err.Error(), "\n") {
		t.Errorf("%d steps, %v", len(log), err)
	}
}

func TestJob_Mistakes(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	cause := errors.New("the disk is gone")
	for _, test := range []struct {
		name, says string
		change     func(job *train.Job)
	}{
		{"a batch that fails", "perceptron: batch of step 1: the disk is gone", func(job *train.Job) {
			job.Batch = func(int) (train.Batch, error) { return train.Batch{}, cause }
		}},
		{"a batch that panics", "perceptron: batch of step 1: runtime error", func(job *train.Job) {
			job.Batch = func(step int) (train.Batch, error) { return train.Batch{Examples: []int{}[step]}, nil }
		}},
		{"a loss that is no scalar", "perceptron: ", func(job *train.Job) {
			job.Loss = func(root *model.Scope, inputs []*graph.Node) *graph.Node {
				return nn.Linear(root.At("policy"), inputs[0], 2, true)
			}
		}},
		{"a loss of nothing that can be trained", "perceptron: optim: nothing to move", func(job *train.Job) {
			job.Loss = func(_ *model.Scope, inputs []*graph.Node) *graph.Node { return graph.ReduceAllSum(inputs[0]) }
		}},
	} {
		job := perceptron(devicetest.Open(t), 8)
		test.change(&job)
		_, err := job.Run(t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want one line that begins with %q", test.name, err, test.says)
		}
	}
}
