//go:build unix

package pretrain_test

import (
	"context"
	"syscall"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

// The benchmarks' batch has clips of 1.5 s at 8 kHz. scripts/compare_pretraining.py uses the same in PyTorch.
const (
	benchmarkRows    = 8
	benchmarkSamples = 12000
)

func benchmarkPlan(encoder wav2vec2.Config) pretrain.Plan {
	return pretrain.Plan{Scope: "policy", Encoder: pretrain.Small(encoder), Rows: benchmarkRows, Seed: 1,
		Clips: clips(benchmarkRows, benchmarkSamples)}
}

// BenchmarkPretraining measures steps with each objective and steps with their common parts: the convolutions alone,
// and the encoder. Each step includes gradients and AdamW.
func BenchmarkPretraining(b *testing.B) {
	base, hubert := benchmarkPlan(wav2vec2.Base()), benchmarkPlan(wav2vec2.HubertBase())
	frames := base.Encoder.Frames(benchmarkSamples)
	targets, texts := make([][]int32, benchmarkRows), make([]string, benchmarkRows)
	for clip := range targets {
		for frame := range frames {
			targets[clip] = append(targets[clip], int32((frame+clip)%50))
		}
		texts[clip] = "turn on the lights please"
	}
	alphabet, err := pretrain.NewAlphabet("abcdefghijklmnopqrstuvwxyz ")
	if err != nil {
		b.Fatal(err)
	}
	for _, part := range []struct {
		name  string
		steps func() (pretrain.Steps, error)
	}{
		{"convolutions", partly(base, func(out wav2vec2.Output) *graph.Node { return out.Features })},
		{"encoder", partly(base, func(out wav2vec2.Output) *graph.Node { return out.Hidden })},
		{"contrastive", func() (pretrain.Steps, error) { return pretrain.SmallContrastive().Steps(base) }},
		{"clusters", func() (pretrain.Steps, error) {
			return pretrain.Clusters{Count: 50, Width: 32, LogitTemperature: 0.1}.Steps(hubert, targets)
		}},
		{"ctc", func() (pretrain.Steps, error) {
			return pretrain.CTC{Alphabet: alphabet, Mean: true}.Steps(base, texts)
		}},
	} {
		b.Run(part.name, func(b *testing.B) {
			steps, err := part.steps()
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, steps)
		})
	}
}

// partly returns steps whose loss depends only on a part of the model.
func partly(plan pretrain.Plan, of func(out wav2vec2.Output) *graph.Node) func() (pretrain.Steps, error) {
	return func() (pretrain.Steps, error) {
		steps, err := pretrain.SmallContrastive().Steps(plan)
		steps.Loss = func(root *model.Scope, inputs []*graph.Node) *graph.Node {
			out := wav2vec2.Forward(root.At("policy"), plan.Encoder, wav2vec2.Input{Values: inputs[0]})
			return graph.ReduceAllMean(graph.Square(graph.AddScalar(of(out), -1)))
		}
		return steps, err
	}
}

// benchmark repeats a step with the same batch. The random numbers are drawn on the host before and not timed.
func benchmark(b *testing.B, steps pretrain.Steps) {
	store := seeded()
	optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}, ClipNorm: 1}
	step, err := devicetest.Open(b).Compile("step", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		loss := steps.Loss(root, x)
		optimizer.Minimize(root.At("policy"), loss, graph.Const(loss.Graph(), 1e-3))
		return []*graph.Node{loss}
	})
	if err != nil {
		b.Fatal(err)
	}
	defer step.Close()
	batch, err := steps.Batch(0)
	if err != nil {
		b.Fatal(err)
	}
	var inputs []any
	for _, input := range batch.Inputs {
		inputs = append(inputs, input)
	}
	once := func() {
		if _, err := step.Run(context.Background(), inputs...); err != nil {
			b.Fatal(err)
		}
	}
	once() // compiles the graph
	parameters := 0
	for variable := range store.Scope("/policy").IterVariables() {
		parameters += variable.Shape().Size()
	}
	begin := processorTime(b)
	for b.Loop() {
		once()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(1000*(processorTime(b)-begin)/float64(b.N), "processor-ms/step")
	b.ReportMetric(float64(parameters), "parameters")
}

// processorTime returns the processor time used by this process in seconds.
func processorTime(b *testing.B) float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
