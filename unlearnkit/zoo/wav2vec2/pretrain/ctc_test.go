package pretrain_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

func TestCTC_EqualsTransformers(t *testing.T) {
	alphabet, err := pretrain.NewAlphabet("abcde")
	if err != nil {
		t.Fatal(err)
	}
	each(t, "ctc", func(f fixture) (loss, []any) {
		frames := []int32{}
		for _, samples := range []int{403, 251, 322} {
			frames = append(frames, int32(f.config.Frames(samples)))
		}
		inputs := append(f.sound(true), tensors.FromValue(frames), f.reference.Tensor("labels", dtypes.Int32))
		return func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			in, rest := input(x, true)
			c := pretrain.CTC{Alphabet: alphabet, Mean: true}
			logits := c.Logits(scope, f.config, in)
			mean := c.Loss(logits, rest[0], rest[1])
			c.Mean = false
			return []*graph.Node{mean, c.Loss(logits, rest[0], rest[1]), logits}
		}, inputs
	}, func(t *testing.T, f fixture, of loss, inputs []any) {
		f.compare(t, of, inputs, "loss", "summed", "logits")
	})
}

// There are sixty frames and texts of up to twenty letters, of which one just fits.
func TestCTC_LongTextsEqualTorch(t *testing.T) {
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		f := open(t, "ctc", dtype)
		outputs := paritytest.Compute(t, f.device, f.store, func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			losses := pretrain.CTCLosses(x[0], x[1], x[2])
			return []*graph.Node{losses, graph.Gradient(graph.ReduceAllSum(losses), x[0])[0]}
		}, f.reference.Tensor("long.logits", dtype), f.reference.Tensor("long.frames", dtypes.Int32),
			f.reference.Tensor("long.labels", dtypes.Int32))
		f.reference.Compare("long.losses", outputs[0], f.tolerance(1e-5), 0)
		f.reference.Compare("long.gradient", outputs[1], f.tolerance(1e-4), 0)
	}
}

// The probability is the sum over all spellings, of which there are few for a short clip.
func TestCTC_SumOverSpellings(t *testing.T) {
	const frames, letters = 4, 3
	alphabet, err := pretrain.NewAlphabet("ab")
	if err != nil {
		t.Fatal(err)
	}
	logits := [][]float64{{0.3, -1, 2}, {1, 0.2, 0.1}, {-0.5, 0.4, 0}, {0, 0, 1}}
	sums := map[string]float64{}
	for way := range 81 {
		probability, numbers := 1., make([]int32, frames)
		for frame, row := range logits {
			numbers[frame] = int32(way / int(math.Pow(letters, float64(frame))) % letters)
			total := 0.
			for _, logit := range row {
				total += math.Exp(logit)
			}
			probability *= math.Exp(row[numbers[frame]]) / total
		}
		sums[alphabet.Decode(numbers)] += probability
	}
	var rows [][][]float64
	var texts []string
	var labels [][]int32
	for text := range sums {
		numbers, err := alphabet.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		for len(numbers) < 5 {
			numbers = append(numbers, -1)
		}
		rows, texts, labels = append(rows, logits), append(texts, text), append(labels, numbers)
	}
	if len(texts) < 10 {
		t.Errorf("only %d texts were spelled", len(texts))
	}
	own := slices.Repeat([]int32{frames}, len(texts))
	outputs := paritytest.Compute(t, devicetest.Open(t), model.NewStore(),
		func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			return []*graph.Node{pretrain.CTCLosses(x[0], x[1], x[2])}
		}, rows, own, labels)
	for i, got := range paritytest.Values(outputs[0]) {
		if want := -math.Log(sums[texts[i]]); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: the loss is %g, the sum over its spellings gives %g", texts[i], got, want)
		}
	}
}

func TestCTC_WithoutRoom(t *testing.T) {
	d := devicetest.Open(t)
	outputs := paritytest.Compute(t, d, model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
		losses := pretrain.CTCLosses(x[0], x[1], x[2])
		return []*graph.Node{losses, graph.Gradient(graph.ReduceAllSum(losses), x[0])[0]}
	}, [][][]float64{{{1, 2}, {0, 1}, {1, 1}}, {{1, 2}, {0, 1}, {1, 1}}}, []int32{2, 3}, [][]int32{{1, 1}, {1, 1}})
	values := paritytest.Values(outputs[0])
	if !math.IsInf(values[0], 1) || math.IsInf(values[1], 0) || math.IsNaN(values[1]) {
		t.Errorf("the losses are %v: two equal letters take three frames", values)
	}
	for i, gradient := range paritytest.Values(outputs[1]) {
		if math.IsNaN(gradient) || i < 6 && gradient != 0 {
			t.Errorf("gradient %d is %g", i, gradient)
		}
	}
}

// If all letters are equally likely, the loss depends on the number of spellings, which is C(frames + letters,
// 2·letters) for a text without equal neighbours.
func TestCTC_HundredFrames(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, d *device.Device) {
		const clips, frames, letters, size = 4, 100, 25, 30
		labels := make([]int32, clips*letters)
		for i := range labels {
			labels[i] = int32(1 + i%(size-1))
		}
		outputs := paritytest.Compute(t, d, model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			return []*graph.Node{pretrain.CTCLosses(x[0], x[1], x[2])}
		}, tensors.FromFlatDataAndDimensions(make([]float64, clips*frames*size), clips, frames, size),
			slices.Repeat([]int32{frames}, clips), tensors.FromFlatDataAndDimensions(labels, clips, letters))
		factorial := func(n float64) float64 { value, _ := math.Lgamma(n + 1); return value }
		ways := factorial(frames+letters) - factorial(2*letters) - factorial(frames-letters)
		for clip, got := range paritytest.Values(outputs[0]) {
			if want := frames*math.Log(size) - ways; math.Abs(got-want) > 1e-9 {
				t.Errorf("the loss of clip %d is %g, want %g", clip, got, want)
			}
		}
	})
}
