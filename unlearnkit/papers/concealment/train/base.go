package train

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// Base trains an original or a gold model. All models with the same seed have the same initial weights.
func (l *Lab) Base(ctx context.Context, spec concealment.BaseSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	world, err := open(spec.World)
	if err != nil {
		return err
	}
	p, err := fresh(d, spec.Network, spec.World.ImageSize, seed.Derive(spec.Seed, "concealment", "weights"))
	if err != nil {
		return err
	}
	defer p.store.Finalize()
	job := p.lessons(spec, world)
	job.Checkpoint, job.Progress = lab.Checkpoint(w), progress
	looks := lab.Looks{Work: w, File: concealment.LookFile}
	if len(spec.Looks) > 0 {
		watcher, err := p.watcher(spec, in.Of(spec.Judge))
		if err != nil {
			return err
		}
		defer watcher.close()
		looks.Make = watcher.look
		job.Snapshots = spec.Looks
		job.Snapshot = func(ctx context.Context, steps int) error {
			return job.Optimizer.Averaged(p.store, func() error { return looks.At(ctx, steps) })
		}
	}
	log, err := job.Run(ctx)
	if err != nil {
		return err
	}
	if err := job.Optimizer.SwapAverage(p.store); err != nil {
		return err
	}
	w.Note("parameters", p.count())
	w.Note("pictures", len(world.Pictures(concept.Train)))
	if err := lab.KeepTraining(w, log); err != nil {
		return err
	}
	if err := looks.Keep(spec.Looks...); err != nil {
		return err
	}
	if spec.Discarded {
		return nil
	}
	return p.save(w.Dir())
}

// lessons returns the training job of a diffusion model. The loss is the mean squared error of the network's output,
// for noisy pictures and their captions.
func (p *painter) lessons(spec concealment.BaseSpec, world *concept.World) train.Job {
	t := spec.Training
	pictures := world.Pictures(concept.Train)
	bands := latents(spec.Network)
	size := spec.World.ImageSize
	originals := rendered(world, concept.Train, func(picture []float32) []float32 {
		return bands.Encode(picture, channels, size, size)
	})
	walk := train.NewWalk(spec.Seed, "pictures", len(pictures))
	edge := p.Model.UNet.SampleSize
	return train.Job{
		Stage: "train the diffusion model", Device: p.Device, Store: p.store, Scope: unlearn.Policy,
		Loss: func(root *model.Scope, in []*graph.Node) *graph.Node {
			scope := root.At(unlearn.Policy)
			hidden := graph.StopGradient(p.Text(scope.At("text_encoder"), in[3])) // random word vectors suffice
			return p.Model.Loss(scope.At("unet"), in[0], in[1], in[2], hidden)
		},
		Optimizer: optim.Optimizer{
			Rule: optim.AdamW{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, WeightDecay: t.Decay}, ClipNorm: t.Clip,
			Average: t.Average,
		},
		Schedule: optim.Cosine{Peak: t.Rate, Warmup: t.Warmup, Steps: t.Steps},
		Steps:    t.Steps,
		Batch: func(step int) (train.Batch, error) {
			rows := walk.Rows(step*t.Batch, t.Batch)
			prompts := make([]string, len(rows))
			for i, row := range rows {
				prompts[i] = world.Caption(pictures[row], step*t.Batch/len(pictures))
			}
			diffusion.DropPrompts(prompts, "", t.Dropped, seed.Stream(spec.Seed, "concealment", "dropped", step))
			ids, err := tokens(prompts...)
			if err != nil {
				return train.Batch{}, err
			}
			noise, timesteps := p.Model.Draw(spec.Seed, step, dtypes.Float32, len(rows), edge, edge)
			return train.Batch{Examples: len(rows), Inputs: []*tensors.Tensor{
				tensors.FromFlatDataAndDimensions(originals.Rows(rows), len(rows), p.Model.UNet.In, edge, edge), noise,
				timesteps,
				tensors.FromFlatDataAndDimensions(ids, len(rows), concept.ContextLength),
			}}, nil
		},
	}
}

// watcher lets a judge label a model's pictures during training.
type watcher struct {
	of     *painter
	spec   concealment.BaseSpec
	judge  *judge
	artist *artist // nil before the first look
}

func (p *painter) watcher(spec concealment.BaseSpec, judge *store.Artifact) (*watcher, error) {
	j, err := loadJudge(p.Device, judge.Dir, spec.World.ImageSize)
	return &watcher{of: p, spec: spec, judge: j}, err
}

func (w *watcher) close() {
	if w.artist != nil {
		w.artist.close()
	}
	w.judge.close()
}

// look draws pictures and writes the judge's labels to a file.
func (w *watcher) look(ctx context.Context, path string) (err error) {
	if w.artist == nil {
		if w.artist, err = w.of.artist(); err != nil {
			return err
		}
	}
	asked := ask(concept.GatePrompts(), w.spec.Each)
	all, err := w.artist.look(ctx, w.judge, asked, w.spec.Sampling, func(number int) uint64 {
		return concept.NoiseSeed(w.spec.Seed, concept.ForLooks, number)
	}, nil)
	if err != nil {
		return err
	}
	return all.WriteParquet(path)
}
