package unlearn

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Job is one run of a method.
type Job struct {
	Device *device.Device
	// Store holds the model to be changed below Policy, with the values from which the method starts, also where a run
	// is resumed. Afterwards it holds the changed model, and nothing else that is of the engine.
	Store  *model.Store
	Task   Task
	Method Method
	Values Values
	// Budgets are the passes after which Snapshot is called, rising. The run ends with the last.
	Budgets []int
	// Snapshot judges or keeps the policy. What it makes must outlast the process: a run that is resumed calls it for
	// the budget at which it goes on and for larger ones, not for smaller ones.
	Snapshot func(ctx context.Context, budget int) error
	Seed     uint64
	// Folder is where checkpoints are kept; none are if it is empty.
	Folder          string
	CheckpointEvery time.Duration // half a minute if 0
	Identity        string        // tells runs apart that share a folder by mistake
	Progress        func(done, steps int)
}

// Result is what a run has done.
type Result struct {
	Log    train.Log // the steps of all phases
	Passes float64   // over the first stream of each phase
}

// Run runs the method.
func (j Job) Run(ctx context.Context) (Result, error) {
	var result Result
	if err := j.Method.check(j.Values, j.Budgets); err != nil {
		return result, err
	}
	phases, err := j.phases()
	if err != nil {
		return result, err
	}
	start, err := j.start()
	if err != nil {
		return result, err
	}
	j.Identity += " from " + start
	if j.Method.Reference {
		if err := j.freeze(); err != nil {
			return result, err
		}
	}
	defer j.clear(phases)
	budgeted := lastWithSteps(phases)
	done, total := 0, 0
	for i, phase := range phases {
		total += j.steps(phase, i == budgeted)
	}
	for i, phase := range phases {
		if phase.Perturb != nil {
			if err := j.perturb(phase, i); err != nil {
				return result, err
			}
			continue
		}
		job, feed := j.training(ctx, phase, i)
		job.Steps = j.steps(phase, i == budgeted)
		if i == len(phases)-1 {
			j.judge(&job, j.perPass(phase))
		}
		if j.Progress != nil {
			before := done
			job.Progress = func(steps, _ int) { j.Progress(before+steps, total) }
		}
		log, err := job.Run(ctx)
		feed.close()
		result.Log = append(result.Log, log...)
		result.Passes += float64(len(log)) / float64(j.perPass(phase))
		if err == nil && job.Optimizer.Average != 0 {
			err = job.Optimizer.SwapAverage(j.Store)
		}
		if err != nil {
			return result, err
		}
		done += job.Steps
	}
	if budgeted < len(phases)-1 {
		return result, j.Snapshot(ctx, j.Budgets[len(j.Budgets)-1])
	}
	return result, nil
}

// stage names a phase in errors.
func (j Job) stage(phase Phase) string {
	return strings.TrimSuffix(j.Method.Name+": "+phase.Name, ": ")
}

// lastWithSteps is the phase whose length a budget multiplies, -1 if none has steps.
func lastWithSteps(phases []Phase) int {
	for i := len(phases) - 1; i >= 0; i-- {
		if phases[i].Perturb == nil {
			return i
		}
	}
	return -1
}

// judge makes a training call Snapshot at the budgets.
func (j Job) judge(job *train.Job, perPass int) {
	for _, budget := range j.Budgets {
		job.Snapshots = append(job.Snapshots, budget*perPass)
	}
	optimizer := job.Optimizer
	job.Snapshot = func(ctx context.Context, steps int) error {
		return j.averaged(optimizer, func() error { return j.Snapshot(ctx, steps/perPass) })
	}
}

// averaged calls f while the policy is the moving average of an optimizer that keeps one and has made a step.
func (j Job) averaged(optimizer optim.Optimizer, f func() error) error {
	if optimizer.Average == 0 {
		return f()
	}
	if err := optimizer.SwapAverage(j.Store); err != nil {
		return err
	}
	err := f()
	if back := optimizer.SwapAverage(j.Store); err == nil {
		err = back
	}
	return err
}

