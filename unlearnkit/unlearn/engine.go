package unlearn

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Job is one run of a method on a task of its modality.
type Job[V any] struct {
	Device *device.Device
	// Store holds the model to be changed below Policy. Its values must be the ones from which the method starts, even
	// if the run is resumed. Afterwards it holds the changed model and no other state of the engine.
	Store  *model.Store
	Task   Task[V]
	Method Method[V]
	Values Values
	// Budgets are the numbers of passes after which Snapshot is called, in ascending order. The run ends with the last.
	Budgets []int
	// Snapshot evaluates or saves the policy. Its results must outlast the process: a resumed run calls it for the
	// budget at which it resumes and for larger ones, not for smaller ones.
	Snapshot func(ctx context.Context, budget int) error
	Seed     uint64
	// Folder is the folder for checkpoints; if it is empty, no checkpoints are written.
	Folder          string
	CheckpointEvery time.Duration // time between checkpoints; half a minute if 0
	Identity        string        // text that distinguishes runs that share a folder by mistake
	Progress        func(done, steps int)
	// Ahead is called after each batch that a phase precomputes before its first step.
	Ahead func(done, batches int)
}

// Result is the result of a run.
type Result struct {
	Log    train.Log // the steps of all phases
	Passes float64   // passes over the first stream of each phase
}

// Run runs the method.
func (j Job[V]) Run(ctx context.Context) (Result, error) {
	var result Result
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
		job, feed := j.training(ctx, phase, i, j.steps(phase, i == budgeted))
		if i == len(phases)-1 {
			j.takeSnapshots(&job, j.perPass(phase))
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

// stage returns the name of a phase for errors.
func (j Job[V]) stage(phase Phase[V]) string {
	return strings.TrimSuffix(j.Method.Name+": "+phase.Name, ": ")
}

// lastWithSteps returns the index of the last phase with steps, or -1 if no phase has steps. A budget multiplies the
// length of this phase.
func lastWithSteps[V any](phases []Phase[V]) int {
	for i := len(phases) - 1; i >= 0; i-- {
		if phases[i].Perturb == nil {
			return i
		}
	}
	return -1
}

// takeSnapshots makes a training call Snapshot at the budgets.
func (j Job[V]) takeSnapshots(job *train.Job, perPass int) {
	for _, budget := range j.Budgets {
		job.Snapshots = append(job.Snapshots, budget*perPass)
	}
	optimizer := job.Optimizer
	job.Snapshot = func(ctx context.Context, steps int) error {
		return optimizer.Averaged(j.Store, func() error { return j.Snapshot(ctx, steps/perPass) })
	}
}

// training returns the training job of a phase with the given number of steps, and the feed of its batches.
func (j Job[V]) training(ctx context.Context, phase Phase[V], number, steps int) (train.Job, *feed) {
	perPass := j.perPass(phase)
	optimizer := phase.Optimizer
	if optimizer.Rule == nil {
		optimizer.Rule = optim.AdamW{WeightDecay: 0.01}
	}
	open := func(name string, root uint64) Stream {
		if drawn, is := phase.findDrawn(name); is {
			return &drawnStream[V]{of: drawn, job: j, optimizer: optimizer, ctx: ctx, root: root}
		}
		if of, is := phase.findPrecomputed(name); is {
			return &precomputedStream[V]{Stream: j.Task.Streams[name], of: of, job: j, phase: phase, ctx: ctx}
		}
		return j.Task.Streams[name]
	}
	feed := newFeed(phase.Streams, phase.Batch, perPass, phaseRoot(j.Seed, number), open)
	feed.pair(phase.Pairing)
	feed.random = phase.Random
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
		Schedule:  passSchedule{phase.Rate, perPass},
		Steps:     steps,
		Batch:     feed.batch,
	}
	if phase.Schedule != nil {
		job.Schedule = phase.Schedule(steps)
		job.Identity += fmt.Sprintf(" in %d steps", steps) // the rates depend on the number of steps
	}
	if j.Task.After != nil {
		job.After = func(root *model.Scope, g *graph.Graph) { j.Task.After(root.At(Policy), g) }
	}
	if j.Folder != "" {
		job.Checkpoint = filepath.Join(j.Folder, fmt.Sprintf("phase-%d.safetensors", number))
	}
	return job, feed
}

// passSchedule turns a schedule by passes into one by steps.
type passSchedule struct {
	rate    optim.Schedule
	perPass int
}

func (b passSchedule) Rate(step int) float64 { return b.rate.Rate(step / b.perPass) }
