package classifying_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// commands returns German commands of two speakers as a stream, and the number of intents among them.
func commands(samples int) (unlearn.Table, int, error) {
	config := speech.German(1)
	config.TrainSpeakers, config.LabelNoise = 2, 0
	set, err := speech.Make(config)
	if err != nil {
		return nil, 0, err
	}
	var values []float32
	var labels []int32
	for _, utterance := range set.Train {
		sound, err := set.Samples(utterance)
		if err != nil {
			return nil, 0, err
		}
		values = append(values, preprocess.Standardize(preprocess.FitLength(sound, samples), samples)...)
		labels = append(labels, int32(utterance.Label))
	}
	return unlearn.Table{classifying.Input: tensors.FromFlatDataAndDimensions(values, len(labels), samples),
		classifying.Label: tensors.FromFlatDataAndDimensions(labels, len(labels))}, len(set.Intents), nil
}

// meanLoss returns the mean loss of some steps.
func meanLoss(steps train.Log) float64 {
	sum := 0.
	for _, step := range steps {
		sum += step.Loss / float64(len(steps))
	}
	return sum
}

// Even an untrained encoder keeps enough of a command for a head to learn from. The encoder runs once for each of 120
// clips, and the head then takes 400 steps.
func ExampleHead() {
	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	const samples = 6000
	clips, intents, err := commands(samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	config := wav2vec2.SmallGroup()
	config.NumLabels = intents
	store := model.NewStore()
	nn.Seed(store.RootScope().At(unlearn.Policy), 1)
	_, err = d.Trace("a new model", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{wav2vec2.Forward(root.At(unlearn.Policy), config, wav2vec2.Input{Values: x[0]}).Logits}
	}, shapes.Make(dtypes.Float32, 1, samples))
	if err != nil {
		fmt.Println(err)
		return
	}
	head := classifying.Head{Device: d, Store: store, Parts: 2, Passes: 100, Batch: 30, Rate: 0.02, Seed: 1}
	log, err := head.Train(context.Background(),
		classifying.Wav2Vec2(config, unlearn.Streams{unlearn.Retain: clips}))
	if err != nil {
		fmt.Println(err)
		return
	}
	pass := len(log) / head.Passes
	fmt.Printf("%d clips of %d intents, %d steps\n", clips.Rows(), intents, len(log))
	fmt.Printf("loss of the first pass %.1f, of the last %.1f\n", meanLoss(log[:pass]), meanLoss(log[len(log)-pass:]))
	// Output:
	// 120 clips of 12 intents, 400 steps
	// loss of the first pass 2.5, of the last 1.7
}

func TestHead_TrainedAlone(t *testing.T) {
	unlearntest.Watch(t)
	j := newSpeechJob(t, classifying.CFk(), 1)
	before := unlearntest.Contents(t, j.Store, unlearn.Policy)
	told := 0
	head := classifying.Head{Device: j.Device, Store: j.Store, Parts: 2, Passes: 50, Batch: 4, Rate: 0.02, Seed: 1,
		Progress: func(done, steps int) { told = done * 1000 / steps }}
	log, err := head.Train(t.Context(), j.Task)
	if err != nil {
		t.Fatal(err)
	}
	if first, last := meanLoss(log[:4]), meanLoss(log[196:]); len(log) != 200 || told != 1000 || !(last < 0.6*first) {
		t.Errorf("in %d steps, of which %d thousandths are told, the loss goes from %g to %g", len(log), told, first,
			last)
	}
	for _, name := range unlearntest.Differing(before, unlearntest.Contents(t, j.Store, unlearn.Policy)) {
		if !wav2vec2.Head(name) {
			t.Errorf("%s has moved", name)
		}
	}
}

func TestHead_Refused(t *testing.T) {
	unlearntest.Watch(t)
	j := newSpeechJob(t, classifying.CFk(), 1)
	for _, test := range []struct {
		change func(h *classifying.Head)
		says   string
	}{
		{func(h *classifying.Head) { h.Parts = 0 }, `"layers" is 0`},
		{func(h *classifying.Head) { h.Parts = 4 }, `the setting "layers" is 4: the model has the 3 parts wav2vec2, `},
		{func(h *classifying.Head) { h.Batch = 0 }, `"batch" is 0`},
		{func(h *classifying.Head) { h.Rate = 0 }, `"rate" is 0`},
		{func(h *classifying.Head) { h.Passes = 0 }, "0"},
	} {
		head := classifying.Head{Device: j.Device, Store: j.Store, Parts: 1, Passes: 1, Batch: 4, Rate: 1}
		test.change(&head)
		if _, err := head.Train(t.Context(), j.Task); err == nil || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v\nwant one line with %s", err, test.says)
		}
	}
}
