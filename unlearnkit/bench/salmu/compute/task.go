package compute

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// task is what the methods of unlearning are given: a contrastive model and the streams of a world.
type task struct {
	config  clip.Config
	streams map[string]*table
}

var _ unlearn.Contrastive = task{}

// Stream implements unlearn.Task.
func (t task) Stream(name string) unlearn.Stream {
	if stream, ok := t.streams[name]; ok {
		return stream
	}
	return nil
}

// After keeps the factor of the cosines between 1 and 100.
func (t task) After(policy *model.Scope, g *graph.Graph) {
	scale := policy.GetVariable("logit_scale")
	if scale == nil {
		return // the loss does not scale cosines
	}
	scale.SetNodeValue(graph.ClipScalar(scale.NodeValue(g), 0, clip.MaxLogitScale))
}

// EmbedImage implements unlearn.Contrastive.
func (t task) EmbedImage(scope *model.Scope, pixels *graph.Node) *graph.Node {
	return clip.EncodeImage(scope, t.config, pixels)
}

// EmbedText implements unlearn.Contrastive.
func (t task) EmbedText(scope *model.Scope, ids *graph.Node) *graph.Node {
	return clip.EncodeText(scope, t.config, ids, nil)
}

// LogitScale implements unlearn.Contrastive.
func (t task) LogitScale(scope *model.Scope, g *graph.Graph) *graph.Node {
	return graph.Exp(nn.Parameter(scope, g, "logit_scale", nn.Constant(math.Log(1/0.07))))
}
