// Package train runs the steps of a training: batch after batch, with a log of every step, checkpoints from which an
// interrupted training goes on to the same bits, and a watch for what goes wrong.
//
//	log, err := train.Job{Device: d, Store: store, Scope: "policy", Loss: loss, Optimizer: optimizer,
//		Schedule: optim.Constant(1e-3), Steps: 600, Batch: batch}.Run(ctx)
//
// A batch is a function of the step's number alone, so a training that is resumed needs nothing but the number and the
// store's values.
package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

// Batch is what one step is given.
type Batch struct {
	Inputs   []*tensors.Tensor
	Examples int // for the log
}

// Job is a training. Device, Store, Loss, Optimizer, Schedule, Steps and Batch are required.
type Job struct {
	Stage  string // names the training in errors
	Device *device.Device
	// Store holds the model below Scope, and what else the loss reads. What the optimizer remembers is added.
	Store *model.Store
	Scope string
	// Loss is the loss of a step, a scalar; it is given the root of Store.
	Loss      func(root *model.Scope, inputs []*graph.Node) *graph.Node
	Optimizer optim.Optimizer
	Schedule  optim.Schedule
	Steps     int
	// Batch is called with 0 for the first step.
	Batch func(step int) (Batch, error)
	// After, if there is one, changes variables at the end of each step, within its graph; clamping, for example.
	After func(root *model.Scope, g *graph.Graph)

	// Snapshots are numbers of steps after which Snapshot is called; 0 is before the first. What Snapshot makes must
	// outlast the process: a training that goes on from a checkpoint calls it for the number of steps at which it goes
	// on and for larger ones, not for smaller ones.
	Snapshots []int
	Snapshot  func(ctx context.Context, steps int) error

	// Checkpoint is the file from which the training goes on if it is there, and that is written when CheckpointEvery
	// has passed since the last time and when the context is cancelled. None is written if empty.
	Checkpoint      string
	CheckpointEvery time.Duration // half a minute if 0
	// Identity tells trainings apart, so that none goes on from the checkpoint of another.
	Identity string

	// Progress is told after each step how many are done; it may be nil.
	Progress func(done, steps int)
}

// Step is the log of one step.
type Step struct {
	Loss, Norm, Rate float64 // Norm is the gradient's, before clipping
	Examples         int
}

// ErrDiverged is the error of a training whose loss or gradient is no longer finite. The log holds the steps up to that
// one, and the model is of no use.
var ErrDiverged = errors.New("diverged")

// Run makes the steps that are left and returns the log of all.
func (j Job) Run(ctx context.Context) (Log, error) {
	done, err := j.resume()
	if err != nil {
		return nil, err
	}
	var misbuilt error // without what the executor says around it
	program, err := j.Device.Compile(j.Stage, j.Store,
		func(root *model.Scope, inputs []*graph.Node) (outputs []*graph.Node) {
			misbuilt = device.Try(j.Stage, func() error {
				outputs = j.graph(root, inputs)
				return nil
			})
			if misbuilt != nil {
				panic(misbuilt)
			}
			return outputs
		})
	if err != nil {
		return nil, err
	}
	defer program.Close()
	saved := time.Now()
	if err := j.snapshot(ctx, len(done)); err != nil {
		return done, err
	}
	for len(done) < j.Steps {
		step, err := j.step(ctx, program, len(done))
		if misbuilt != nil {
			return done, misbuilt
		}
		if err != nil {
			return done, j.interrupted(ctx, done, err)
		}
		done = append(done, step)
		if !finite(step.Loss) || !finite(step.Norm) {
			return done, fmt.Errorf("%s: step %d of %d: loss %v, norm of the gradient %v: %w", j.Stage, len(done),
				j.Steps, step.Loss, step.Norm, ErrDiverged)
		}
		if err := j.snapshot(ctx, len(done)); err != nil {
			return done, j.interrupted(ctx, done, err)
		}
		if j.Progress != nil {
			j.Progress(len(done), j.Steps)
		}
		if j.Checkpoint != "" && time.Since(saved) >= j.interval() {
			if err := j.save(done); err != nil {
				return done, err
			}
			saved = time.Now()
		}
	}
	return done, nil
}

// graph is one step.
func (j Job) graph(root *model.Scope, inputs []*graph.Node) []*graph.Node {
	rate, batch := inputs[0], inputs[1:]
	loss := j.Loss(root, batch)
	norm := j.Optimizer.Minimize(root.At("%s", j.Scope), loss, rate)
	if j.After != nil {
		j.After(root, loss.Graph())
	}
	return []*graph.Node{graph.ConvertDType(loss, dtypes.Float64), norm}
}

func (j Job) step(ctx context.Context, program *device.Program, number int) (Step, error) {
	var batch Batch
	err := device.Try(fmt.Sprintf("%s: batch of step %d", j.Stage, number+1), func() (err error) {
		batch, err = j.Batch(number)
		return err
	})
	if err != nil {
		return Step{}, err
	}
	rate := j.Schedule.Rate(number)
	inputs := []any{rate}
	for _, input := range batch.Inputs {
		inputs = append(inputs, input)
	}
	outputs, err := program.Run(ctx, inputs...)
	if err != nil {
		return Step{}, err
	}
	return Step{tensors.ToScalar[float64](outputs[0]), tensors.ToScalar[float64](outputs[1]), rate, batch.Examples}, nil
}

// snapshot calls Snapshot if so many steps are one of Snapshots.
func (j Job) snapshot(ctx context.Context, steps int) error {
	if !slices.Contains(j.Snapshots, steps) {
		return nil
	}
	if err := j.Snapshot(ctx, steps); err != nil {
		return fmt.Errorf("%s: after %d steps: %w", j.Stage, steps, err)
	}
	return nil
}

// interrupted keeps what is done where the training was asked to stop.
func (j Job) interrupted(ctx context.Context, done Log, cause error) error {
	if ctx.Err() == nil || j.Checkpoint == "" || len(done) == 0 {
		return cause
	}
	if err := j.save(done); err != nil {
		return fmt.Errorf("%w; its checkpoint could not be written: %w", cause, err)
	}
	return cause
}

func (j Job) interval() time.Duration {
	if j.CheckpointEvery == 0 {
		return 30 * time.Second
	}
	return j.CheckpointEvery
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
