// Package unlearn makes trained models forget. A [Method] says which data it walks through and which loss it descends;
// the engine does the rest: frozen references, order of the data, steps, checkpoints, snapshots at several budgets.
//
// The engine knows no kind of model. A modality brings a type of its own, by which losses see a model; the engine's
// types have it as their parameter. Packages contrastive, denoising, classifying and answering are the modalities of
// the papers, with the papers' methods. A method of one's own is a value of the same type:
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
// A modality of one's own takes a type and a [Task]; see the example.
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

// Method is a way to forget: its entry in the catalogue, and what it does.
type Method[V any] struct {
	catalogue.Entry
	// Reference says that losses read the frozen model from which the method starts.
	Reference bool
	// Frozen names further models that losses read and never change. Who starts a run puts them into the store, each
	// below its name, with the tensors that the policy has; they are removed when the run ends.
	Frozen []string
	// Phases are run one after another; a budget multiplies the length of the last that has steps.
	Phases func(p *Plan) ([]Phase[V], error)
}

// Find returns the method of a name. The error for a name that none has tells the nearest one.
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

// Phase is a stretch of training, or a change of the parameters in one go.
type Phase[V any] struct {
	Name string // tells the phases of a method apart
	// Streams are read side by side, so many rows a step of each. The first is walked through in passes, in a new order
	// each time, and the last batch of a pass may be smaller; the others go on and on, unless Pairing says otherwise.
	Streams []string
	// Drawn are streams that the task does not have, because their rows are drawn during the phase.
	Drawn []Drawn[V]
	// Precomputed are streams of which the phase computes once what is the same in all its passes.
	Precomputed []Precomputed[V]
	// Random are columns that are drawn for each step, beside those of the streams.
	Random []Random
	Batch  int
	// Pairing says which rows of the streams stand side by side.
	Pairing Pairing
	Loss    func(m Models[V], b Batch) *graph.Node
	// Optimizer is AdamW with PyTorch's defaults if it has no rule. If it keeps a moving average, that is the phase's
	// model: it is what draws rows, what is judged, and what the phase leaves.
	Optimizer optim.Optimizer
	// Continues makes the phase go on with what the optimizer of the phase before it remembers, as one optimizer for
	// both.
	Continues bool
	// Fit completes the phase by what the task's model is, before it is checked: by the names of its layers, for
	// example.
	Fit func(phase *Phase[V], policy V) error
	// Rate is the learning rate by the number of passes begun, 0 in the first: it is constant within a pass. It is
	// optim.Constant in most methods.
	Rate optim.Schedule
	// Schedule, in place of Rate, is the learning rate by step of a phase that has so many: those of the run's largest
	// budget.
	Schedule func(steps int) optim.Schedule

	// Perturb, in a phase without streams, changes each trainable tensor on the host. The stream of random numbers is
	// the tensor's own.
	Perturb func(path string, values []float64, random *rand.Rand)
}

// Values are settings of a run by name, in place of the defaults.
type Values map[string]float64

// Lay lays the method out for values and the streams of a task. The error says which value or stream the method cannot
// be run with.
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

// Plan is what a method knows when it lays out its phases.
type Plan struct {
	entry   catalogue.Entry
	values  Values
	streams Streams
	mistake error // the first of the method's own
}

// Value returns a setting of this run. A method that asks for one that it does not declare is not run; the run's error
// says so.
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

// Whole returns a setting that counts something; one whose range is not [catalogue.Count] may turn out not to.
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

// Stream returns one of the task's streams. It has rows and columns of these names, or there is an error.
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
