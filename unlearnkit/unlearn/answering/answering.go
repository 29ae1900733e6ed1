// Package answering makes models that answer questions about pictures (or about text alone) forget answers.
//
// [NewTask] makes a task from a [Model] and the questions and answers to forget and to keep. Your own method is a
// [Method] with an entry and phases; its losses use a [View] of the model and [Rows] of a step.
//
// Training changes low-rank adapters of the decoder, which [Model.Adapt] creates, and the projector. The setting
// "whole" trains all weights instead, and the setting "projector" at 0 freezes the projector. [KL], [DPO] and [NPO]
// compare with the original model, a frozen copy that the engine makes before the first step. New adapters add nothing,
// so the copy then equals the model without adapters; adapters trained before are part of the copy.
//
// The random rows of each step, a retained partner and a refusal, depend on the run's seed and the number of the step.
// Models run as in evaluation while they unlearn: without dropout.
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
	Begin  = "begin"  // the position of the answer's first token
	End    = "end"    // the position after the answer's last token; for refusals, the number of tokens
	Pixels = "pixels" // pixels of the picture, if the model reads one
)

// Refusals is the stream of the answers that [DPO] and [PO] teach instead of the answers to forget.
const Refusals = "refusals"

// Rows holds questions with answers in the graph of a step.
type Rows struct {
	Text       *graph.Node // [B, T]
	Begin, End *graph.Node // [B]
	Pixels     *graph.Node // [B, channels, height, width]; nil if the model reads no pictures
}

// RowsOf returns the rows of a stream.
func RowsOf(b unlearn.Batch, stream string) Rows {
	return Rows{Text: b.Of(stream, Text), Begin: b.Of(stream, Begin), End: b.Of(stream, End),
		Pixels: b.Columns(stream)[Pixels]}
}

// Refusing returns the rows with other answers, from the columns text [B, R] and end [B] of a stream. Padding must
// follow each answer.
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

// places returns 0, 1, ... for the tokens of each row, [B, T].
func (r Rows) places() *graph.Node {
	return graph.Iota(r.Text.Graph(), shapes.Make(dtypes.Int32, r.Text.Shape().Dimensions...), 1)
}

// before returns 1 for the tokens before a position in each row, 0 for the others.
func (r Rows) before(place *graph.Node) *graph.Node {
	places := r.places()
	limit := graph.BroadcastToShape(graph.InsertAxes(place, -1), places.Shape())
	return graph.ConvertDType(graph.LessThan(places, limit), dtypes.Int32)
}

// View is a model as losses use it. The output of a frozen model has no gradient.
type View struct {
	model   Model
	weights unlearn.Weights
}

// Logits returns the model's logits for the next token after each token, [B, T, vocabulary].
func (v View) Logits(x Rows) *graph.Node {
	return v.weights.Output(v.model.logits(v.weights.Scope(), x))
}
