package nn_test

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// layer builds a layer over inputs of the given dimensions.
type layer struct {
	name   string
	inputs [][]int
	build  func(scope *model.Scope, x []*graph.Node) *graph.Node
}

func on(x ...int) [][]int { return [][]int{x} }

func convolution(name string, c nn.ConvConfig, x ...int) layer {
	return layer{"convolution " + name, on(x...), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.Conv(s, x[0], c)
	}}
}

func resize(name string, height, width int, method nn.ResizeMethod, options ...nn.ResizeOption) layer {
	dimensions := on(1, 4, 5, 2)
	if method == nn.Nearest {
		dimensions = on(2, 4, 3, 2)
	}
	return layer{"resize " + name, dimensions, func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.Resize(x[0], height, width, method, options...)
	}}
}

var convolutions = []layer{
	convolution("3x3", nn.ConvConfig{Out: 4, Kernel: []int{3, 3}, Padding: []int{1, 1}, Bias: true}, 2, 5, 6, 3),
	convolution("3x3 of 20 channels", nn.ConvConfig{Out: 3, Kernel: []int{3, 3}, Padding: []int{1, 1}}, 1, 4, 3, 20),
	convolution("3x2 of 70 channels",
		nn.ConvConfig{Out: 1, Kernel: []int{3, 2}, Padding: []int{1, 1}, Stride: []int{2, 1}}, 1, 4, 3, 70),
	convolution("1x1", nn.ConvConfig{Out: 4, Kernel: []int{1, 1}, Bias: true}, 2, 3, 4, 5),
	convolution("1x1 stride 2", nn.ConvConfig{Out: 4, Kernel: []int{1, 1}, Stride: []int{2, 2}}, 2, 5, 4, 5),
	convolution("1x1 padded", nn.ConvConfig{Out: 4, Kernel: []int{1, 1}, Padding: []int{1, 2}}, 2, 2, 3, 5),
	convolution("2x4 even", nn.ConvConfig{Out: 4, Kernel: []int{2, 4}, Padding: []int{1, 2}}, 2, 5, 6, 3),
	convolution("4x3 strided", nn.ConvConfig{Out: 4, Kernel: []int{4, 3}, Stride: []int{2, 3}, Padding: []int{1, 0}}, 2,
		7, 8, 3),
	convolution("3x2 dilated", nn.ConvConfig{Out: 2, Kernel: []int{3, 2}, Dilation: []int{2, 3}, Padding: []int{2, 1}},
		2, 6, 7, 3),
	convolution("4x2 dilated by 2 and 1",
		nn.ConvConfig{Out: 2, Kernel: []int{4, 2}, Dilation: []int{2, 1}, Padding: []int{3, 1}}, 1, 6, 5, 3),
	convolution("patches", nn.ConvConfig{Out: 5, Kernel: []int{2, 3}, Stride: []int{2, 3}, Bias: true}, 2, 4, 9, 3),
	convolution("patches with a rest", nn.ConvConfig{Out: 5, Kernel: []int{2, 3}, Stride: []int{2, 3}}, 2, 5, 10, 3),
	convolution("patches padded", nn.ConvConfig{Out: 5, Kernel: []int{2, 2}, Stride: []int{2, 2}, Padding: []int{1, 1}},
		2, 4, 4, 3),
	convolution("grouped", nn.ConvConfig{Out: 6, Kernel: []int{3, 2}, Groups: 3, Padding: []int{1, 1}, Bias: true}, 2,
		4, 5, 6),
	convolution("grouped, strided, dilated",
		nn.ConvConfig{Out: 4, Kernel: []int{2}, Groups: 2, Padding: []int{2}, Stride: []int{2}, Dilation: []int{3}}, 2,
		11, 6),
	convolution("depthwise", nn.ConvConfig{Out: 4, Kernel: []int{3, 3}, Groups: 4, Padding: []int{1, 1}}, 2, 4, 5, 4),
	convolution("1-D audio", nn.ConvConfig{Out: 3, Kernel: []int{10}, Stride: []int{5}}, 2, 43, 1),
	convolution("1-D even", nn.ConvConfig{Out: 3, Kernel: []int{2}, Stride: []int{2}, Bias: true}, 2, 9, 4),
	convolution("1-D of 20 channels", nn.ConvConfig{Out: 5, Kernel: []int{3}, Stride: []int{2}}, 2, 12, 20),
}

