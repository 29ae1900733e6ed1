package diffusion

import (
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// at returns the scope with a name below another scope, in diffusers' notation with dots.
func at(scope *model.Scope, name string) *model.Scope {
	for part := range strings.SplitSeq(name, ".") {
		scope = scope.At("%s", part)
	}
	return scope
}

// channelsLast converts [B, C, H, W], as in diffusers, to [B, H, W, C].
func channelsLast(x *graph.Node) *graph.Node { return graph.TransposeAllAxes(x, 0, 2, 3, 1) }

// channelsFirst converts [B, H, W, C] to [B, C, H, W], as in diffusers.
func channelsFirst(x *graph.Node) *graph.Node { return graph.TransposeAllAxes(x, 0, 3, 1, 2) }

func channels(x *graph.Node) int { return x.Shape().Dimensions[x.Rank()-1] }

func convolution3(scope *model.Scope, x *graph.Node, out int) *graph.Node {
	return nn.Conv(scope, x, nn.ConvConfig{Out: out, Kernel: []int{3, 3}, Padding: []int{1, 1}, Bias: true})
}

func convolution1(scope *model.Scope, x *graph.Node, out int) *graph.Node {
	return nn.Conv(scope, x, nn.ConvConfig{Out: out, Kernel: []int{1, 1}, Bias: true})
}

// norm holds the settings of a network's group normalisations.
type norm struct {
	groups  int
	epsilon float64
}

func (n norm) apply(scope *model.Scope, x *graph.Node) *graph.Node {
	return nn.GroupNorm(scope, x, n.groups, n.epsilon)
}

// residual applies ResnetBlock2D of diffusers. In a VAE, time is nil.
func residual(scope *model.Scope, x, time *graph.Node, out int, n norm) *graph.Node {
	h := convolution3(scope.At("conv1"), nn.SiLU(n.apply(scope.At("norm1"), x)), out)
	if time != nil {
		shift := nn.Linear(scope.At("time_emb_proj"), nn.SiLU(time), out, true)
		h = graph.Add(h, graph.InsertAxes(shift, 1, 1))
	}
	h = convolution3(scope.At("conv2"), nn.SiLU(n.apply(scope.At("norm2"), h)), out)
	if channels(x) != out {
		x = convolution1(scope.At("conv_shortcut"), x, out)
	}
	return graph.Add(x, h)
}

// halve applies Downsample2D of diffusers. It pads by 1 on all sides, or only on the right and at the bottom.
func halve(scope *model.Scope, x *graph.Node, bothSides bool) *graph.Node {
	c := nn.ConvConfig{Out: channels(x), Kernel: []int{3, 3}, Stride: []int{2, 2}, Bias: true}
	if bothSides {
		c.Padding = []int{1, 1}
	} else {
		x = nn.Pad(x, [][2]int{{0, 1}, {0, 1}})
	}
	return nn.Conv(at(scope, "downsamplers.0.conv"), x, c)
}

// enlarge applies Upsample2D of diffusers for a given output size: twice the present size or, if halving rounded up,
// one less.
func enlarge(scope *model.Scope, x *graph.Node, height, width int) *graph.Node {
	if d := x.Shape().Dimensions; height == 2*d[1] && width == 2*d[2] {
		x = nn.UpsampleNearest(x, 2)
	} else {
		x = nn.Resize(x, height, width, nn.Nearest)
	}
	return convolution3(at(scope, "upsamplers.0.conv"), x, channels(x))
}

// sequence reshapes [B, H, W, C] to [B, H·W, C].
func sequence(x *graph.Node) *graph.Node {
	d := x.Shape().Dimensions
	return graph.Reshape(x, d[0], d[1]*d[2], d[3])
}
