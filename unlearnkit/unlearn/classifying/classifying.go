// Package classifying implements UnSLU-BENCH's methods of unlearning for classifiers.
//
// [NewTask] or [Wav2Vec2] makes a task from a classifier and its streams. The forget and retain streams have the
// columns [Input] and [Label], and [Mask] if the model reads one. Your own method is a [Method] with an entry and
// phases.
//
// Models run as in evaluation while they unlearn: without dropout and SpecAugment masks. Only the student of [SCRUB]
// has training noise, unless its setting "training" is 0.
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
	Input     = "input"     // the input to classify, of any shape
	Label     = "label"     // class of the input, an Int32 from 0 on
	Mask      = "mask"      // separates an input from its padding, if the model reads a mask
	Features  = "features"  // the features of a [Headed] model, instead of the input
	Forgotten = "forgotten" // column of the stream Both: 1 for rows of the forget set
)

// Both is the union of the forget set and the retain set, which [NewTask] adds to a task.
const Both = "both"

// Incompetent is the scope of the model that never learnt the task, for [BadTeaching]: the pre-trained backbone with a
// new head.
const Incompetent = "incompetent"

// Model is a classifier.
type Model interface {
	// Logits returns [batch, classes].
	Logits(scope *model.Scope, x Rows) *graph.Node
	Classes() int
	// Parts returns the scopes of the model's parts below its own scope, in the order of computation.
	Parts() []string
}

// Headed is a model whose last parts can run separately, on the output of the parts before them: the features.
type Headed interface {
	Model
	// FeatureSize returns how many numbers the features of an input of the given shape have, or 0 if the last parts
	// cannot run separately.
	FeatureSize(input []int, last int) int
	// Features returns the rows with their features as Input and, if needed, a Mask.
	Features(scope *model.Scope, x Rows, last int) Rows
	// FromFeatures returns the logits that the last parts compute from features; they equal the whole model's.
	FromFeatures(scope *model.Scope, features Rows, last int) *graph.Node
}

// Disturbed is a model that random numbers disturb during training, for example by dropout.
type Disturbed interface {
	Model
	// Noise draws these random numbers for the given number of rows, each with an input of the given shape. Their names
	// do not depend on the number of rows.
	Noise(random *rand.Rand, rows int, input []int) map[string]*tensors.Tensor
}

// Rows holds the model's inputs in the rows of a step.
type Rows struct {
	Input *graph.Node            // [batch, ...]
	Mask  *graph.Node            // mask of the input; nil without one
	Noise map[string]*graph.Node // noise of a [Disturbed] model; nil means evaluation
}

// RowsOf returns the rows of a stream.
func RowsOf(b unlearn.Batch, stream string) Rows {
	return Rows{Input: b.Of(stream, Input), Mask: b.Columns(stream)[Mask]}
}

// NewTask returns the task of a model with the given streams.
func NewTask(m Model, streams unlearn.Streams) Task {
	all := maps.Clone(streams)
	for name, stream := range all {
		if stream != nil {
			all[name] = checkedLabels{stream, m.Classes()}
		}
	}
	if all[Both] == nil && all[unlearn.Forget] != nil && all[unlearn.Retain] != nil {
		all[Both] = unlearn.Union{First: all[unlearn.Forget], Second: all[unlearn.Retain], Mark: Forgotten}
	}
	return Task{Streams: all, View: func(w unlearn.Weights) View { return View{m, w} }}
}

// View is a model as losses use it. The output of a frozen model has no gradient.
type View struct {
	model   Model
	weights unlearn.Weights
}

// Logits returns [batch, classes].
func (v View) Logits(x Rows) *graph.Node {
	return v.weights.Output(v.model.Logits(v.weights.Scope(), x))
}

// Classes returns the number of classes.
func (v View) Classes() int { return v.model.Classes() }
