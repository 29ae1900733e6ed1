// Package unlearn makes trained models forget. A [Method] says which data it walks through and which loss it descends;
// the engine does the rest: frozen references, order of the data, steps, checkpoints, snapshots at several budgets.
//
// The methods of the papers are in [Methods] and [Erasing]; [Lookup] finds one by its name. A method of one's own is a
// value of the same type:
//
//	halved := unlearn.Method{
//		Name: "halved",
//		Phases: func(p unlearn.Plan) []unlearn.Phase {
//			return []unlearn.Phase{{
//				Streams: []string{unlearn.Forget},
//				Batch:   64,
//				Rate:    optim.Constant(3e-5),
//				Loss: func(m unlearn.Models, b unlearn.Batch) *graph.Node {
//					return graph.MulScalar(unlearn.Contrast(m.Policy, b.Of(unlearn.Forget, "image"), b.Of(unlearn.Forget, "caption")), -0.5)
//				},
//			}}
//		},
//	}
package unlearn

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

// Names of streams that tasks share.
const (
	Forget = "forget" // what is to be forgotten
	Retain = "retain" // a sample of what is to be kept
)

// Method is a way to forget.
type Method struct {
	Name  string // in specs and on the command line
	Title string // as the paper prints it
	// Version changes when what the method computes changes, so that results of another version are not taken for its
	// own.
	Version  int
	Source   string // where its loss comes from
	Settings []Setting
	// Passes are the budgets at which the method can be judged; nil is any. A method that is run once has {1}.
	Passes []int
	// Reference says that losses read the frozen model from which the method starts.
	Reference bool
	// Phases are run one after another; a budget multiplies the length of the last that has steps.
	Phases func(p Plan) []Phase
}

// Setting is a hyper-parameter with the paper's value.
type Setting struct {
	Name    string
	Default float64
	Source  string // where the default comes from
}

// Values are settings of a run by name, in place of the defaults.
type Values map[string]float64

// Plan is what a method knows when it lays out its phases.
type Plan struct {
	method Method
	values Values
	stream func(name string) Stream
}

// Value returns a setting of this run.
func (p Plan) Value(name string) float64 {
	if value, given := p.values[name]; given {
		return value
	}
	for _, setting := range p.method.Settings {
		if setting.Name == name {
			return setting.Default
		}
	}
	panic(fmt.Sprintf("the method %q has no setting %q", p.method.Name, name))
}

// batch is the setting of that name as a number of rows.
func (p Plan) batch() int {
	batch := p.Value("batch")
	if !(batch >= 1 && batch <= 1<<30) || batch != math.Trunc(batch) {
		panic(fmt.Errorf("a batch of %v rows: it must be a whole number and at least 1", batch))
	}
	return int(batch)
}

// whole is the setting of that name as a number of things.
func (p Plan) whole(name string) int {
	value := p.Value(name)
	if !(value >= 1 && value <= 1<<30) || value != math.Trunc(value) {
		panic(fmt.Errorf("the setting %q is %v: it must be a whole number and at least 1", name, value))
	}
	return int(value)
}

// Rows is the number of rows of one of the task's streams, 0 of one that it has not.
func (p Plan) Rows(stream string) int { return rowsOf(p.stream(stream)) }

func rowsOf(stream Stream) int {
	if stream == nil {
		return 0
	}
	return stream.Rows()
}

// Phase is a stretch of training, or a change of the parameters in one go.
type Phase struct {
	Name string // tells the phases of a method apart
	// Streams are read side by side, so many rows a step of each. The first is walked through in passes, in a new order
	// each time, and the last batch of a pass may be smaller; the others go on and on.
	Streams []string
	// Drawn are streams that the task does not have, because a model draws their rows during the phase.
	Drawn []Drawn
	Batch int
	Loss  func(m Models, b Batch) *graph.Node
	// Optimizer is AdamW with PyTorch's defaults if it has no rule. If it keeps a moving average, that is the phase's
	// model: it is what draws rows, what is judged, and what the phase leaves.
	Optimizer optim.Optimizer
	// Rate is the learning rate by the number of passes begun, 0 in the first: it is constant within a pass. It is
	// optim.Constant in most methods.
	Rate optim.Schedule

	// Perturb, in a phase without streams, changes each trainable tensor on the host. The stream of random numbers is
	// the tensor's own.
	Perturb func(path string, values []float64, random *rand.Rand)
}

// check tells what keeps a method with these values from being run.
func (m Method) check(values Values, budgets []int) error {
	if m.Phases == nil {
		return fmt.Errorf("the method %q has no Phases", m.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.ContainsFunc(m.Settings, func(s Setting) bool { return s.Name == name }) {
			return fmt.Errorf("the method %s has no setting %q%s", m.Name, name, m.settingNames())
		}
		if value := values[name]; math.IsNaN(value) || math.IsInf(value, 0) {
			return fmt.Errorf("method %s: the setting %q is %v: it must be a finite number", m.Name, name, value)
		}
	}
	if len(budgets) == 0 {
		return fmt.Errorf("method %s: no budget: give the numbers of passes after which the model is judged, such as "+
			"1 and 5", m.Name)
	}
	for i, budget := range budgets {
		switch {
		case budget < 1:
			return fmt.Errorf("method %s: a budget of %d passes: it must be at least 1", m.Name, budget)
		case i > 0 && budget <= budgets[i-1]:
			return fmt.Errorf("method %s: the budgets %v do not rise", m.Name, budgets)
		case m.Passes != nil && !slices.Contains(m.Passes, budget):
			return fmt.Errorf("method %s: a budget of %d passes, but it is judged after %v", m.Name, budget, m.Passes)
		}
	}
	return nil
}

func (m Method) settingNames() string {
	if len(m.Settings) == 0 {
		return "; it has none"
	}
	names := make([]string, len(m.Settings))
	for i, s := range m.Settings {
		names[i] = s.Name
	}
	return "; it has " + strings.Join(names, ", ")
}
