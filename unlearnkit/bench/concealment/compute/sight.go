package compute

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// sight is what a judge takes a picture for: the probabilities of the answers to each question.
type sight [][]float32

func (s sight) best(kind int) int {
	best := 0
	for i, p := range s[kind] {
		if p > s[kind][best] {
			best = i
		}
	}
	return best
}

func (s sight) labels() concept.Labels {
	return concept.Labels{Object: concept.Object(s.best(0)), Style: concept.Style(s.best(1)),
		Colour: concept.Colour(s.best(2)), Texture: concept.Texture(s.best(3))}
}

// judgedAtOnce is how many pictures go through a network together; the last of them are looked at with others again.
const judgedAtOnce = 100

// see judges pictures, whose planes stand one behind the other.
func (j *judge) see(ctx context.Context, pictures []float32) ([]sight, error) {
	values, err := j.through(ctx, &j.answering, "judge pictures", pictures, func(images *graph.Node) []*graph.Node {
		var answers []*graph.Node
		for _, logits := range parts(resnet.Forward(j.scope(), j.config, images, resnet.Mode{}).Logits) {
			answers = append(answers, graph.Softmax(logits, -1))
		}
		return answers
	})
	if err != nil {
		return nil, err
	}
	seen := make([]sight, len(values[0])/kinds[0])
	for i := range seen {
		for kind, answers := range kinds {
			seen[i] = append(seen[i], values[kind][i*answers:(i+1)*answers])
		}
	}
	return seen, nil
}

// features are what the judge's last layer reads of each picture, one behind the other.
func (j *judge) features(ctx context.Context, pictures []float32) ([]float32, error) {
	values, err := j.through(ctx, &j.describing, "describe pictures", pictures, func(images *graph.Node) []*graph.Node {
		return []*graph.Node{resnet.Forward(j.scope(), j.config, images, resnet.Mode{}).Features}
	})
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// through leads pictures through a program, which is compiled at the first call, and returns each of its outputs, those
// of all pictures one behind the other.
func (r *residual) through(ctx context.Context, program **device.Program, stage string, pictures []float32,
	build func(images *graph.Node) []*graph.Node) ([][]float32, error) {
	if *program == nil {
		compiled, err := r.device.Compile(stage, r.store, func(_ *model.Scope, in []*graph.Node) []*graph.Node {
			return build(in[0])
		})
		if err != nil {
			return nil, err
		}
		*program = compiled
	}
	var all [][]float32
	one := channels * r.image * r.image
	for begin := 0; begin < len(pictures)/one; begin += judgedAtOnce {
		batch := make([]float32, judgedAtOnce*one)
		count := copy(batch, pictures[begin*one:]) / one
		cut(batch)
		outputs, err := (*program).Run(ctx,
			tensors.FromFlatDataAndDimensions(batch, judgedAtOnce, channels, r.image, r.image))
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = make([][]float32, len(outputs))
		}
		for i, output := range outputs {
			values := tensors.MustCopyFlatData[float32](output)
			all[i] = append(all[i], values[:count*len(values)/judgedAtOnce]...)
		}
	}
	return all, nil
}

// cut takes what models draw beyond black and white for black and white.
func cut(pictures []float32) {
	for i, value := range pictures {
		pictures[i] = min(max(value, -1), 1)
	}
}
