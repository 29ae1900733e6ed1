// Package classifying has the methods of unlearning for models that tell classes apart: UnSLU-BENCH's.
//
// A task is made of such a model and its streams by [NewTask], or by [Wav2Vec2]. Its forget and retain streams have the
// columns [Input] and [Label], and [Mask] if the model reads one. A method of one's own is a [Method] with an entry and
// phases.
//
// Models are as in evaluation while they unlearn: no dropout, no masks of SpecAugment. The student of [SCRUB] alone is
// disturbed as in training, unless its setting "training" is 0.
package classifying

import (
	"maps"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// The engine's types for this modality.
type (
	Method = unlearn.Method[View]
	Phase  = unlearn.Phase[View]
	Models = unlearn.Models[View]
	Task   = unlearn.Task[View]
	Job    = unlearn.Job[View]
)

// Names of the columns of streams.
const (
	Input     = "input"     // what is to be classified, of any shape
	Label     = "label"     // its class, an Int32 from 0 on
	Mask      = "mask"      // tells an input from its padding, where the model reads one
	Features  = "features"  // of a [Headed] model's input, in its place
	Forgotten = "forgotten" // of the stream Both: 1 for rows of the forget set
)

// Both is the stream of the forget set and the retain set as one, which [NewTask] adds to a task.
const Both = "both"

// Incompetent is where the store has the model that never learnt the task, as [BadTeaching] reads it: the pre-trained
// backbone with a fresh head.
const Incompetent = "incompetent"

// Model tells classes apart.
type Model interface {
	// Logits are [batch, classes].
	Logits(scope *model.Scope, x Rows) *graph.Node
	Classes() int
	// Parts are where its parts stand below its scope, in the order in which an example passes them.
	Parts() []string
}

// Headed is a model whose last parts can be run alone, on what those before them make of an input: its features.
type Headed interface {
	Model
	// FeatureSize is how many numbers the features of an input of a shape are, for so many last parts; 0 if these
	// cannot be run alone.
	FeatureSize(input []int, last int) int
	// Features are the features of rows as their Input, with the Mask that they need, if any.
	Features(scope *model.Scope, x Rows, last int) Rows
	// FromFeatures are the logits that the last parts make of features, the same as the whole model's.
	FromFeatures(scope *model.Scope, features Rows, last int) *graph.Node
}

// Disturbed is a model that random numbers disturb in training, by dropout for example.
type Disturbed interface {
	Model
	// Noise draws those for so many rows, of which each input has a shape. Their names are the same for any number of
	// rows.
	Noise(random *rand.Rand, rows int, input []int) map[string]*tensors.Tensor
}

// Rows are what a model reads of the rows of a step.
type Rows struct {
	Input *graph.Node            // [batch, ...]
	Mask  *graph.Node            // nil where there is none
	Noise map[string]*graph.Node // of a [Disturbed] model; nil is evaluation
}

// RowsOf are the rows of a stream.
func RowsOf(b unlearn.Batch, stream string) Rows {
	return Rows{Input: b.Of(stream, Input), Mask: b.Columns(stream)[Mask]}
}

// NewTask is a model with what it is to forget and to keep.
func NewTask(m Model, streams unlearn.Streams) Task {
	all := maps.Clone(streams)
	for name, stream := range all {
		if stream != nil {
			all[name] = labelled{stream, m.Classes()}
		}
	}
	if all[Both] == nil && all[unlearn.Forget] != nil && all[unlearn.Retain] != nil {
		all[Both] = unlearn.Union{First: all[unlearn.Forget], Second: all[unlearn.Retain], Mark: Forgotten}
	}
	return Task{Streams: all, View: func(w unlearn.Weights) View { return View{m, w} }}
}

// View is a model as losses see it. What a frozen model returns has no gradient.
type View struct {
	model   Model
	weights unlearn.Weights
}

// Logits are [batch, classes].
func (v View) Logits(x Rows) *graph.Node {
	return v.weights.Output(v.model.Logits(v.weights.Scope(), x))
}

// Classes is the number of classes.
func (v View) Classes() int { return v.model.Classes() }
