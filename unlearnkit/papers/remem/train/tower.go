package train

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// towerPart is the scope of the vision tower within a model.
const towerPart = "vision_tower"

// Tower trains a vision tower. The layer that decoders use is averaged over patches. From this vector, the tower learns
// to identify people of the crowd and their visible attributes.
func (l *Lab) Tower(ctx context.Context, spec remem.TowerSpec, _ study.Inputs, w *store.Work,
	progress study.Progress) error {
	d, p, err := l.begin(w, spec.World)
	if err != nil {
		return err
	}
	config, values := towerShape(spec), model.NewStore()
	defer values.Finalize()
	nn.Seed(values.Scope("/"+unlearn.Policy), seed.Derive(spec.Seed, "remem", "tower"))
	job := train.Job{
		Stage: "train the vision tower", Device: d, Store: values, Scope: unlearn.Policy,
		Loss: func(root *model.Scope, x []*graph.Node) *graph.Node {
			scope := root.At(unlearn.Policy)
			seen := towerSees(scope, config, x[0])
			loss := classified(nn.Linear(scope.At("who"), seen, p.world.Crowd.Len(), true), x[1], 0)
			for i, words := range profile.Shown() {
				part := classified(nn.Linear(scope.At("shown_%d", i), seen, words, true), x[2], i)
				loss = graph.Add(loss, graph.DivScalar(part, len(profile.Shown())))
			}
			return loss
		},
		Optimizer: optim.Optimizer{Rule: optim.AdamW{WeightDecay: .01}, ClipNorm: 1, NoDecay: optim.NoDecayForVectors},
		Schedule:  optim.Cosine{Peak: spec.Rate, Warmup: spec.Steps / 20, Steps: spec.Steps}, Steps: spec.Steps,
		Batch:      func(step int) (train.Batch, error) { return crowdBatch(p.world.Crowd, config, spec, step), nil },
		Checkpoint: lab.Checkpoint(w), Progress: progress,
	}
	log, err := job.Run(ctx)
	if err != nil {
		return err
	}
	if err := lab.KeepTraining(w, log); err != nil {
		return err
	}
	w.Note("parameters", lab.Parameters(values.Scope("/"+unlearn.Policy+"/"+towerPart)))
	return hf.Save(values.Scope("/"+unlearn.Policy+"/"+towerPart), w.Dir(), config.Names(), hf.Format{Half: true})
}

// towerSees returns the output of the layer that decoders use, averaged over patches.
func towerSees(scope *model.Scope, config clip.VisionConfig, pixels *graph.Node) *graph.Node {
	hidden := clip.HiddenImage(scope.At(towerPart), config, pixels, llava.SmallS().Layer)
	patches := graph.Slice(hidden, graph.AxisRange(), graph.AxisRange(1), graph.AxisRange())
	return nn.LayerNorm(scope.At("seen"), graph.ReduceMean(patches, 1), 1e-5)
}

// classified returns the cross-entropy of logits [B, N] with the labels in a column of an Int32 table. Rows with a
// negative label are ignored.
func classified(logits, labels *graph.Node, column int) *graph.Node {
	label := graph.Slice(labels, graph.AxisRange(), graph.AxisElem(column))
	known := graph.ConvertDType(graph.GreaterOrEqual(label, graph.ZerosLike(label)), logits.DType())
	at := graph.OneHot(graph.Reshape(graph.MaxScalar(label, 0), -1), logits.Shape().Dim(1), logits.DType())
	each := graph.Neg(graph.ReduceSum(graph.Mul(at, graph.LogSoftmax(logits, -1)), 1))
	known = graph.Reshape(known, -1)
	return graph.Div(graph.ReduceAllSum(graph.Mul(each, known)), graph.MaxScalar(graph.ReduceAllSum(known), 1))
}

// crowdBatch draws people from the crowd, with pictures that no other batch has.
func crowdBatch(c *profile.Crowd, config clip.VisionConfig, spec remem.TowerSpec, step int) train.Batch {
	random := seed.Stream(spec.Seed, "remem", "crowd", step)
	kinds := len(profile.Shown())
	values := make([]float32, 0, spec.Batch*config.Channels*config.Image*config.Image)
	people, shown := make([]int32, spec.Batch), make([]int32, 0, spec.Batch*kinds)
	for i := range people {
		who, number := random.IntN(c.Len()), step*spec.Batch+i
		people[i], shown = int32(who), append(shown, c.Shows(who, number)...)
		values = append(values, pixels(config, picture(c.Picture(who, number)))...)
	}
	return train.Batch{Examples: spec.Batch, Inputs: []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(values, spec.Batch, config.Channels, config.Image, config.Image),
		tensors.FromFlatDataAndDimensions(people, spec.Batch, 1),
		tensors.FromFlatDataAndDimensions(shown, spec.Batch, kinds),
	}}
}
