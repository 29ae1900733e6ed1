package train

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

// Base trains the projector and the decoder on questions about the public people, in all wordings, and on
// multiple-choice questions.
func (l *Lab) Base(ctx context.Context, spec remem.BaseSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	tower := in.Of(spec.Tower)
	d, p, err := l.begin(w, spec.World)
	if err != nil {
		return err
	}
	questions, err := p.common(spec)
	if err != nil {
		return err
	}
	words, err := vocabulary(questions, spec.Vocabulary)
	if err != nil {
		return err
	}
	towerSpec, err := specOf[remem.TowerSpec](tower)
	if err != nil {
		return err
	}
	mark, _ := words.ID(language.ImageMark)
	config := shape(towerShape(towerSpec), spec.Size, words, mark)
	m, err := newLoaded(d, config, language.NewWords(words, config))
	if err != nil {
		return err
	}
	m.tokenizer = words.JSON()
	defer m.store.Finalize()
	nn.Seed(m.scope(), seed.Derive(spec.Seed, "remem", "base"))
	if err := m.trace(); err != nil {
		return err
	}
	if err := lab.Load(m.scope().At(towerPart), tower.Dir, m.config.Vision.Names()); err != nil {
		return err
	}
	err = l.learn(ctx, m, lesson{questions: questions, method: withoutTower(answering.Finetuning()),
		values: unlearn.Values{"rate": spec.Rate, "batch": float64(spec.Batch), "whole": 1, "warmup": .05},
		epochs: spec.Epochs, seed: spec.Seed}, w, progress)
	if err != nil {
		return err
	}
	w.Note("parameters", lab.Parameters(m.scope()))
	return m.save(w.Dir(), true)
}

// specOf returns the spec of the run that wrote an artifact.
func specOf[S any](artifact *store.Artifact) (spec S, err error) {
	return spec, json.Unmarshal(artifact.Manifest.Spec, &spec)
}

// lesson holds the questions and the settings of one training.
type lesson struct {
	questions []question
	method    answering.Method
	values    unlearn.Values
	epochs    int
	seed      uint64
}

// learn trains a model on questions with answers.
func (l *Lab) learn(ctx context.Context, m *loaded, of lesson, w *store.Work, progress study.Progress) error {
	records, err := m.records(of.questions)
	if err != nil {
		return err
	}
	task, err := answering.NewTask(answering.LLaVA(m.config), answering.Data{Retain: records, Pad: m.text.padding})
	if err != nil {
		return err
	}
	return lab.Run(ctx, answering.Job{Device: m.device, Store: m.store, Task: task, Method: of.method,
		Values: of.values, Budgets: []int{of.epochs}, Snapshot: unseen, Seed: of.seed, Progress: progress}, w)
}

// unseen is a snapshot callback that does nothing. It is for trainings whose intermediate models are not judged.
func unseen(context.Context, int) error { return nil }

// heldOut reports whether a question about a public person is held out to test the base model. A quarter of the
// questions outside training are held out.
func heldOut(r profile.Record) bool {
	hash := fnv.New32a()
	hash.Write([]byte(r.ID))
	return r.Split != profile.Train && hash.Sum32()%4 == 0
}

// common returns the questions on which base models are trained. They are about the public people in all wordings,
// about pictures with four answers to choose from, and about strangers. Questions of heldOut are left out.
func (p *people) common(spec remem.BaseSpec) ([]question, error) {
	var records []profile.Record
	for _, r := range p.world.Public.Records {
		if !heldOut(r) {
			records = append(records, r)
		}
	}
	all := groupOf(p.world.Public).questions("public", records)
	chosen, err := p.choices(profile.Train, spec.Choices)
	if err != nil || spec.Refusals == 0 {
		return append(all, chosen...), err
	}
	refused, err := p.unknown(profile.Train, spec.Refusals)
	return slices.Concat(all, chosen, refused), err
}
