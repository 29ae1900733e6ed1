package train

import (
	"context"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

// Pupil is a model for interactive use. It can learn, forget and answer questions.
type Pupil struct {
	people *people
	model  *loaded
}

// Meet loads the model in a folder, for a world of generated people.
func Meet(d *device.Device, folder string, world remem.World) (*Pupil, error) {
	people, err := NewLab(nil).people(world)
	if err != nil {
		return nil, err
	}
	m, err := load(d, standing{folder: folder})
	if err != nil {
		return nil, err
	}
	return &Pupil{people, m}, nil
}

// Close releases the model.
func (p *Pupil) Close() { p.model.store.Finalize() }

// Ask asks questions about the people of the world.
func (p *Pupil) Ask(ctx context.Context, records ...profile.Record) ([]remem.Answer, error) {
	sight := newSight(p.model.device, p.model.config, p.model.scope(), p.model.text)
	defer sight.close()
	return sight.answers(ctx, p.people.private.questions("", records), func(int) {})
}

// Learn trains the model on questions with answers. It trains new adapters and merges them afterwards.
func (p *Pupil) Learn(ctx context.Context, records []profile.Record, training remem.Training,
	progress func(done, steps int)) error {
	questions, err := p.model.records(p.people.private.questions("", records))
	if err != nil {
		return err
	}
	data := answering.Data{Retain: questions, Pad: p.model.text.padding}
	task, err := answering.NewTask(answering.LLaVA(p.model.config), data)
	if err != nil {
		return err
	}
	return p.run(ctx, task, answering.Finetuning(), training, progress)
}

// Forget runs one of the papers' unlearning methods on the people that the study forgets first.
func (p *Pupil) Forget(ctx context.Context, name string, people int, training remem.Training,
	progress func(done, steps int)) error {
	method, err := unlearn.Find(answering.Methods(), name)
	if err != nil {
		return err
	}
	division, err := p.people.divide(people)
	if err != nil {
		return err
	}
	task, err := p.model.forgetting(p.people, division)
	if err != nil {
		return err
	}
	return p.run(ctx, task, method, training, progress)
}

// run trains new adapters and merges them.
func (p *Pupil) run(ctx context.Context, task answering.Task, method answering.Method, training remem.Training,
	progress func(done, steps int)) error {
	if err := p.model.adapt(training.Rank, 1); err != nil {
		return err
	}
	_, err := answering.Job{Device: p.model.device, Store: p.model.store, Task: task, Method: method,
		Values:  unlearn.Values{"rate": training.Rate, "batch": float64(training.Batch)},
		Budgets: []int{training.Epochs}, Snapshot: unseen, Seed: 1, Progress: progress}.Run(ctx)
	if err != nil {
		return err
	}
	return nn.Merge(p.model.scope().At("language_model"))
}

// Keep writes the model into a folder, which is created if it is missing. All commands that ask models can read this
// folder.
func (p *Pupil) Keep(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return p.model.save(folder, false)
}
