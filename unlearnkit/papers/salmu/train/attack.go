package train

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Forget runs a method on a base model and keeps the model. A model that diverges is not kept.
func (l *Lab) Forget(ctx context.Context, spec salmu.UnlearnedSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	if len(spec.Budgets) != 1 {
		return fmt.Errorf("a model is kept at one budget, not at %d", len(spec.Budgets))
	}
	c, job, err := l.unlearning(spec, in, w)
	if err != nil {
		return err
	}
	defer c.close()
	words, is := c.loaded.words.(*tokenize.Pipeline)
	if !is {
		return errors.New("only models of generated data are kept")
	}
	job.Progress = progress
	job.Snapshot = func(context.Context, int) error { return c.loaded.save(w.Dir(), words) }
	err = lab.Run(ctx, job, w)
	if errors.Is(err, train.ErrDiverged) {
		w.Note("warning", err.Error())
		return nil
	}
	return err
}

// Attack attacks a model and writes the scores of the probes before the attack and at each budget.
func (l *Lab) Attack(ctx context.Context, spec salmu.AttackedSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	under := in.Of(spec.Model)
	if !under.Has(lab.WeightsFile) {
		w.Note("warning", "the model diverged")
		return nil
	}
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	from, err := l.corpus(spec.Corpus, nil)
	if err != nil {
		return err
	}
	m, err := l.load(d, under)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	e, err := newEmbedder(d, m.config, m.store)
	if err != nil {
		return err
	}
	defer e.close()
	a := &attackRun{loaded: m, embedder: e, asked: newProbes(m.reader(from), spec.Each)}
	if a.lessons, err = lessonsOf(from, spec.Lessons, a.asked.rows); err != nil {
		return err
	}
	if err := a.look(ctx, 0, asIs); err != nil {
		return err
	}
	switch spec.Attack {
	case salmu.Relearning:
		err = a.relearn(ctx, spec, train.Job{Device: d, Progress: progress})
	case salmu.Alignment:
		err = a.align(ctx, spec)
	default:
		err = fmt.Errorf("there is no attack %q", spec.Attack)
	}
	if errors.Is(err, train.ErrDiverged) {
		w.Note("warning", err.Error())
		err = nil
	}
	if err != nil {
		return err
	}
	w.Note("lessons", len(a.lessons))
	return salmu.WriteAttack(w.Path(salmu.AttackFile), a.scores)
}

// attackRun is an attack on one model.
type attackRun struct {
	*loaded
	*embedder
	asked   *probes
	lessons []persona.Row
	scores  []salmu.AttackScore
}

// relearn trains the model on the lessons.
func (a *attackRun) relearn(ctx context.Context, spec salmu.AttackedSpec, job train.Job) error {
	t := a.asked.reader.table(a.lessons)
	walk := train.NewWalk(spec.Seed, "lessons", t.Rows())
	job.Stage, job.Store, job.Scope, job.Loss, job.After = "relearn", a.store, unlearn.Policy, a.loss, clampScale
	job.Optimizer = optim.Optimizer{Rule: optim.AdamW{WeightDecay: .01}}
	job.Schedule = optim.Constant(spec.Rate)
	job.Steps = spec.Budgets[len(spec.Budgets)-1]
	job.Batch = func(step int) (train.Batch, error) {
		inputs, err := pairs(part{t, walk.Rows(step*spec.Batch, spec.Batch)})
		return train.Batch{Inputs: inputs, Examples: spec.Batch}, err
	}
	job.Snapshots = spec.Budgets
	job.Snapshot = func(ctx context.Context, steps int) error { return a.look(ctx, steps, asIs) }
	_, err := job.Run(ctx)
	return err
}

// align fits a linear map from pictures to captions on the first lessons of a random order, as many as the budget.
func (a *attackRun) align(ctx context.Context, spec salmu.AttackedSpec) error {
	order := seed.Stream(spec.Seed, "lessons").Perm(len(a.lessons))
	most := spec.Budgets[len(spec.Budgets)-1]
	if most > len(order) {
		return fmt.Errorf("%d pairs to fit a map on, of %d lessons", most, len(order))
	}
	chosen := make([]persona.Row, most)
	for i := range chosen {
		chosen[i] = a.lessons[order[i]]
	}
	pictures, captions, err := a.table(ctx, a.asked.reader.table(chosen))
	if err != nil {
		return err
	}
	fit := orthogonal
	if spec.Lessons == salmu.OfRetained {
		fit = ridge
	}
	for _, count := range spec.Budgets {
		read, err := fit(firstRows(pictures, count), firstRows(captions, count))
		if err != nil {
			return err
		}
		if err := a.look(ctx, count, read); err != nil {
			return err
		}
	}
	return nil
}

