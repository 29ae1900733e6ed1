package classifying

import (
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Wav2Vec2 returns the task of a speech encoder with a head. An input is a waveform; its mask is nonzero for each
// sample that is not padding.
//
// SpecAugment, if a method disturbs the model, may also mask padding.
func Wav2Vec2(config wav2vec2.Config, streams unlearn.Streams) Task {
	return NewTask(speech{config}, streams)
}

type speech struct{ config wav2vec2.Config }

var (
	_ Disturbed = speech{}
	_ Headed    = speech{}
)

func (s speech) Logits(scope *model.Scope, x Rows) *graph.Node {
	return wav2vec2.Forward(scope, s.config, s.input(x)).Logits
}

// input returns the rows as the encoder's input, and panics if their shapes do not fit.
func (s speech) input(x Rows) wav2vec2.Input {
	shape := x.Input.Shape()
	if shape.Rank() != 2 || s.config.Frames(shape.Dim(1)) < 1 {
		panic(fmt.Errorf("the column %s is %v: the model reads [batch, samples], and at least %d samples", Input, shape,
			s.config.ReceptiveField()))
	}
	if x.Mask != nil && !x.Mask.Shape().EqualDimensions(shape) {
		panic(fmt.Errorf("the column %s is %v, not %v like %s", Mask, x.Mask.Shape(), shape,
			Input))
	}
	if s.config.NumLabels == 0 {
		panic(fmt.Errorf("the model has no head: set NumLabels of its configuration and load one"))
	}
	return wav2vec2.Input{Values: x.Input, Mask: x.Mask, Noise: x.Noise}
}

func (s speech) FeatureSize(input []int, last int) int {
	if len(input) != 1 {
		return 0 // running the whole model reports the error
	}
	return s.config.SizeBeforeLast(input[0], last)
}

func (s speech) Features(scope *model.Scope, x Rows, last int) Rows {
	features, valid := wav2vec2.BeforeLast(scope, s.config, s.input(x), last)
	return Rows{Input: features, Mask: valid}
}

func (s speech) FromFeatures(scope *model.Scope, features Rows, last int) *graph.Node {
	return wav2vec2.FromLast(scope, s.config, features.Input, features.Mask, last)
}

func (s speech) Classes() int { return s.config.NumLabels }

func (s speech) Parts() []string { return []string{s.config.ModelType, "projector", "classifier"} }

func (s speech) Noise(random *rand.Rand, rows int, input []int) map[string]*tensors.Tensor {
	noise := map[string]*tensors.Tensor{}
	sites := s.config.Sites(rows, input[0])
	for i, drawn := range s.config.Draw(random, rows, input[0], nil) {
		noise[sites[i].Name] = drawn
	}
	return noise
}
