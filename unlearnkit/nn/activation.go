package nn

import (
	"fmt"
	"math"

	"github.com/gomlx/gomlx/core/graph"
)

// GELU returns x Φ(x) with the exact normal distribution function.
func GELU(x *graph.Node) *graph.Node {
	return inFloat32(x, func(x *graph.Node) *graph.Node {
		return graph.Mul(x, graph.MulScalar(graph.OnePlus(graph.Erf(graph.MulScalar(x, math.Sqrt2/2))), 0.5))
	})
}

// GELUTanh returns the approximation of [GELU] by a hyperbolic tangent.
func GELUTanh(x *graph.Node) *graph.Node {
	cubic := graph.Mul(x, graph.OnePlus(graph.MulScalar(graph.Square(x), 0.044715)))
	return graph.Mul(x, graph.MulScalar(graph.OnePlus(graph.Tanh(graph.MulScalar(cubic, math.Sqrt(2/math.Pi)))), 0.5))
}

// QuickGELU returns OpenAI CLIP's approximation of [GELU], x σ(1.702 x).
func QuickGELU(x *graph.Node) *graph.Node {
	return graph.Mul(x, graph.Sigmoid(graph.MulScalar(x, 1.702)))
}

// SiLU returns x σ(x).
func SiLU(x *graph.Node) *graph.Node {
	return inFloat32(x, func(x *graph.Node) *graph.Node { return graph.Mul(x, graph.Sigmoid(x)) })
}

// ReLU returns max(0, x). Its gradient at 0 is 0.
func ReLU(x *graph.Node) *graph.Node { return graph.Max(graph.ScalarZero(x.Graph(), x.DType()), x) }

var activations = map[string]func(*graph.Node) *graph.Node{
	"gelu":              GELU,
	"gelu_new":          GELUTanh,
	"gelu_pytorch_tanh": GELUTanh,
	"quick_gelu":        QuickGELU,
	"silu":              SiLU,
	"relu":              ReLU,
}

// Activation applies the function that a model's configuration names: "gelu", "gelu_new", "gelu_pytorch_tanh",
// "quick_gelu", "silu" or "relu". Any other name panics.
func Activation(name string, x *graph.Node) *graph.Node {
	f, ok := activations[name]
	if !ok {
		panic(fmt.Errorf("the activation %q is not known", name))
	}
	return f(x)
}
