// Package contrastive implements SALMUBench's methods of unlearning for models that embed images and texts on one
// sphere.
//
// [NewTask] or [CLIP] makes a task from such a model and its streams. Your own method is a [Method] with an entry and
// phases:
//
//	halved := contrastive.Method{
//		Entry: catalogue.Entry{Name: "halved", Title: "Halved", Version: 1},
//		Phases: func(p *unlearn.Plan) ([]contrastive.Phase, error) { ... },
//	}
package contrastive

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
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
	Image   = "image"   // pixels
	Caption = "caption" // token ids of the image's own caption
	Generic = "generic" // token ids of a caption without information about the person
)

// Model embeds images and texts.
type Model interface {
	// EmbedImage and EmbedText return embeddings of length one; LogitScale returns the scalar that multiplies their
	// cosines.
	EmbedImage(scope *model.Scope, pixels *graph.Node) *graph.Node
	EmbedText(scope *model.Scope, ids *graph.Node) *graph.Node
	LogitScale(scope *model.Scope, g *graph.Graph) *graph.Node
}

// NewTask returns the task of a model with the given streams.
func NewTask(m Model, streams unlearn.Streams) Task {
	return Task{Streams: streams, View: func(w unlearn.Weights) View { return View{m, w} }}
}

// View is a model as losses use it. The output of a frozen model has no gradient.
type View struct {
	model   Model
	weights unlearn.Weights
}

// Image returns the embeddings of images.
func (v View) Image(pixels *graph.Node) *graph.Node {
	return v.weights.Output(v.model.EmbedImage(v.weights.Scope(), pixels))
}

// Text returns the embeddings of texts.
func (v View) Text(ids *graph.Node) *graph.Node {
	return v.weights.Output(v.model.EmbedText(v.weights.Scope(), ids))
}

// Logits returns the scaled cosines [images, texts] of embeddings.
func (v View) Logits(images, texts *graph.Node) *graph.Node {
	scale := v.weights.Output(v.model.LogitScale(v.weights.Scope(), images.Graph()))
	return graph.Mul(scale, graph.DotGeneral(images, []int{1}, nil, texts, []int{1}, nil))
}

// CLIP returns the task of a CLIP model. After each step the scale of the cosines is clamped to [1, 100], as in CLIP's
// training.
func CLIP(config clip.Config, streams unlearn.Streams) Task {
	task := NewTask(clipModel{config}, streams)
	task.After = ClampScale
	return task
}

// ClampScale clamps the scale of a CLIP model's cosines to [1, 100].
func ClampScale(policy *model.Scope, g *graph.Graph) {
	scale := policy.GetVariable("logit_scale")
	if scale == nil {
		return // the loss does not scale cosines
	}
	scale.SetNodeValue(graph.ClipScalar(scale.NodeValue(g), 0, clip.MaxLogitScale))
}

type clipModel struct{ config clip.Config }

func (m clipModel) EmbedImage(scope *model.Scope, pixels *graph.Node) *graph.Node {
	return clip.EncodeImage(scope, m.config, pixels)
}

func (m clipModel) EmbedText(scope *model.Scope, ids *graph.Node) *graph.Node {
	return clip.EncodeText(scope, m.config, ids, nil)
}

func (m clipModel) LogitScale(scope *model.Scope, g *graph.Graph) *graph.Node {
	return graph.Exp(nn.Parameter(scope, g, "logit_scale", nn.Constant(math.Log(1/0.07))))
}
