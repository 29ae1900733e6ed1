//go:build unix

package classifying_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// The batch of the benchmarks: half a second at 8 kHz. scripts/compare_finetuning.py makes the same in PyTorch.
const (
	benchmarkRows    = 8
	benchmarkSamples = 4000
)

// benchmarkModel returns the small world's encoder with a head for five intents, and random values.
func benchmarkModel(b *testing.B) (wav2vec2.Config, *model.Store) {
	config := wav2vec2.SmallGroup()
	config.NumLabels = 5
	store := model.NewStore()
	nn.Seed(store.RootScope().At(unlearn.Policy), 1)
	_, err := devicetest.Open(b).Trace("start", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{wav2vec2.Forward(root.At(unlearn.Policy), config, wav2vec2.Input{Values: x[0]}).Logits}
	}, shapes.Make(dtypes.Float32, 1, benchmarkSamples))
	if err != nil {
		b.Fatal(err)
	}
	return config, store
}

// BenchmarkCFk times runs of some passes over 64 clips, first with features that are computed once, then with the whole
// model in every step. Building the graphs is part of a run.
func BenchmarkCFk(b *testing.B) {
	config, store := benchmarkModel(b)
	streams := unlearn.Streams{unlearn.Retain: sounds(unlearn.Retain, 64, benchmarkSamples)}
	for _, last := range []int{1, 2} {
		for _, passes := range []int{1, 5, 50} {
			for _, task := range []struct {
				name string
				of   classifying.Task
			}{
				{"features", classifying.Wav2Vec2(config, streams)},
				{"whole", classifying.WholeWav2Vec2(config, streams)},
			} {
				b.Run(fmt.Sprintf("k=%d/passes=%d/%s", last, passes, task.name), func(b *testing.B) {
					head := classifying.Head{Device: devicetest.Open(b), Store: store, Parts: last, Passes: passes,
						Batch: benchmarkRows, Rate: 1e-4, Seed: 1}
					begin := processorTime(b)
					for b.Loop() {
						if _, err := head.Train(b.Context(), task.of); err != nil {
							b.Fatal(err)
						}
					}
					runs := float64(b.N * passes)
					b.ReportMetric(1000*b.Elapsed().Seconds()/runs, "ms/pass")
					b.ReportMetric(1000*(processorTime(b)-begin)/runs, "processor-ms/pass")
				})
			}
		}
	}
}

// BenchmarkStep times growing parts of the model: the convolutions, everything before the transformer's layers, the
// encoder, and the model with its head. It also times the head on stored features. Each part runs forward only, and
// with gradients and a step of AdamW.
func BenchmarkStep(b *testing.B) {
	config, _ := benchmarkModel(b)
	whole := func(s *model.Scope, x *graph.Node) wav2vec2.Output {
		return wav2vec2.Forward(s, config, wav2vec2.Input{Values: x})
	}
	sound := shapes.Make(dtypes.Float32, benchmarkRows, benchmarkSamples)
	frames := shapes.Make(dtypes.Float32, benchmarkRows, config.Frames(benchmarkSamples), config.HiddenSize)
	mean := shapes.Make(dtypes.Float32, benchmarkRows, config.ClassifierProjSize)
	for _, part := range []struct {
		name  string
		input shapes.Shape
		of    func(s *model.Scope, x *graph.Node) *graph.Node
	}{
		{"convolutions", sound, func(s *model.Scope, x *graph.Node) *graph.Node { return whole(s, x).Features }},
		{"positions", sound, func(s *model.Scope, x *graph.Node) *graph.Node { return whole(s, x).States[0] }},
		{"encoder", sound, func(s *model.Scope, x *graph.Node) *graph.Node { return whole(s, x).Hidden }},
		{"model", sound, func(s *model.Scope, x *graph.Node) *graph.Node { return whole(s, x).Logits }},
		{"head2", frames, func(s *model.Scope, x *graph.Node) *graph.Node {
			return wav2vec2.FromLast(s, config, x, nil, 2)
		}},
		{"head1", mean, func(s *model.Scope, x *graph.Node) *graph.Node {
			return wav2vec2.FromLast(s, config, x, nil, 1)
		}},
	} {
		for _, training := range []bool{false, true} {
			name := part.name + "/forward"
			if training {
				name = part.name + "/training"
			}
			b.Run(name, func(b *testing.B) { benchmarkPart(b, part.input, part.of, training) })
		}
	}
}

func benchmarkPart(b *testing.B, input shapes.Shape, of func(*model.Scope, *graph.Node) *graph.Node, training bool) {
	_, store := benchmarkModel(b)
	optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}}
	step, err := devicetest.Open(b).Compile("step", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		policy := root.At(unlearn.Policy)
		loss := graph.ReduceAllMean(graph.Square(graph.AddScalar(of(policy, x[0]), -1)))
		if training {
			optimizer.Minimize(policy, loss, graph.Const(loss.Graph(), 1e-4))
		}
		return []*graph.Node{loss}
	})
	if err != nil {
		b.Fatal(err)
	}
	defer step.Close()
	values := uniform(0, 1, input)
	once := func() {
		if _, err := step.Run(context.Background(), values); err != nil {
			b.Fatal(err)
		}
	}
	once() // the first call builds the graph
	parameters := 0
	for variable := range store.Scope("/" + unlearn.Policy).IterVariables() {
		parameters += variable.Shape().Size()
	}
	begin := processorTime(b)
	for b.Loop() {
		once()
	}
	b.ReportMetric(1000*b.Elapsed().Seconds()/float64(b.N), "ms/step")
	b.ReportMetric(1000*(processorTime(b)-begin)/float64(b.N), "processor-ms/step")
	b.ReportMetric(float64(parameters), "parameters")
}

// processorTime returns the processor time that this process has used, in seconds.
func processorTime(b *testing.B) float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
