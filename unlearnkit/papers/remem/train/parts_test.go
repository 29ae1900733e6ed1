//go:build unix

package train

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// processorTime returns the processor time that this process has used so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// step holds the costs of one training step on one question.
type step struct{ processor, wall, memory float64 }

// stepOf runs three training steps of a model with random weights. It measures the last two, because the first one
// compiles.
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

// The cost of a step of the whole LLaVA-1.5-7B is extrapolated from models that differ by one layer. Only a model with
// few layers fits into the memory of a small machine.
func TestFull_StepParts(t *testing.T) {
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
	rest := one.processor - layer - block
	whole := llava.LLaVA15_7B()
	t.Log("| part | parameters | in float32 | arithmetic of a step | processor time |\n|---|--:|--:|--:|--:|")
	for _, part := range []struct {
		name    string
		counted int
		flops   float64
		seconds float64
	}{
		{"a layer of the decoder", parametersOf(high(2, 2)) - parametersOf(high(1, 2)), stepFlops(high(2, 2)) -
			stepFlops(high(1, 2)), layer},
		{"a layer of the vision tower", parametersOf(high(1, 3)) - parametersOf(high(1, 2)), stepFlops(high(1, 3)) -
			stepFlops(high(1, 2)), block},
		{"the rest: words, projector, Adam", parametersOf(high(0, 0)), stepFlops(high(0, 1)), rest},
		{"LLaVA-1.5-7B", parametersOf(whole), stepFlops(whole), rest + float64(whole.Text.Layers)*layer +
			float64(whole.Vision.Layers-1)*block},
	} {
		t.Logf("| %s | %d | %.2f GB | %.2f TFLOP | %.1f s |", part.name, part.counted, float64(4*part.counted)/1e9,
			part.flops/1e12, part.seconds)
	}
}

// stepFlops returns the number of operations in a training step on one question. In the forward pass, each weight of a
// matrix needs two operations per position. The gradient with respect to the inputs needs two more, in the decoder and
// the projector. The gradient of the projector's weights needs another two. Attention between positions and the
// adapters are left out, because they are less than a tenth.
func stepFlops(c llava.Config) float64 {
	places, seen := float64(c.ImageTokens()+text7B), float64(c.ImageTokens()+1)
	layer := 4*c.Text.Width*c.Text.Width + 3*c.Text.Width*c.Text.Hidden
	block := 4*c.Vision.Width*c.Vision.Width + 2*c.Vision.Width*c.Vision.Hidden
	projector := c.Vision.Width*c.Text.Width + c.Text.Width*c.Text.Width
	return 4*places*float64(c.Text.Layers*layer+c.Text.Vocabulary*c.Text.Width) + 6*seen*float64(projector) +
		2*seen*float64((c.Vision.Layers-1)*block)
}

// text7B is the approximate number of tokens in a question and its answer, without the picture.
const text7B = 40
