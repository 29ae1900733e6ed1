package train

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// sight holds the judge's output for one picture: the probabilities of the answers to each question.
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

// judgedAtOnce is the batch size of the judge. The last batch is filled with pictures that are judged a second time.
const judgedAtOnce = 100

// see judges pictures, which are given as concatenated colour planes.
func (j *judge) see(ctx context.Context, pictures []float32) ([]sight, error) {
	within := cut(pictures)
	values, err := j.Through(ctx, &j.answering, "judge pictures", within, func(images *graph.Node) []*graph.Node {
		var answers []*graph.Node
		for _, logits := range parts(resnet.Forward(j.Scope(), j.Config, images, resnet.Mode{}).Logits) {
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

// fresh returns a classifier whose initial weights are the judge's.
func (j *judge) fresh(root uint64) (c *discriminator.Classifier, err error) {
	if j.classifier == nil {
		if j.classifier, err = discriminator.NewClassifier(j.Network); err != nil {
			return nil, err
		}
	}
	return j.classifier, j.classifier.Fresh(classifierStreams(root))
}

// features returns the concatenated features of all pictures. Features are the inputs of the judge's last layer.
func (j *judge) features(ctx context.Context, pictures []float32) ([]float32, error) {
	within := cut(pictures)
	values, err := j.Through(ctx, &j.describing, "describe pictures", within, func(images *graph.Node) []*graph.Node {
		return []*graph.Node{resnet.Forward(j.Scope(), j.Config, images, resnet.Mode{}).Features}
	})
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// cut limits values to the range from black to white.
func cut(pictures []float32) []float32 {
	within := make([]float32, len(pictures))
	for i, value := range pictures {
		within[i] = min(max(value, -1), 1)
	}
	return within
}
