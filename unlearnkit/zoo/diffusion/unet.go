package diffusion

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// UNet returns the network's output [B, Out, H, W] for samples [B, In, H, W], given the text's hidden states [B, T,
// Context]. There is one timestep for each sample or one for all. Height and width are arbitrary. UNet computes with
// the type of its tensors, regardless of the samples' type.
func UNet(scope *model.Scope, c UNetConfig, sample, timestep, context *graph.Node) *graph.Node {
	number := nn.Type(scope)
	x := channelsLast(graph.ConvertDType(sample, number))
	context = graph.ConvertDType(context, number)
	time := c.time(scope.At("time_embedding"), timestep, x)
	n := norm{c.Groups, c.Epsilon}

	x = convolution3(scope.At("conv_in"), x, c.Levels[0].Channels)
	layer := func(block *model.Scope, i int, l Level, attends bool) {
		x = residual(block.At("resnets").At("%d", i), x, time, l.Channels, n)
		if attends {
			x = c.transformer(block.At("attentions").At("%d", i), x, context, l)
		}
	}
	last := len(c.Levels) - 1

	skips := []*graph.Node{x}
	for i, l := range c.Levels {
		block := scope.At("down_blocks").At("%d", i)
		for j := range l.Layers {
			layer(block, j, l, l.DownAttention)
			skips = append(skips, x)
		}
		if i < last {
			x = halve(block, x, true)
			skips = append(skips, x)
		}
	}

	layer(scope.At("mid_block"), 0, c.Levels[last], true)
	layer(scope.At("mid_block"), 1, c.Levels[last], false)

	for i := range c.Levels {
		l, block := c.Levels[last-i], scope.At("up_blocks").At("%d", i)
		for j := range l.Layers + 1 {
			top := len(skips) - 1
			x = graph.Concatenate([]*graph.Node{x, skips[top]}, -1)
			skips = skips[:top]
			layer(block, j, l, l.UpAttention)
		}
		if i < last {
			size := skips[len(skips)-1].Shape().Dimensions
			x = enlarge(block, x, size[1], size[2])
		}
	}
	x = nn.SiLU(n.apply(scope.At("conv_norm_out"), x))
	return graph.ConvertDType(channelsFirst(c.output(scope.At("conv_out"), x)), sample.DType())
}

// output applies the last convolution. If ZeroOutput is set, its tensors are initially zero.
func (c UNetConfig) output(scope *model.Scope, x *graph.Node) *graph.Node {
	if c.ZeroOutput {
		nn.Parameter(scope, x, "weight", nn.Constant(0), c.Out, channels(x), 3, 3)
		nn.Parameter(scope, x, "bias", nn.Constant(0), c.Out)
	}
	return convolution3(scope, x, c.Out)
}

// time represents the timesteps, one for each sample or one for all, as sinusoids (Vaswani et al.) followed by two
// linear layers.
func (c UNetConfig) time(scope *model.Scope, timestep, like *graph.Node) *graph.Node {
	batch, half := like.Shape().Dimensions[0], c.Levels[0].Channels/2
	frequencies := make([]float64, half)
	for i := range frequencies {
		// Numbers are rounded as in PyTorch, because at timestep 999 the seventh digit of a frequency affects the
		// fourth of its sine.
		exponent := float32(-math.Log(10000)) * float32(i) / float32(float64(half)-c.FrequencyShift)
		frequencies[i] = float64(float32(vectorstate.Exp(float64(exponent))))
	}
	number := like.DType()
	like = nn.Wide(like)
	timestep = graph.ConvertDType(timestep, like.DType())
	timestep = graph.BroadcastToDims(graph.Reshape(timestep, -1, 1), batch, half)
	angles := graph.Mul(timestep, graph.BroadcastToDims(graph.Reshape(graph.ConstAsDType(like.Graph(), like.DType(),
		frequencies), 1, half), batch, half))
	parts := []*graph.Node{graph.Sin(angles), graph.Cos(angles)}
	if c.CosineFirst {
		parts[0], parts[1] = parts[1], parts[0]
	}
	h := nn.Linear(scope.At("linear_1"), graph.ConvertDType(graph.Concatenate(parts, -1), number),
		c.timeWidth(), true)
	return nn.Linear(scope.At("linear_2"), nn.SiLU(h), c.timeWidth(), true)
}
