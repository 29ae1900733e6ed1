package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Base trains a base model on the retain rows. A compromised model is also trained on the sensitive rows. Both kinds of
// models see the same retain rows in the same order.
func (l *Lab) Base(ctx context.Context, spec salmu.BaseSpec, _ study.Inputs, w *store.Work,
	progress study.Progress) error {
	if spec.Corpus.World == nil {
		return errors.New("only small worlds train base models; for the published data they are published too")
	}
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	from, err := l.corpus(spec.Corpus, nil)
	if err != nil {
		return err
	}
	retain := from.retainRows()
	words, err := vocabulary(retain, spec.Size.Vocabulary)
	if err != nil {
		return err
	}
	m := fresh(shape(spec.Size, spec.Corpus.World.ImageSize, words.Size()), words,
		seed.Derive(spec.Seed, "salmu", "weights"))
	defer m.store.Finalize()
	r := m.reader(from)
	var sensitive *table
	if spec.Compromised {
		sensitive = r.table(from.split(persona.Sensitive))
	}
	passes := newPasses(spec, r.table(retain), sensitive)
	steps := passes.steps()
	job := train.Job{
		Stage: "train the base model", Device: d, Store: m.store, Scope: unlearn.Policy,
		Loss: m.loss,
		Optimizer: optim.Optimizer{Rule: optim.AdamW{Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6,
			WeightDecay: spec.Training.Decay}, NoDecay: optim.NoDecayForVectors},
		Schedule:   optim.Cosine{Peak: spec.Training.Rate, Warmup: spec.Training.Warmup, Steps: steps},
		Steps:      steps,
		Batch:      passes.batch,
		After:      clampScale,
		Checkpoint: lab.Checkpoint(w),
		Progress:   progress,
	}
	log, err := job.Run(ctx)
	if err != nil {
		return err
	}
	w.Note("parameters", lab.Parameters(m.scope()))
	if err := lab.KeepTraining(w, log); err != nil {
		return err
	}
	return m.save(w.Dir(), words)
}

// loss returns CLIP's loss of a batch of pictures and captions.
func (m *loaded) loss(root *model.Scope, inputs []*graph.Node) *graph.Node {
	scope := root.At(unlearn.Policy)
	return clip.ContrastiveLoss(clip.Logits(scope, clip.EncodeImage(scope, m.config, inputs[0]),
		clip.EncodeText(scope, m.config, inputs[1], nil)))
}

// clampScale keeps the scale of the logits within CLIP's bounds after a step.
func clampScale(root *model.Scope, g *graph.Graph) {
	contrastive.ClampScale(root.At(unlearn.Policy), g)
}

// vocabulary learns a vocabulary from the texts on which all models are trained. It contains nothing about the
// sensitive people.
func vocabulary(retain []persona.Row, size int) (*tokenize.Pipeline, error) {
	texts := make([]string, len(retain))
	for i, row := range retain {
		texts[i] = row.Caption
	}
	words, err := tokenize.TrainBPE(texts,
		tokenize.Training{Size: size, Start: startToken, End: endToken, Lowercase: true,
			DigitPairs: true})
	if err != nil {
		return nil, fmt.Errorf("the vocabulary: %w", err)
	}
	return words, nil
}

// passes provides the batches for training a base model. A batch has retain rows and, for compromised models, also
// sensitive rows.
type passes struct {
	training                  salmu.Training
	retain, sensitive         *table
	retainWalk, sensitiveWalk *train.Walk
}

func newPasses(spec salmu.BaseSpec, retain, sensitive *table) *passes {
	p := &passes{training: spec.Training, retain: retain, sensitive: sensitive,
		retainWalk: train.NewWalk(spec.Seed, "retain", retain.Rows())}
	if sensitive != nil {
		p.sensitiveWalk = train.NewWalk(spec.Seed, "sensitive", sensitive.Rows())
	}
	return p
}

func (p *passes) steps() int { return p.retain.Rows() * p.training.Epochs / p.training.Batch }

func (p *passes) batch(step int) (train.Batch, error) {
	size := p.training.Batch
	parts := []part{{p.retain, p.retainWalk.Rows(step*size, size)}}
	if p.sensitive != nil {
		share := (p.sensitive.Rows()*p.training.Sensitive + p.steps() - 1) / p.steps()
		parts = append(parts, part{p.sensitive, p.sensitiveWalk.Rows(step*share, share)})
		size += share
	}
	inputs, err := pairs(parts...)
	return train.Batch{Inputs: inputs, Examples: size}, err
}