// phases lays the method out and checks that the task has what it reads.
func (j Job) phases() ([]Phase, error) {
	var phases []Phase
	err := device.Try("method "+j.Method.Name, func() error {
		phases = j.Method.Phases(Plan{j.Method, j.Values, j.Task.Stream})
		for _, phase := range phases {
			if phase.Perturb != nil {
				continue
			}
			if err := j.check(phase); err != nil {
				return err
			}
		}
		switch {
		case len(phases) == 0:
			return errors.New("it has no phases")
		case phases[len(phases)-1].Perturb != nil && len(j.Budgets) > 1:
			return fmt.Errorf("its last phase has no steps, so it is judged once, not after %v passes", j.Budgets)
		}
		return nil
	})
	return phases, err
}

// check tells what keeps a phase with steps from being run.
func (j Job) check(phase Phase) error {
	if len(phase.Streams) == 0 || phase.Batch < 1 || phase.Loss == nil || phase.Rate == nil {
		return fmt.Errorf("phase %q needs Streams, Batch, Loss and Rate", phase.Name)
	}
	for i, name := range phase.Streams {
		switch {
		case j.rows(phase, name) == 0:
			return fmt.Errorf("the task has no rows of the stream %q", name)
		case slices.Contains(phase.Streams[:i], name):
			return fmt.Errorf("phase %q reads the stream %q twice", phase.Name, name)
		}
	}
	for _, drawn := range phase.Drawn {
		if err := j.checkDrawn(phase, drawn); err != nil {
			return fmt.Errorf("phase %q draws %q: %w", phase.Name, drawn.Name, err)
		}
	}
	return nil
}

// rows is the number of rows of a stream that the phase reads, whether the task has it or the phase draws it.
func (j Job) rows(phase Phase, name string) int {
	if drawn, is := phase.drawn(name); is {
		return drawn.Rows
	}
	return rowsOf(j.Task.Stream(name))
}

// perPass is the number of steps of a pass.
func (j Job) perPass(phase Phase) int {
	return 1 + (j.rows(phase, phase.Streams[0])-1)/phase.Batch
}

func (j Job) steps(phase Phase, budgeted bool) int {
	switch {
	case phase.Perturb != nil:
		return 0
	case budgeted:
		return j.perPass(phase) * j.Budgets[len(j.Budgets)-1]
	default:
		return j.perPass(phase)
	}
}

// training is a phase as the training loop takes it, and what feeds it.
func (j Job) training(ctx context.Context, phase Phase, number int) (train.Job, *feed) {
	perPass := j.perPass(phase)
	optimizer := phase.Optimizer
	if optimizer.Rule == nil {
		optimizer.Rule = optim.AdamW{WeightDecay: 0.01}
	}
	optimizer.Scope = optimizerScope(number)
	feed := newFeed(phase, perPass, seed.Derive(j.Seed, "phase", number), func(name string, root uint64) Stream {
		if drawn, is := phase.drawn(name); is {
			return &drawing{of: drawn, job: j, optimizer: optimizer, ctx: ctx, root: root}
		}
		return j.Task.Stream(name)
	})
	job := train.Job{
		Stage:           j.stage(phase),
		Device:          j.Device,
		Store:           j.Store,
		Scope:           Policy,
		Identity:        j.Identity,
		CheckpointEvery: j.CheckpointEvery,
		Loss: func(root *model.Scope, inputs []*graph.Node) *graph.Node {
			return phase.Loss(j.models(root), feed.open(inputs))
		},
		Optimizer: optimizer,
		Schedule:  byPass{phase.Rate, perPass},
		Batch:     feed.batch,
		After:     func(root *model.Scope, g *graph.Graph) { j.Task.After(root.At(Policy), g) },
	}
	if j.Folder != "" {
		job.Checkpoint = filepath.Join(j.Folder, fmt.Sprintf("phase-%d.safetensors", number))
	}
	return job, feed
}

func (j Job) models(root *model.Scope) Models {
	models := Models{Policy: View{j.Task, root.At(Policy), false}}
	if j.Method.Reference {
		models.Reference = View{j.Task, root.At(reference), true}
	}
	return models
}

// byPass is a schedule by passes as one by steps.
type byPass struct {
	rate    optim.Schedule
	perPass int
}

func (b byPass) Rate(step int) float64 { return b.rate.Rate(step / b.perPass) }
