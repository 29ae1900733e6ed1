package zootest

import (
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// residual returns a residual network that classifies pictures.
func residual(c resnet.Config, rows, side int) Model {
	return Model{
		Name: "resnet",
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			return resnet.CrossEntropy(resnet.Forward(scope, c, inputs[0], resnet.Mode{Training: true}).Logits,
				inputs[1])
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor {
			return []*tensors.Tensor{normal(random, rows, 3, side, side), below(random, c.Classes, rows)}
		},
	}
}

// transformer returns a causal text tower that is trained to make its pooled states zero.
func transformer(c clip.TextConfig, rows int) Model {
	return Model{
		Name: "transformer",
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			_, pooled := clip.Text(scope, c, inputs[0], nil)
			return graph.ReduceAllMean(graph.Square(pooled))
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor {
			return []*tensors.Tensor{below(random, c.Vocabulary, rows, c.Context)}
		},
	}
}

// contrastive returns a CLIP model that matches images and texts.
func contrastive(c clip.Config, rows int) Model {
	return Model{
		Name: "clip",
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			return clip.ContrastiveLoss(clip.Logits(scope, clip.EncodeImage(scope, c, inputs[0]),
				clip.EncodeText(scope, c, inputs[1], nil)))
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor {
			side := c.Vision.Image
			return []*tensors.Tensor{normal(random, rows, c.Vision.Channels, side, side),
				below(random, c.Text.Vocabulary, rows, c.Text.Context)}
		},
	}
}

// speech returns a model that classifies the intent of speech.
func speech(name string, c wav2vec2.Config, rows, samples int) Model {
	return Model{
		Name: name,
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			return resnet.CrossEntropy(wav2vec2.Forward(scope, c, wav2vec2.Input{Values: inputs[0]}).Logits, inputs[1])
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor {
			return []*tensors.Tensor{normal(random, rows, samples), below(random, c.NumLabels, rows)}
		},
	}
}

// visionLanguage returns a model that continues prompts which begin with an image.
func visionLanguage(c llava.Config, rows, length int) Model {
	return Model{
		Name: "llava",
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			logits := llava.Logits(scope, c, inputs[0], inputs[1], nil)
			return graph.Neg(graph.ReduceAllMean(llava.LogProbs(logits, inputs[1])))
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor {
			place := 0
			prompt := drawn([]int{rows, length}, func() int32 {
				defer func() { place++ }()
				if place%length < c.ImageTokens() {
					return c.Placeholder
				}
				return c.Placeholder + 1 + int32(random.IntN(c.Text.Vocabulary-int(c.Placeholder)-1))
			})
			side := c.Vision.Image
			return []*tensors.Tensor{normal(random, rows, c.Vision.Channels, side, side), prompt}
		},
	}
}

// denoising returns a UNet that predicts the noise in samples, given texts of the given number of tokens.
func denoising(c diffusion.UNetConfig, rows, tokens int) Model {
	return Model{
		Name: "unet",
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			output := diffusion.UNet(scope, c, inputs[0], inputs[1], inputs[2])
			return graph.ReduceAllMean(graph.Square(graph.Sub(output, inputs[3])))
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor {
			sample := []int{rows, c.In, c.SampleSize, c.SampleSize}
			return []*tensors.Tensor{normal(random, sample...), below(random, 1000, rows),
				normal(random, rows, tokens, c.Context), normal(random, sample...)}
		},
	}
}
