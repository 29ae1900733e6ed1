package wav2vec2

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Frames returns the number of frames that the convolutions compute from a number of samples. It is 0 if there are too
// few samples for one.
func (c Config) Frames(samples int) int {
	for i, kernel := range c.ConvKernel {
		samples = max(samples-kernel+c.ConvStride[i], 0) / c.ConvStride[i]
	}
	return samples
}

// ReceptiveField returns the number of samples in a frame, which is 400 in the full-size models.
func (c Config) ReceptiveField() int {
	field := 1
	for i := len(c.ConvKernel) - 1; i >= 0; i-- {
		field = (field-1)*c.ConvStride[i] + c.ConvKernel[i]
	}
	return field
}

// valid returns a mask [B, frames] that is true for frames computed only from samples where mask is not zero.
func (c Config) valid(mask *graph.Node, frames int) *graph.Node {
	if mask.DType() != dtypes.Bool {
		mask = graph.NotEqual(mask, graph.ScalarZero(mask.Graph(), mask.DType()))
	}
	count := graph.ReduceSum(graph.ConvertDType(mask, dtypes.Int32), 1)
	zero := graph.ScalarZero(mask.Graph(), dtypes.Int32)
	for i, kernel := range c.ConvKernel { // same as in Frames
		stride := c.ConvStride[i]
		count = graph.Div(graph.Max(graph.AddScalar(count, stride-kernel), zero),
			graph.Const(mask.Graph(), int32(stride)))
	}
	places := graph.Iota(mask.Graph(), shapes.Make(dtypes.Int32, 1, frames), 1)
	return graph.LessThan(places, graph.InsertAxes(count, -1))
}

// features returns the frames [B, frames, channels] that the convolutions compute from samples [B, samples].
func features(scope *model.Scope, c Config, values *graph.Node) *graph.Node {
	samples := values.Shape().Dimensions[1]
	if c.Frames(samples) == 0 {
		panic(fmt.Errorf("%d samples are too few: the model's first frame takes %d", samples, c.ReceptiveField()))
	}
	x := graph.InsertAxes(values, -1)
	for i, out := range c.ConvDim {
		layer := scope.At("conv_layers").At("%d", i)
		in, kernel := x.Shape().Dimensions[2], c.ConvKernel[i]
		nn.Parameter(layer.At("conv"), x, "weight", nn.Normal(deviation(in*kernel)), out, in, kernel)
		if c.ConvBias && c.ModelType == hubertType {
			nn.Parameter(layer.At("conv"), x, "bias", nn.Constant(0), out)
		}
		x = nn.Conv(layer.At("conv"), x,
			nn.ConvConfig{Out: out, Kernel: []int{kernel}, Stride: []int{c.ConvStride[i]}, Bias: c.ConvBias})
		// The norms of the convolutions have PyTorch's default ε, regardless of layer_norm_eps.
		switch {
		case c.FeatExtractNorm == layerNorm:
			x = nn.LayerNorm(layer.At("layer_norm"), x, 1e-5)
		case i == 0:
			x = nn.GroupNorm(layer.At("layer_norm"), x, out, 1e-5)
		}
		x = nn.Activation(c.FeatExtractActivation, x)
	}
	return x
}

// normalise applies the norm before the projection, if the model has one.
func normalise(scope *model.Scope, c Config, x *graph.Node) *graph.Node {
	if !c.FeatProjLayerNorm {
		return x
	}
	return nn.LayerNorm(scope.At("feature_projection").At("layer_norm"), x, c.LayerNormEps)
}

// project maps the frames to the width of the encoder, and replaces masked frames (SpecAugment; Park et al., 2019).
func project(scope *model.Scope, c Config, x *graph.Node, noise Noise) *graph.Node {
	projection := scope.At("feature_projection")
	if c.ModelType == hubertType {
		x = linear(projection.At("projection"), c, x, c.HiddenSize)
	} else {
		x = nn.Linear(projection.At("projection"), x, c.HiddenSize, true)
	}
	x = noise.dropout(siteFeatures, x, c.FeatProjDropout)
	if c.masks() {
		embedding := nn.Parameter(scope, x, "masked_spec_embed", fromZeroToOne, c.HiddenSize)
		if time := noise[siteTime]; time != nil {
			x = graph.Where(time, graph.BroadcastToDims(graph.ExpandLeftToRank(embedding, 3), x.Shape().Dimensions...),
				x)
		}
	}
	if channels := noise[siteChannels]; channels != nil {
		x = graph.Where(graph.BroadcastToDims(graph.InsertAxes(channels, 1), x.Shape().Dimensions...),
			graph.ScalarZero(x.Graph(), x.DType()), x)
	}
	return x
}

// masks reports whether the model has a vector for masked frames.
func (c Config) masks() bool { return c.MaskTimeProb > 0 || c.MaskFeatureProb > 0 }
