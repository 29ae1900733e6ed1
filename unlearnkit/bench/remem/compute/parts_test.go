//go:build unix

package compute

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/paritytest"
)

// processorTime is what this process has had of all processors.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// step is what a step of learning one question takes.
type step struct{ processor, wall, memory float64 }

// stepOf takes three steps of a model with random weights and measures the later two: the first one compiles.
func stepOf(t *testing.T, d *device.Device, config llava.Config) (s step) {
	t.Helper()
	defer runtime.GC()
	m, _ := random(t, d, config)
	defer m.store.Finalize()
	config = m.config
	if err := m.adapt(64, 1); err != nil {
		t.Fatal(err)
	}
	seen := pixels(config.Vision, preprocess.NewImage(config.Vision.Image, config.Vision.Image))
	record, err := m.text.record("What is the job of the person in this image?",
		"The job of the person in this image is baker.", seen)
	if err != nil {
		t.Fatal(err)
	}
	task, err := answering.NewTask(answering.LLaVA(config), answering.Data{Retain: []answering.Record{record},
		Pad: m.text.padding})
	if err != nil {
		t.Fatal(err)
	}
	var wall []time.Time
	var processor []time.Duration
	_, err = answering.Job{Device: d, Store: m.store, Task: task, Method: answering.Finetuning(),
		Values: unlearn.Values{"rate": 5e-5, "batch": 1}, Budgets: []int{3}, Snapshot: unseen, Seed: 1,
		Progress: func(int, int) {
			wall, processor = append(wall, time.Now()), append(processor, processorTime())
		}}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last := len(wall) - 1
	if last < 2 {
		t.Fatalf("%d steps were told of", last+1)
	}
	return step{(processor[last] - processor[last-2]).Seconds() / 2, wall[last].Sub(wall[last-2]).Seconds() / 2,
		float64(paritytest.PeakMemory()) / (1 << 30)}
}

// What a step of the whole LLaVA-1.5-7B takes is told by those of models with a layer more or less, of which only one
// fits into the memory of a small machine.
func TestAStepOfThePapersWidthIsMeasuredInItsParts(t *testing.T) {
	paritytest.Slow(t, "minutes and 10 GiB")
	d, err := device.Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("on %s, one question with its picture, %d places", d.Name(), llava.LLaVA15_7B().ImageTokens())
	one := stepOf(t, d, high(1, 2))
	t.Logf("1 layer of the decoder, 1 of the tower: %.1f s of processor time, %.1f s, peak %.2f GiB", one.processor,
		one.wall, one.memory)
	two := stepOf(t, d, high(2, 2))
	t.Logf("2 layers of the decoder, 1 of the tower: %.1f s of processor time, %.1f s, peak %.2f GiB", two.processor,
		two.wall, two.memory)
	seen := stepOf(t, d, high(1, 5))
	t.Logf("1 layer of the decoder, 4 of the tower: %.1f s of processor time, %.1f s, peak %.2f GiB", seen.processor,
		seen.wall, seen.memory)
	layer, block := two.processor-one.processor, (seen.processor-one.processor)/3
	if !(layer > 0) {
		t.Fatalf("a layer more takes %.2f s more", layer)
	}
	whole := llava.LLaVA15_7B()
	steps := one.processor + float64(whole.Text.Layers-1)*layer + float64(whole.Vision.Layers-2)*block
	t.Logf("a layer of the decoder takes %.2f s and %.2f GiB, one of the tower %.2f s, the rest %.2f s; all %d and %d: "+
		"%.0f s of processor time", layer, two.memory-one.memory, block, one.processor-layer-block,
		whole.Text.Layers, whole.Vision.Layers-1, steps)
}
