// Package train runs the steps of a training: batch after batch, with a log of every step, checkpoints from which an
// interrupted training continues bit for bit, and a check for divergence.
//
//	log, err := train.Job{Device: d, Store: store, Scope: "policy", Loss: loss, Optimizer: optimizer,
//		Schedule: optim.Constant(1e-3), Steps: 600, Batch: batch}.Run(ctx)
//
// A batch depends only on the step's number, so a resumed training needs only the number and the store's values.
package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

// Batch is the input of one step.
type Batch struct {
	Inputs   []*tensors.Tensor
	Examples int // number of examples, for the log
}

// Job is a training run. Device, Store, Loss, Optimizer, Schedule, Steps and Batch are required.
type Job struct {
	Stage  string // names the training in errors
	Device *device.Device
	// Store holds the model below Scope, and everything else that the loss reads. The optimizer adds its state.
	Store *model.Store
	Scope string
	// Loss returns the loss of a step, a scalar. Its root is the root of Store.
	Loss      func(root *model.Scope, inputs []*graph.Node) *graph.Node
	Optimizer optim.Optimizer
	Schedule  optim.Schedule
	Steps     int
	// Batch returns the batch of a step; the first step is 0.
	Batch func(step int) (Batch, error)
	// After, if not nil, changes variables at the end of each step, within its graph; for example, it clamps them.
	After func(root *model.Scope, g *graph.Graph)

	// Snapshots lists the numbers of steps after which Snapshot is called; 0 means before the first step. The results
	// of Snapshot must outlast the process: a training that resumes from a checkpoint calls it for the step at which it
	// resumes and for later steps, not for earlier ones.
	Snapshots []int
	Snapshot  func(ctx context.Context, steps int) error

	// Checkpoint is the file from which the training resumes if the file exists. It is written when CheckpointEvery has
	// passed since the last time, and when the context is cancelled. If empty, no checkpoint is written.
	Checkpoint      string
	CheckpointEvery time.Duration // time between checkpoints; half a minute if 0
	// Identity distinguishes trainings, so that none resumes from the checkpoint of another.
	Identity string

	// Progress is called after each step with the number of finished steps; it may be nil.
	Progress func(done, steps int)
}

// Step is the log of one step.
type Step struct {
	Loss, Norm, Rate float64 // Norm is the norm of the gradient before clipping
	Examples         int
}

// ErrDiverged is the error of a training whose loss or gradient is no longer finite. The log ends with that step, and
// the model is useless.
var ErrDiverged = errors.New("diverged")

// Run makes the remaining steps and returns the log of all steps.
func (j Job) Run(ctx context.Context) (Log, error) {
	done, err := j.resume()
	if err != nil {
		return nil, err
	}
	var buildErr error
	program, err := j.compile(&buildErr)
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
		if buildErr != nil {
			return done, buildErr
		}
		if err != nil {
			return done, j.saveIfCancelled(ctx, done, err)
		}
		done = append(done, step)
		if !isFinite(step.Loss) || !isFinite(step.Norm) {
			return done, fmt.Errorf("%s: step %d of %d: loss %v, norm of the gradient %v: %w", j.Stage, len(done),
				j.Steps, step.Loss, step.Norm, ErrDiverged)
		}
		if err := j.snapshot(ctx, len(done)); err != nil {
			return done, j.saveIfCancelled(ctx, done, err)
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

// compile prepares the program of a step. If the graph cannot be built, buildErr becomes the error before the executor
// wraps it.
func (j Job) compile(buildErr *error) (*device.Program, error) {
	return j.Device.Compile(j.Stage, j.Store,
		func(root *model.Scope, inputs []*graph.Node) (outputs []*graph.Node) {
			*buildErr = device.Try(j.Stage, func() error {
				outputs = j.graph(root, inputs)
				return nil
			})
			if *buildErr != nil {
				panic(*buildErr)
			}
			return outputs
		})
}

// Cost compiles a step for the first batch on a device of [device.OpenCompiler]. The model's variables need no values.
func (j Job) Cost() (device.Cost, error) {
	var buildErr error
	program, err := j.compile(&buildErr)
	if err != nil {
		return device.Cost{}, err
	}
	defer program.Close()
	batch, err := j.Batch(0)
	if err != nil {
		return device.Cost{}, err
	}
	inputs := []shapes.Shape{shapes.Make(dtypes.Float64)} // the rate
	for _, input := range batch.Inputs {
		inputs = append(inputs, input.Shape())
	}
	cost, err := program.Cost(inputs...)
	if buildErr != nil {
		err = buildErr
	}
	return cost, err
}

// graph builds one step.
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

// snapshot calls Snapshot if steps is in Snapshots.
func (j Job) snapshot(ctx context.Context, steps int) error {
	if !slices.Contains(j.Snapshots, steps) {
		return nil
	}
	if err := j.Snapshot(ctx, steps); err != nil {
		return fmt.Errorf("%s: after %d steps: %w", j.Stage, steps, err)
	}
	return nil
}

// saveIfCancelled writes a checkpoint if the training was cancelled, and returns cause.
func (j Job) saveIfCancelled(ctx context.Context, done Log, cause error) error {
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

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