var layers = append([]layer{
	{"linear", on(2, 5, 4), func(s *model.Scope, x []*graph.Node) *graph.Node { return nn.Linear(s, x[0], 3, true) }},
	{"linear to more", on(3, 2), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.Linear(s, x[0], 7, false)
	}},
	{"layer norm", on(2, 3, 5), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.LayerNorm(s, x[0], 1e-5)
	}},
	{"RMS norm", on(2, 3, 5), func(s *model.Scope, x []*graph.Node) *graph.Node { return nn.RMSNorm(s, x[0], 1e-6) }},
	{"group norm", on(2, 3, 2, 6), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.GroupNorm(s, x[0], 3, 1e-5)
	}},
	{"group norm of frames", on(2, 5, 4), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.GroupNorm(s, x[0], 4, 1e-5)
	}},
	{"batch norm in training", on(3, 2, 3, 4), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.BatchNorm(s, x[0], nn.BatchNormConfig{Epsilon: 1e-5, Momentum: 0.1, Training: true,
			FreezeStatistics: true})
	}},
	{"batch norm", on(3, 2, 4), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.BatchNorm(s, x[0], nn.BatchNormConfig{Epsilon: 1e-5})
	}},
	{"embedding", on(2, 3, 3), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return graph.Mul(x[0], nn.Embedding(s, graph.Const(x[0].Graph(), [][]int32{{1, 4, 1}, {0, 2, 2}}), 5, 3))
	}},
	{"positional convolution, even", on(2, 5, 6), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.PositionalConv(s, x[0], 4, 2)
	}},
	{"positional convolution, odd", on(2, 5, 6), func(s *model.Scope, x []*graph.Node) *graph.Node {
		return nn.PositionalConv(s, x[0], 3, 3)
	}},
	{"max pool", on(2, 5, 6, 3), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.MaxPool(x[0], 3, 2, 1)
	}},
	{"max pool, even", on(2, 5, 3), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.MaxPool(x[0], 2, 2, 0)
	}},
	{"max pool of equal values", on(1, 4, 6, 2), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.MaxPool(x[0], 3, 1, 1)
	}},
	{"mean pool", on(2, 5, 6, 3), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.MeanPool(x[0], 3, 2, 1)
	}},
	{"mean pool, even", on(2, 6, 3), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.MeanPool(x[0], 2, 2, 0)
	}},
	{"global mean pool", on(2, 3, 4, 3), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.GlobalMeanPool(x[0])
	}},
	{"upsample", on(2, 2, 3, 2), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.UpsampleNearest(x[0], 3)
	}},
	resize("nearest", 7, 2, nn.Nearest),
	resize("bilinear", 7, 3, nn.Bilinear),
	resize("bilinear with aligned corners", 7, 3, nn.Bilinear, nn.AlignCorners),
	resize("bicubic", 7, 3, nn.Bicubic),
	resize("bicubic with aligned corners", 7, 3, nn.Bicubic, nn.AlignCorners),
	resize("to a point", 1, 5, nn.Bicubic, nn.AlignCorners),
	{"attention", [][]int{{2, 3, 6}, {2, 5, 6}, {2, 5, 6}}, func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.Attention(x[0], x[1], x[2], nn.AttentionConfig{Heads: 2})
	}},
	{"causal attention of shared heads", [][]int{{2, 4, 12}, {2, 4, 4}, {2, 4, 4}},
		func(_ *model.Scope, x []*graph.Node) *graph.Node {
			return nn.Attention(x[0], x[1], x[2], nn.AttentionConfig{Heads: 6, KeyValueHeads: 2, Causal: true})
		}},
	{"masked attention with a bias", [][]int{{2, 3, 4}, {2, 3, 4}, {2, 3, 4}, {2, 3, 3}},
		func(_ *model.Scope, x []*graph.Node) *graph.Node {
			mask := graph.Const(x[0].Graph(), [][]bool{{true, false, true}, {false, false, false}})
			return nn.Attention(x[0], x[1], x[2], nn.AttentionConfig{Heads: 2, Mask: mask, Bias: x[3], Scale: 0.7})
		}},
	{"causal attention of the last queries", [][]int{{1, 2, 4}, {1, 5, 2}, {1, 5, 2}},
		func(_ *model.Scope, x []*graph.Node) *graph.Node {
			return nn.Attention(x[0], x[1], x[2], nn.AttentionConfig{Heads: 2, KeyValueHeads: 1, Causal: true})
		}},
	{"causal attention masked by pairs", [][]int{{1, 3, 4}, {1, 3, 4}, {1, 3, 4}},
		func(_ *model.Scope, x []*graph.Node) *graph.Node {
			mask := graph.Const(x[0].Graph(),
				[][][]bool{{{true, false, false}, {true, true, false}, {false, true, true}}})
			return nn.Attention(x[0], x[1], x[2], nn.AttentionConfig{Heads: 2, Mask: mask, Causal: true})
		}},
	{"attention masked by heads", [][]int{{1, 2, 4}, {1, 2, 4}, {1, 2, 4}},
		func(_ *model.Scope, x []*graph.Node) *graph.Node {
			mask := graph.Const(x[0].Graph(), [][][][]bool{{{{true, false}}, {{true, true}}}})
			return nn.Attention(x[0], x[1], x[2], nn.AttentionConfig{Heads: 2, Mask: mask})
		}},
	{"rotary positions", on(2, 3, 2, 6), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.RoPE(x[0], graph.Const(x[0].Graph(), []int32{0, 3, 50}), 100)
	}},
	{"GELU", on(3, 4), func(_ *model.Scope, x []*graph.Node) *graph.Node { return nn.GELU(x[0]) }},
	{"tanh GELU", on(3, 4), func(_ *model.Scope, x []*graph.Node) *graph.Node { return nn.GELUTanh(x[0]) }},
	{"quick GELU", on(3, 4), func(_ *model.Scope, x []*graph.Node) *graph.Node { return nn.QuickGELU(x[0]) }},
	{"SiLU", on(3, 4), func(_ *model.Scope, x []*graph.Node) *graph.Node { return nn.SiLU(x[0]) }},
	{"ReLU", on(3, 4), func(_ *model.Scope, x []*graph.Node) *graph.Node { return nn.ReLU(x[0]) }},
	{"dropout", on(2, 3), func(_ *model.Scope, x []*graph.Node) *graph.Node {
		return nn.Dropout(x[0], graph.Const(x[0].Graph(), [][]float64{{0.1, 0.9, 0.3}, {0.2, 0.5, 0.29}}), 0.3)
	}},
	{"low-rank adapter", on(2, 5, 4), func(s *model.Scope, x []*graph.Node) *graph.Node {
		nn.Adapt(s, nn.LoRA{Rank: 2, Alpha: 5, Targets: []string{"q_proj"}})
		return nn.Linear(s.At("q_proj"), x[0], 3, true)
	}},
}, convolutions...)
