// Package answering makes models that answer questions about pictures (or texts alone) forget answers.
//
// A task is made by [NewTask] of a [Model] and of the questions and answers that it is to forget and to keep. A method
// of one's own is a [Method] with an entry and phases; its losses see a [View] of the model and [Rows] of a step.
//
// What moves are low-rank adapters of the decoder, which [Model.Adapt] makes, and the projector, or all weights; the
// settings "whole" and "projector" of every method say so. The model as it was, to which [KL], [DPO] and [NPO] compare,
// is a frozen copy that the engine makes before the first step. A new adapter adds nothing, so this copy is the model
// without it, and one whose training goes on is the model with it as it stood.
//
// What methods draw for each row and step, the partner that is kept and the refusal, they draw by the run's seed and
// the number of the step. Models are as in evaluation while they unlearn: no dropout.
package answering

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

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
	Text   = "text"   // the tokens of a question, its answer and padding, Int32
	Begin  = "begin"  // the place of the answer's first token
	End    = "end"    // the place after its last; of refusals how many tokens they have
	Pixels = "pixels" // of the picture, where the model sees any
)

// Refusals is the stream of the answers that [DPO] and [PO] teach in place of those to be forgotten.
const Refusals = "refusals"

// Rows are questions with answers in the graph of a step.
type Rows struct {
	Text       *graph.Node // [B, T]
	Begin, End *graph.Node // [B]
	Pixels     *graph.Node // [B, channels, height, width]; nil where the model sees none
}

// RowsOf are the rows of a stream.
func RowsOf(b unlearn.Batch, stream string) Rows {
	return Rows{Text: b.Of(stream, Text), Begin: b.Of(stream, Begin), End: b.Of(stream, End),
		Pixels: b.Columns(stream)[Pixels]}
}

// Refusing are the rows with other answers: those whose tokens are the columns text [B, R] and end [B] of a stream,
// each followed by padding.
func (r Rows) Refusing(b unlearn.Batch, stream string) Rows {
	answers := b.Of(stream, Text)
	count, room := answers.Shape().Dim(0), answers.Shape().Dim(1)
	begin := graph.InsertAxes(r.Begin, -1)
	place := r.places()
	within := graph.ClipScalar(graph.Sub(place, begin), 0, float64(room-1))
	row := graph.MulScalar(graph.Iota(place.Graph(), place.Shape(), 0), room)
	flat := graph.Reshape(answers, count*room)
	answer := graph.Gather(flat, graph.InsertAxes(graph.Add(row, within), -1))
	r.Text = graph.Where(graph.LessThan(place, graph.BroadcastToShape(begin, place.Shape())), r.Text, answer)
	r.End = graph.Add(r.Begin, b.Of(stream, End))
	return r
}

// places are 0, 1, ... for the tokens of each row, [B, T].
func (r Rows) places() *graph.Node {
	return graph.Iota(r.Text.Graph(), shapes.Make(dtypes.Int32, r.Text.Shape().Dimensions...), 1)
}

// before is 1 for tokens that stand before a place of each row, 0 for the others.
func (r Rows) before(place *graph.Node) *graph.Node {
	places := r.places()
	limit := graph.BroadcastToShape(graph.InsertAxes(place, -1), places.Shape())
	return graph.ConvertDType(graph.LessThan(places, limit), dtypes.Int32)
}

// View is a model as losses see it. What a frozen model returns has no gradient.
type View struct {
	model   Model
	weights unlearn.Weights
}

// Logits are what the model expects after each token, [B, T, vocabulary].
func (v View) Logits(x Rows) *graph.Node {
	return v.weights.Output(v.model.logits(v.weights.Scope(), x))
}
