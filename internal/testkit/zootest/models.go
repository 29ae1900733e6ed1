package zootest

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Tiny returns a model of every family, and some smaller ones, whose steps take milliseconds.
func Tiny() []Model {
	tower := clip.Tower{Width: 32, Layers: 2, Heads: 4, Hidden: 64, Activation: "quick_gelu", Epsilon: 1e-5}
	text := clip.TextConfig{Tower: tower, Vocabulary: 50, Context: 12, EndOfText: clip.LargestID}
	vision := clip.VisionConfig{Tower: tower, Image: 16, Patch: 4, Channels: 3}
	sees := llava.SmallS()
	sees.Vision, sees.Text.Layers, sees.Text.Vocabulary = vision, 2, 60
	sees.Text.Width, sees.Text.Hidden, sees.Text.KeyValueHeads, sees.Text.HeadWidth = 32, 64, 2, 8
	unet := diffusion.Small().UNet
	unet.SampleSize, unet.Context, unet.Groups = 8, 8, 4
	unet.Levels = []diffusion.Level{{Channels: 8, Layers: 1},
		{Channels: 16, Layers: 1, DownAttention: true, UpAttention: true, Heads: 2, Blocks: 1}}
	return []Model{
		perceptron(16, 20, 32),
		sideBySide(128, 256, 8),
		convolutional(4, 12, 8),
		transformer(text, 4),
		residual(resnet.Config{Blocks: []int{1, 1}, Widths: []int{8, 16}, StemKernel: 3, StemStride: 1, Classes: 5}, 4,
			12),
		contrastive(clip.Config{Text: text, Vision: vision, Projection: 24}, 4),
		speech("wav2vec2", labelled(wav2vec2.SmallGroup()), 2, 800),
		speech("xls-r", labelled(wav2vec2.SmallLayer()), 2, 800),
		visionLanguage(sees, 2, 24),
		denoising(unet, 2, 5),
	}
}

// Benchmarked returns the models that are timed against PyTorch, in the sizes of our small repetitions of the papers'
// experiments. scripts/compare_training.py builds the same models.
func Benchmarked() []Model {
	tower := clip.Tower{Width: 256, Layers: 4, Heads: 8, Hidden: 1024, Activation: "quick_gelu", Epsilon: 1e-5}
	unet := diffusion.Small().UNet
	unet.FeedForward = 0 // the only value that diffusers supports
	return []Model{
		perceptron(64, 64, 128),
		convolutional(8, 16, 16),
		transformer(clip.TextConfig{Tower: tower, Vocabulary: 512, Context: 77, EndOfText: clip.LargestID}, 32),
		residual(resnet.Config{Blocks: []int{2, 2, 2, 2}, Widths: []int{16, 32, 64, 128}, StemKernel: 3, StemStride: 1,
			Classes: 10}, 64, 32),
		contrastive(clip.Small(), 64),
		speech("wav2vec2", labelled(wav2vec2.SmallGroup()), 16, 4000),
		visionLanguage(llava.SmallS(), 16, 48),
		denoising(unet, 16, 8),
	}
}

func labelled(c wav2vec2.Config) wav2vec2.Config {
	c.NumLabels = 7
	return c
}