// look scores the probes, and objects if the model itself is read. Retrieval reads the embeddings through a map.
func (a *attackRun) look(ctx context.Context, budget int, read reading) error {
	p := a.asked
	pictures, captions, err := a.table(ctx, p.pairs)
	if err != nil {
		return err
	}
	gallery, err := a.embedder.words(ctx, p.gallery)
	if err != nil {
		return err
	}
	swapped, err := a.embedder.words(ctx, p.swapped)
	if err != nil {
		return err
	}
	pictures, captions = read.pictures(pictures), read.captions(captions)
	gallery, swapped = read.captions(gallery), read.captions(swapped)
	ranks := metric.RetFail(pictures, captions, gallery).Ranks
	for i, row := range p.rows {
		score := salmu.NewAttackScore(budget, row.ID, salmu.Probe, row.Identity)
		score.Rank = float64(ranks[i])
		if at := p.swaps[i]; at >= 0 {
			own := metric.RetFail(metric.Subset(pictures, []int{i}), metric.Subset(captions, []int{i}),
				metric.Subset(swapped, []int{at, at + 1, at + 2}))
			score.Swap = oneIf(own.Ranks[0] == 1)
		}
		a.scores = append(a.scores, score)
	}
	if read.mapped {
		return nil
	}
	var objects salmu.Scores
	if err := p.judgeObjects(ctx, a.embedder, &objects); err != nil {
		return err
	}
	a.scores = append(a.scores, byClass(budget, objects)...)
	return nil
}

// byClass returns a score for each class of objects: the share of its pictures that is recognised.
func byClass(budget int, objects salmu.Scores) (scores []salmu.AttackScore) {
	right, of := map[int]float64{}, map[int]float64{}
	for _, object := range objects {
		right[object.Identity] += object.Right
		of[object.Identity]++
	}
	for _, class := range slices.Sorted(maps.Keys(of)) {
		score := salmu.NewAttackScore(budget, persona.ObjectNames(class + 1)[class], salmu.Objects, class)
		score.Right = right[class] / of[class]
		scores = append(scores, score)
	}
	return scores
}

// probes holds the rows that ask for forgotten facts.
type probes struct {
	*examples
	reader  reader
	rows    []persona.Row
	pairs   *table
	swapped []int32 // token IDs of captions with another person's value, three for each row that has them
	swaps   []int   // index of the first of a row's three captions; -1 for none
}

// copies is the number of captions with another person's value.
const copies = 3

// newProbes returns the probes of a world: the forgotten rows of every second attribute of each person.
func newProbes(r reader, each int) *probes {
	p := &probes{examples: newExamples(r, each), reader: r}
	values := map[string][]string{} // distinct values by attribute
	for _, at := range p.forget {
		row := p.sensitive[at]
		if !slices.Contains(values[row.Attribute], row.Value) {
			values[row.Attribute] = append(values[row.Attribute], row.Value)
		}
		if isProbe(r.corpus, row) {
			p.rows = append(p.rows, row)
		}
	}
	p.pairs = r.table(p.rows)
	var texts []string
	for _, row := range p.rows {
		others := slices.DeleteFunc(slices.Clone(values[row.Attribute]), func(v string) bool { return v == row.Value })
		if len(others) < copies || !strings.Contains(row.Caption, row.Value) {
			p.swaps = append(p.swaps, -1)
			continue
		}
		p.swaps = append(p.swaps, len(texts))
		for _, at := range seed.Stream(r.corpus.root(), "salmu", "swap", row.ID).Perm(len(others))[:copies] {
			texts = append(texts, strings.ReplaceAll(row.Caption, row.Value, others[at]))
		}
	}
	p.swapped = r.ids(texts)
	return p
}

// isProbe reports whether a forgotten row is a probe: its attribute is in the second half of a random order of the
// person's attributes.
func isProbe(from corpus, row persona.Row) bool {
	attributes := persona.Attributes()
	order := seed.Stream(from.root(), "salmu", "probes", row.Identity).Perm(len(attributes))
	return order[slices.Index(attributes, row.Attribute)] >= len(attributes)/2
}

// lessonsOf returns the lessons of an attack. It returns an error if one of them is a probe, or there is none.
func lessonsOf(from corpus, of salmu.Lessons, asked []persona.Row) (lessons []persona.Row, err error) {
	switch of {
	case salmu.OfRetained:
		lessons = slices.DeleteFunc(from.retainRows(), func(row persona.Row) bool {
			return row.Split == persona.RetainJoint
		})
	case salmu.OfRelated:
		lessons = from.split(persona.HoldoutIdentity)
	case salmu.OfHalf:
		lessons = slices.DeleteFunc(slices.Clone(from.split(persona.Forget)), func(row persona.Row) bool {
			return isProbe(from, row)
		})
	default:
		return nil, fmt.Errorf("there are no lessons %q", of)
	}
	return lessons, disjoint(lessons, asked)
}

// disjoint returns an error if there are no lessons, or if a lesson has the picture or the caption of a probe.
func disjoint(lessons, asked []persona.Row) error {
	if len(lessons) == 0 || len(asked) == 0 {
		return fmt.Errorf("%d lessons and %d probes", len(lessons), len(asked))
	}
	pictures, captions := map[int]string{}, map[string]string{}
	for _, row := range asked {
		pictures[row.Image], captions[row.Caption] = row.ID, row.ID
	}
	for _, row := range lessons {
		if probe, shared := pictures[row.Image]; shared {
			return fmt.Errorf("the lesson %s has the picture of the probe %s", row.ID, probe)
		}
		if probe, shared := captions[row.Caption]; shared {
			return fmt.Errorf("the lesson %s has the caption of the probe %s", row.ID, probe)
		}
	}
	return nil
}
