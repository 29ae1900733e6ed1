package train

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// paperIntents is the number of intents of SLURP, the largest set.
const paperIntents = 69

// Steps returns the training steps of the paper preset: for each architecture the largest batch of its benchmarks.
func Steps() []lab.Step {
	everything := unslu.Download{Data: map[speechfolder.Kind]string{}, Models: map[string]string{}}
	for _, kind := range speechfolder.Kinds {
		everything.Data[kind] = "given"
	}
	for _, name := range unslu.Models {
		everything.Models[name] = "given"
	}
	configs := map[string]wav2vec2.Config{unslu.Wav2Vec2Base: wav2vec2.Base(), unslu.XLSR128: wav2vec2.XLSR300M()}
	var steps []lab.Step
	for _, b := range unslu.Paper(everything).Benchmarks {
		c, first := configs[b.Backbone]
		if !first {
			continue
		}
		delete(configs, b.Backbone)
		c.NumLabels = paperIntents
		steps = append(steps, teachingStep(c, b.Backbone, b.Training))
		for _, m := range b.Methods {
			steps = append(steps, methodStep(c, b.Backbone, m.Name))
		}
	}
	return steps
}

// zeros returns the given number of silent clips.
func zeros(rows int) unlearn.Table {
	return unlearn.Table{classifying.Input: lab.Zeros(dtypes.Float32, rows, unslu.PaperSamples),
		classifying.Label: lab.Zeros(dtypes.Int32, rows)}
}

func teachingStep(c wav2vec2.Config, backbone string, training unslu.Training) lab.Step {
	return lab.Step{Stage: unslu.Base.Name, Name: "trained", Model: backbone, Rows: training.Batch,
		Costs: func(_ context.Context, d *device.Device) ([]unlearn.PhaseCost, error) {
			store := model.NewStore()
			defer store.Finalize()
			m := &loaded{c, unslu.PaperSamples, store, unlearn.Policy}
			rows := make([]int, training.Batch)
			job := m.learning(d, training, 1, zeros(training.Batch), func(int) []int { return rows })
			cost, err := job.Cost()
			return []unlearn.PhaseCost{{Cost: cost}}, err
		}}
}

func methodStep(c wav2vec2.Config, backbone, name string) lab.Step {
	method, rows := lab.MethodOf(classifying.Methods(), name)
	return lab.Step{Stage: unslu.Unlearned.Name, Name: name, Model: backbone, Rows: rows,
		Costs: func(ctx context.Context, d *device.Device) ([]unlearn.PhaseCost, error) {
			store := model.NewStore()
			defer store.Finalize()
			streams := unlearn.Streams{unlearn.Forget: zeros(rows), unlearn.Retain: zeros(rows)}
			return classifying.Job{Device: d, Store: store, Task: classifying.Wav2Vec2(c, streams), Method: method,
				Budgets: []int{1}}.Costs(ctx)
		}}
}
