package classifying

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// noiseSource is the name of the random columns with which the noise of [UNSIR] starts.
const noiseSource = "noise"

// UNSIR returns the method of impairing and repairing (Tarun et al., 2023) in the sample-wise form of Choi and Na. The
// first phase pairs each row of the forget set with one of the retain set. Noise z of the inputs' shape is moved away
// from the model's output for the row x to forget, by a few steps of Adam on
//
//	-mean (f(z) - f(x))²,
//
// and clipped to [0, 1]. Then the model learns the noise under the label of the row x' to keep, and that row itself:
//
//	CE(f(z), y) + CE(f(x'), y).
//
// The second phase repairs the model by a plain pass over the retain set.
func UNSIR() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("unsir"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			impair, err := phase(p, impairLoss(p.Whole("noise-steps"), p.Value("noise-rate")), unlearn.Retain,
				unlearn.Forget)
			if err != nil {
				return nil, err
			}
			row, err := shapeOfInput(p, unlearn.Forget)
			if err != nil {
				return nil, err
			}
			impair.Name, impair.Pairing = "impairing", unlearn.Shortest
			impair.Random = []unlearn.Random{{Name: noiseSource, Columns: []string{Input}, Draw: normal(row)}}
			repair, err := phase(p, retainLoss, unlearn.Retain)
			repair.Name = "repairing"
			if p.Value("repair-adam") == 0 {
				repair.Optimizer.Rule = optim.SGD{}
			}
			return []Phase{impair, repair}, err
		},
	}
}

func impairLoss(steps int, rate float64) loss {
	return func(m Models, b unlearn.Batch) *graph.Node {
		forget, labels := RowsOf(b, unlearn.Forget), b.Of(unlearn.Retain, Label)
		target := graph.StopGradient(m.Policy.Logits(forget))
		noise := descend(b.Of(noiseSource, Input), steps, rate, func(z *graph.Node) *graph.Node {
			far := graph.Square(graph.Sub(m.Policy.Logits(Rows{Input: z, Mask: forget.Mask}), target))
			return graph.Neg(graph.ReduceAllMean(far))
		})
		noise = graph.StopGradient(graph.ClipScalar(noise, 0, 1))
		impaired := crossEntropy(m.Policy.Logits(Rows{Input: noise, Mask: forget.Mask}), labels)
		return graph.Add(impaired, retainLoss(m, b))
	}
}

// descend returns x after steps of PyTorch's Adam along a loss.
func descend(x *graph.Node, steps int, rate float64, of func(*graph.Node) *graph.Node) *graph.Node {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	mean, square := graph.ZerosLike(x), graph.ZerosLike(x)
	for step := 1; step <= steps; step++ {
		gradient := graph.Gradient(of(x), x)[0]
		mean = graph.Add(graph.MulScalar(mean, beta1), graph.MulScalar(gradient, 1-beta1))
		square = graph.Add(graph.MulScalar(square, beta2), graph.MulScalar(graph.Square(gradient), 1-beta2))
		correction1, correction2 := 1-math.Pow(beta1, float64(step)), 1-math.Pow(beta2, float64(step))
		root := graph.AddScalar(graph.DivScalar(graph.Sqrt(square), math.Sqrt(correction2)), epsilon)
		x = graph.Sub(x, graph.MulScalar(graph.Div(mean, root), rate/correction1))
	}
	return x
}

// normal returns a function that draws normally distributed rows of the given shape.
func normal(row []int) func(random *rand.Rand, rows int) ([]*tensors.Tensor, error) {
	return func(random *rand.Rand, rows int) ([]*tensors.Tensor, error) {
		dimensions := append([]int{rows}, row...)
		size := 1
		for _, dimension := range dimensions {
			size *= dimension
		}
		values := make([]float32, size)
		for i := range values {
			values[i] = float32(random.NormFloat64())
		}
		return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(values, dimensions...)}, nil
	}
}

// shapeOfInput returns the shape of one input of a stream.
func shapeOfInput(p *unlearn.Plan, name string) ([]int, error) {
	stream, err := p.Stream(name, Input)
	if err != nil {
		return nil, err
	}
	columns, err := stream.Batch([]int{0})
	if err != nil {
		return nil, err
	}
	at := slices.Index(stream.Columns(), Input)
	if at >= len(columns) || columns[at].Shape().Rank() == 0 {
		return nil, fmt.Errorf("the task's stream %q gives no rows of its column %q", name, Input)
	}
	return columns[at].Shape().Dimensions[1:], nil
}
