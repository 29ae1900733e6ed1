package nn_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// A configuration may come from a file, so an invalid one must give an error of one line.
func TestLayers_Refused(t *testing.T) {
	convolve := func(c nn.ConvConfig) func(*model.Scope, *graph.Node) *graph.Node {
		return func(s *model.Scope, x *graph.Node) *graph.Node { return nn.Conv(s, x, c) }
	}
	tests := []struct {
		name  string
		x     []int
		build func(*model.Scope, *graph.Node) *graph.Node
		want  string
	}{
		{"a kernel that is too large", []int{1, 3, 2}, convolve(nn.ConvConfig{Out: 1, Kernel: []int{4}}),
			"the kernel [4] with dilation [1] is larger than (Float32)[1, 3, 2] with padding [0]"},
		{"a kernel with too few axes", []int{1, 3, 3, 2}, convolve(nn.ConvConfig{Out: 1, Kernel: []int{3}}),
			"a convolution of (Float32)[1, 3, 3, 2] needs kernel, stride, padding and dilation for each of 2 spatial " +
				"axes"},
		{"a kernel without axes", []int{1, 3}, convolve(nn.ConvConfig{Out: 1}),
			"a convolution of (Float32)[1, 3] needs kernel, stride, padding and dilation for each of 0 spatial axes"},
		{"groups that do not divide the outputs", []int{1, 3, 4},
			convolve(nn.ConvConfig{Out: 3, Kernel: []int{1}, Groups: 2}),
			"a convolution of (Float32)[1, 3, 4] in 2 groups needs a weight [3 2 1], got (Float32)[3, 2, 1]"},
		{"groups that do not divide the channels", []int{1, 3, 5}, func(s *model.Scope, x *graph.Node) *graph.Node {
			return nn.GroupNorm(s, x, 2, 1e-5)
		},
			"group norm of (Float32)[1, 3, 5]: 2 groups do not divide 5 channels"},
		{"heads that do not divide the width", []int{1, 3, 5}, func(_ *model.Scope, x *graph.Node) *graph.Node {
			return nn.Attention(x, x, x, nn.AttentionConfig{Heads: 2})
		}, "attention of 2 heads to 2 does not fit queries (Float32)[1, 3, 5], keys (Float32)[1, 3, 5] and values " +
			"(Float32)[1, 3, 5]"},
		{"no heads", []int{1, 3, 5}, func(_ *model.Scope, x *graph.Node) *graph.Node {
			return nn.Attention(x, x, x, nn.AttentionConfig{})
		},
			"attention of 0 heads to 0 does not fit queries (Float32)[1, 3, 5], keys (Float32)[1, 3, 5] and values " +
				"(Float32)[1, 3, 5]"},
		{"an odd width", []int{1, 2, 1, 5}, func(_ *model.Scope, x *graph.Node) *graph.Node {
			return nn.RoPE(x, graph.Const(x.Graph(), []int32{0, 1}), 1e4)
		}, "rotary positions need [batch, time, heads, an even width], got (Float32)[1, 2, 1, 5]"},
		{"a batch of one value", []int{1, 1, 3}, func(s *model.Scope, x *graph.Node) *graph.Node {
			return nn.BatchNorm(s, x, nn.BatchNormConfig{Training: true})
		}, "batch norm /layer: one value per channel has no variance, got (Float32)[1, 1, 3]"},
		{"an activation", []int{1}, func(_ *model.Scope, x *graph.Node) *graph.Node {
			return nn.Activation("swish2", x)
		},
			`the activation "swish2" is not known`},
		{"images without a height", []int{1, 2, 3}, func(_ *model.Scope, x *graph.Node) *graph.Node {
			return nn.Resize(x, 2, 2, nn.Bilinear)
		},
			"resize needs [batch, height, width, channels], got (Float32)[1, 2, 3]"},
		{"a window larger than the input", []int{1, 2, 3}, func(_ *model.Scope, x *graph.Node) *graph.Node {
			return nn.MaxPool(x, 3, 1, 0)
		},
			"a window of 3 does not fit (Float32)[1, 2, 3] with padding 0, which may be half a window at most"},
		{"a window wholly in the padding", []int{1, 2, 3}, func(_ *model.Scope, x *graph.Node) *graph.Node {
			return nn.MeanPool(x, 3, 1, 2)
		},
			"a window of 3 does not fit (Float32)[1, 2, 3] with padding 2, which may be half a window at most"},
	}
	d := devicetest.Open(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := d.Trace("build", model.NewStore(), func(scope *model.Scope, x []*graph.Node) []*graph.Node {
				return []*graph.Node{test.build(scope.At("layer"), x[0])}
			}, shapes.Make(dtypes.Float32, test.x...))
			if err == nil || err.Error() != "build: "+test.want {
				t.Errorf("the error is %q, want %q", err, "build: "+test.want)
			}
		})
	}
}

func TestActivations_Names(t *testing.T) {
	names := map[string]func(*graph.Node) *graph.Node{
		"gelu": nn.GELU, "gelu_new": nn.GELUTanh, "gelu_pytorch_tanh": nn.GELUTanh, "quick_gelu": nn.QuickGELU,
		"silu": nn.SiLU, "relu": nn.ReLU,
	}
	d := devicetest.Open(t)
	for name, f := range names {
		named := func(x []*graph.Node) []*graph.Node { return []*graph.Node{nn.Activation(name, x[0])} }
		agree(t, d, named, func(x []*graph.Node) []*graph.Node { return []*graph.Node{f(x[0])} }, 0, []int{7})
	}
}
