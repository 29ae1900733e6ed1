package zootest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/zootest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// Environment variables that tell a child process which model to train and for how many steps.
const (
	modelVariable = "UNLEARNLAB_ZOOTEST_MODEL"
	stepsVariable = "UNLEARNLAB_ZOOTEST_STEPS"
)

// TestMain trains a model and prints its digest if a test has started the process for that.
func TestMain(m *testing.M) {
	name := os.Getenv(modelVariable)
	if name == "" {
		os.Exit(m.Run())
	}
	digest, err := trainedAlone(name, os.Getenv(stepsVariable))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%x\n", digest)
}

func trainedAlone(name, steps string) (digest [32]byte, err error) {
	count, err := strconv.Atoi(steps)
	if err != nil {
		return digest, err
	}
	d, err := device.Open(os.Getenv(device.Variable))
	if err != nil {
		return digest, err
	}
	for _, m := range zootest.Tiny() {
		if m.Name == name {
			t, err := zootest.NewTrainer(d, m)
			if err != nil {
				return digest, err
			}
			defer t.Close()
			if _, _, err := t.Train(context.Background(), count); err != nil {
				return digest, err
			}
			return t.Digest()
		}
	}
	return digest, fmt.Errorf("no model is called %s", name)
}

// Training is bit-identical for every number of processors: one at a time, in parallel, and in separate processes.
func TestTraining_Processors(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	d := devicetest.Open(t)
	steps, limit, processors := 3, 5*time.Minute, []int{1, 2, 4}
	children := processors[:1]
	if os.Getenv("UNLEARNLAB_SLOW") != "" {
		steps, limit, children = 200, time.Hour, processors
	} else if d.XLA() {
		processors = []int{1, 4} // few, because each training compiles for seconds
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, m := range zootest.Tiny() {
		t.Run(m.Name, func(t *testing.T) {
			devicetest.Watch(t, limit)
			trainers := make([]*zootest.Trainer, len(processors))
			for i, count := range processors {
				trainer, err := zootest.NewTrainer(d, m)
				if err != nil {
					t.Fatal(err)
				}
				defer trainer.Close()
				trainers[i] = trainer
				runtime.GOMAXPROCS(count)
				first, last, err := trainer.Train(t.Context(), steps)
				if err != nil {
					t.Fatal(err)
				}
				if !(last < first) {
					t.Errorf("the loss went from %g to %g", first, last)
				}
			}
			digest := agreement(t, trainers)
			for _, count := range children {
				if printed := inChild(t, d, m.Name, steps, count); printed != digest {
					t.Errorf("a process with %d processors came to other bits: %s, not %s", count, printed, digest)
				}
			}
			for _, count := range processors {
				runtime.GOMAXPROCS(count)
				sideBySide(t, trainers, steps)
				agreement(t, trainers)
			}
		})
	}
}

func sideBySide(t *testing.T, trainers []*zootest.Trainer, steps int) {
	t.Helper()
	ends := make(chan error)
	for _, trainer := range trainers {
		go func() {
			_, _, err := trainer.Train(t.Context(), steps)
			ends <- err
		}()
	}
	for range trainers {
		if err := <-ends; err != nil {
			t.Fatal(err)
		}
	}
}

// agreement returns the trainers' common digest, and fails the test if they differ.
func agreement(t *testing.T, trainers []*zootest.Trainer) string {
	t.Helper()
	var common string
	for i, trainer := range trainers {
		digest, err := trainer.Digest()
		if err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprintf("%x", digest); i == 0 {
			common = text
		} else if text != common {
			t.Errorf("training %d came to other bits", i)
		}
	}
	return common
}

func inChild(t *testing.T, d *device.Device, name string, steps, processors int) string {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), modelVariable+"="+name, stepsVariable+"="+strconv.Itoa(steps),
		"GOMAXPROCS="+strconv.Itoa(processors), device.Variable+"="+d.Name())
	var problems strings.Builder
	child.Stderr = &problems
	printed, err := child.Output()
	if err != nil {
		t.Fatalf("a child process: %v: %s", err, problems.String())
	}
	return strings.TrimSpace(string(printed))
}

// BenchmarkTraining times training steps on the device in $UNLEARNLAB_DEVICE. scripts/compare_training.py compares them
// with the same models in PyTorch.
func BenchmarkTraining(b *testing.B) { timeSteps(b, zootest.Benchmarked()) }

// BenchmarkPublished times training steps at the papers' sizes and needs a GPU.
func BenchmarkPublished(b *testing.B) {
	if !strings.HasPrefix(devicetest.Open(b).Name(), "xla:cuda") {
		b.Skip("needs a GPU: models at the papers' sizes")
	}
	timeSteps(b, zootest.Published())
}

func timeSteps(b *testing.B, models []zootest.Model) {
	d := devicetest.Open(b)
	for _, m := range models {
		b.Run(m.Name, func(b *testing.B) {
			trainer, err := zootest.NewTrainer(d, m)
			if err != nil {
				b.Fatal(err)
			}
			defer trainer.Close()
			start := time.Now()
			if _, _, err := trainer.Train(b.Context(), 2); err != nil {
				b.Fatal(err)
			}
			ready := time.Since(start)
			for b.Loop() {
				if _, err := trainer.Step(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
			b.ReportMetric(float64(trainer.Parameters()), "parameters")
			b.ReportMetric(ready.Seconds(), "s-first-two")
			if used, ok := gpuMemory(); ok {
				b.ReportMetric(used, "MB-on-GPU")
			}
		})
	}
}

// gpuMemory returns the megabytes (10^6 bytes) in use on the GPU, as nvidia-smi reports them. XLA's allocator releases
// nothing, so at the end of a run with one model this is the model's peak plus the CUDA context.
func gpuMemory() (megabytes float64, ok bool) {
	printed, err := exec.Command("nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits").Output()
	if err != nil {
		return 0, false
	}
	mebibytes, err := strconv.ParseFloat(strings.TrimSpace(string(printed)), 64)
	return mebibytes * (1 << 20) / 1e6, err == nil
}
