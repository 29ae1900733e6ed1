package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Base trains a backbone to recognise intents. Originals use all training clips; gold models leave out the clips of the
// forget speakers. Original and gold model have the same initial weights and the same rule for the learning rate. The
// epochs at which the rate falls and the training ends depend on each model's validation accuracy.
func (l *Lab) Base(ctx context.Context, spec unslu.BaseSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	d, c, m, err := l.begin(w, spec.Corpus, in.Of(spec.Backbone))
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	if err := m.addHead(d, c.intents, headRoot(spec.Seed)); err != nil {
		return err
	}
	clips := c.train
	if spec.Gold {
		clips = c.retain
	}
	j, err := newJudge(d, m, c)
	if err != nil {
		return err
	}
	defer j.close()
	time := newClock()
	teaching, err := newSchedule(spec.Training, clips, spec.Seed, filepath.Join(w.Resume(), "course.json"))
	if err != nil {
		return err
	}
	job := m.learning(d, spec.Training, spec.Seed, clips, teaching.rows)
	job.Schedule, job.Steps = teaching, teaching.steps
	job.Snapshots, job.Snapshot = teaching.ends(), func(ctx context.Context, steps int) error {
		defer time.pause()
		return teaching.look(ctx, steps, j)
	}
	job.Checkpoint, job.CheckpointEvery = lab.Checkpoint(w), checkpointEvery(spec.Corpus)
	job.Progress = time.progress(progress)
	log, err := job.Run(ctx)
	if err != nil && !errors.Is(err, errLearnt) {
		return err
	}
	w.Note("parameters", lab.Parameters(m.scope()))
	w.Note("epochs", len(teaching.Epochs))
	if err := lab.KeepTraining(w, log); err != nil {
		return err
	}
	if err := safefile.WriteRows(w.Path(unslu.EpochsFile), teaching.Epochs); err != nil {
		return err
	}
	cost := unslu.Cost{Seconds: time.seconds(), Passes: 3 * float64(len(log)*spec.Training.Batch)}
	if err := cost.WriteParquet(w.Path(unslu.CostFile)); err != nil {
		return err
	}
	if spec.Corpus.Published() {
		return m.saveWhole(w.Dir())
	}
	return m.save(w.Dir())
}

// learning returns the training of a model on intents, without its schedule. rows returns the rows of a step.
func (m *loaded) learning(d *device.Device, training unslu.Training, root uint64, clips unlearn.Stream,
	rows func(step int) []int) train.Job {
	return train.Job{
		Stage: "train on intents", Device: d, Store: m.store, Scope: unlearn.Policy,
		Loss: func(root *model.Scope, x []*graph.Node) *graph.Node {
			sites := m.config.Sites(training.Batch, m.samples)
			out := wav2vec2.Forward(root.At(unlearn.Policy), m.config, wav2vec2.Input{Values: x[0],
				Noise: wav2vec2.Named(sites, x[2:])})
			return graph.ReduceAllMean(crossEntropy(out.Logits, x[1]))
		},
		Optimizer: optim.Optimizer{Rule: optim.AdamW{WeightDecay: training.Decay}, NoDecay: optim.NoDecayForVectors},
		Batch: func(step int) (train.Batch, error) {
			columns, err := clips.Batch(rows(step))
			noise := m.config.Draw(seed.Stream(root, "unslu", "noise", step), training.Batch, m.samples, nil)
			return train.Batch{Inputs: append(columns, noise...), Examples: training.Batch}, err
		},
	}
}

// errLearnt ends a training before its last epoch.
var errLearnt = errors.New("the validation accuracy rises no more")

// schedule is the schedule of a training. After a warm-up, the rate is divided by ten whenever the validation accuracy
// stops rising. The validation loss is not used, because its minimum comes too early: a model that memorises clips
// becomes ever more certain, even of its errors. The rate depends only on the accuracies after earlier epochs. They are
// stored, so that a training that resumes from a checkpoint has the same rates.
type schedule struct {
	Epochs []unslu.Epoch `json:"epochs"`

	training unslu.Training
	walk     *train.Walk
	perEpoch int
	steps    int // total number of steps
	path     string
}

func newSchedule(training unslu.Training, clips *table, root uint64, path string) (*schedule, error) {
	c := &schedule{training: training, walk: train.NewWalk(root, "clips", clips.Rows()),
		perEpoch: max(1, clips.Rows()/training.Batch), path: path}
	if c.steps = training.Steps; c.steps == 0 {
		c.steps = c.perEpoch * training.Epochs
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		return nil, fmt.Errorf("read how far the training is: %w", err)
	}
	return c, nil
}

func (c *schedule) rows(step int) []int { return c.walk.Rows(step*c.training.Batch, c.training.Batch) }

// ends returns the number of steps at the end of each epoch. The last epoch may be shorter.
func (c *schedule) ends() (all []int) {
	for steps := c.perEpoch; steps < c.steps; steps += c.perEpoch {
		all = append(all, steps)
	}
	return append(all, c.steps)
}

// Rate implements [optim.Schedule].
func (c *schedule) Rate(step int) float64 {
	plateau := optim.Plateau{Initial: c.training.Rate, Patience: c.training.Patience, Maximize: true}
	if c.training.Patience > 0 {
		for _, e := range c.Epochs[:min(len(c.Epochs), step/c.perEpoch)] {
			plateau.Observe(e.Accuracy)
		}
	}
	warmup := int(c.training.Warmup * float64(c.steps))
	return optim.LinearWarmup{Peak: plateau.Rate(0), Warmup: warmup}.Rate(step)
}

// look evaluates the model after an epoch. It ends the training if the accuracy has stopped rising.
func (c *schedule) look(ctx context.Context, steps int, j *judge) error {
	number := slices.Index(c.ends(), steps) + 1
	if number > len(c.Epochs) {
		scores, err := j.table(ctx, unslu.Validation, j.clips.validation)
		if err != nil {
			return err
		}
		e := unslu.Epoch{Number: number, Rate: c.Rate(steps - 1)}
		for _, s := range scores {
			e.Loss += s.Loss / float64(len(scores))
			if s.Predicted == s.Label {
				e.Accuracy += 1 / float64(len(scores))
			}
		}
		c.Epochs = append(c.Epochs, e)
		text, err := json.Marshal(c)
		if err == nil {
			err = safefile.WriteFile(c.path, func(file io.Writer) error {
				_, err := file.Write(text)
				return err
			})
		}
		if err != nil {
			return err
		}
	}
	if c.learnt(number) {
		return errLearnt
	}
	return nil
}

// learnt reports whether the accuracy has not risen for training.Stop epochs by the end of an epoch.
func (c *schedule) learnt(number int) bool {
	if c.training.Stop == 0 || number < c.training.Stop {
		return false
	}
	best := 0
	for i, e := range c.Epochs[:number] {
		if e.Accuracy > c.Epochs[best].Accuracy {
			best = i
		}
	}
	return number-1-best >= c.training.Stop
}
