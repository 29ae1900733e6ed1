// Package unlearn makes trained models forget. A [Method] defines which data to read and which loss to descend. The
// engine does the rest: frozen references, order of the data, steps, checkpoints, snapshots at several budgets.
//
// The engine knows no kind of model. Each modality has its own type, through which losses use a model, and the engine's
// types have it as their type parameter. Packages contrastive, denoising, classifying and answering are the modalities
// of the papers, with the papers' methods. Your own method is a value of the same type:
//
//	halved := contrastive.Method{
//		Entry: catalogue.Entry{Name: "halved"},
//		Phases: func(p *unlearn.Plan) ([]contrastive.Phase, error) {
//			return []contrastive.Phase{{
//				Streams: []string{unlearn.Forget},
//				Batch:   64,
//				Rate:    optim.Constant(3e-5),
//				Loss: func(m contrastive.Models, b unlearn.Batch) *graph.Node {
//					images, captions := b.Of(unlearn.Forget, "image"), b.Of(unlearn.Forget, "caption")
//					return graph.MulScalar(contrastive.Contrast(m.Policy, images, captions), -0.5)
//				},
//			}}, nil
//		},
//	}
//
// Your own modality needs a type and a [Task]; see the example.
package unlearn

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Method is an unlearning method: its entry in the catalogue and its phases.
type Method[V any] struct {
	catalogue.Entry
	// Reference is set if losses read the frozen model from which the method starts.
	Reference bool
	// Frozen names additional frozen models that losses read. The caller of a run puts each model into the store below
	// its name, with the same tensors as the policy. The models are removed when the run ends.
	Frozen []string
	// Phases returns the phases in the order in which they run. A budget multiplies the length of the last phase with
	// steps.
	Phases func(p *Plan) ([]Phase[V], error)
}

// Find returns the method with the name. The error for an unknown name suggests the nearest one.
func Find[V any](methods []Method[V], name string) (Method[V], error) {
	var entries []catalogue.Entry
	for _, m := range methods {
		if m.Name == name {
			return m, nil
		}
		entries = append(entries, m.Entry)
	}
	return Method[V]{}, fmt.Errorf("no method is called %q%s", name, catalogue.Hint(name, entries))
}

// Phase is a stretch of training, or a single change of the parameters.
type Phase[V any] struct {
	Name string // distinguishes the phases of a method
	// Streams are read in parallel, with Batch rows of each per step. The first stream is read in passes, in a new
	// order each time, and the last batch of a pass may be smaller. The other streams repeat endlessly, unless Pairing
	// says otherwise.
	Streams []string
	// Drawn lists streams that the task does not have, because their rows are drawn during the phase.
	Drawn []Drawn[V]
	// Precomputed lists streams whose values the phase computes once, because they are the same in all passes.
	Precomputed []Precomputed[V]
	// Random lists columns that are drawn for each step, in addition to the streams' columns.
	Random []Random
	Batch  int
	// Pairing defines which rows of the streams form a batch.
	Pairing Pairing
	Loss    func(m Models[V], b Batch) *graph.Node
	// Optimizer with a nil Rule is AdamW with PyTorch's defaults. With a moving average, the averaged model generates
	// the Drawn rows, is evaluated, and is the result of the phase.
	Optimizer optim.Optimizer
	// Continues makes the phase continue with the optimizer state of the previous phase, so that both have one
	// optimizer.
	Continues bool
	// Fit completes the phase with properties of the task's model before the phase is checked; for example, with the
	// names of its layers.
	Fit func(phase *Phase[V], policy V) error
	// Rate is the learning rate by pass, 0 being the first; it is constant within a pass. Most methods use
	// optim.Constant.
	Rate optim.Schedule
	// Schedule, instead of Rate, returns the learning rate by step for a phase with the given number of steps, at the
	// run's largest budget.
	Schedule func(steps int) optim.Schedule

	// Perturb changes each trainable tensor on the host, in a phase without streams. Each tensor has its own random
	// stream.
	Perturb func(path string, values []float64, random *rand.Rand)
}

// Values maps names of settings to their values in a run, where they differ from the defaults.
type Values map[string]float64

// Lay returns the method's phases for values and the streams of a task. The error names the value or stream with which
// the method cannot be run.
func (m Method[V]) Lay(values Values, streams Streams) ([]Phase[V], error) {
	if m.Phases == nil {
		return nil, fmt.Errorf("the method %q has no Phases", m.Name)
	}
	if err := m.Check(values); err != nil {
		return nil, err
	}
	var phases []Phase[V]
	err := device.Try("method "+m.Name, func() (err error) {
		plan := &Plan{entry: m.Entry, values: values, streams: streams}
		if phases, err = m.Phases(plan); plan.mistake != nil {
			return plan.mistake
		}
		return err
	})
	return phases, err
}

// Plan is the information from which a method builds its phases.
type Plan struct {
	entry   catalogue.Entry
	values  Values
	streams Streams
	mistake error // first mistake in the method's code
}

// Value returns a setting of this run. If the method does not declare the setting, the run ends with an error.
func (p *Plan) Value(name string) float64 {
	if value, given := p.values[name]; given {
		return value
	}
	setting, err := p.entry.Setting(name)
	if err != nil && p.mistake == nil {
		p.mistake = err
	}
	return setting.Default
}

// Whole returns a setting as an integer. If the setting's value is not a [catalogue.Count], the run ends with an error.
func (p *Plan) Whole(name string) int {
	value := p.Value(name)
	if !catalogue.Count.Allows(value) {
		if p.mistake == nil {
			p.mistake = fmt.Errorf("the setting %q is %v: it must be %v", name, value, catalogue.Count)
		}
		return 1
	}
	return int(value)
}

// Stream returns one of the task's streams. It returns an error if the stream has no rows or lacks one of the columns.
func (p *Plan) Stream(name string, columns ...string) (Stream, error) {
	if p.streams.rows(name) == 0 {
		return nil, fmt.Errorf("the task has no rows of the stream %q", name)
	}
	stream := p.streams[name]
	for _, column := range columns {
		if !slices.Contains(stream.Columns(), column) {
			return nil, fmt.Errorf("the task's stream %q has no column %q", name, column)
		}
	}
	return stream, nil
}
