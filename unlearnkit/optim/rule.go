package optim

import "github.com/gomlx/gomlx/core/graph"

// Rule computes how one variable changes: [SGD], [Adam], [AdamW] or your own.
type Rule interface {
	// Update returns the variable's next value.
	Update(p *Parameter) *graph.Node
}

// SGD is stochastic gradient descent, torch.optim.SGD:
//
//	g ← gradient + WeightDecay·w
//	b ← Momentum·b + (1 − Dampening)·g    (b ← g at the first step)
//	w ← w − rate·b                        (w − rate·(g + Momentum·b) with Nesterov)
//
// The zero value is plain descent.
type SGD struct {
	Momentum    float64
	Dampening   float64
	Nesterov    bool
	WeightDecay float64
}

// Update implements [Rule].
func (r SGD) Update(p *Parameter) *graph.Node {
	move := withDecay(p, r.WeightDecay)
	if r.Momentum != 0 {
		gradient := move
		last, keep := p.Remember("momentum_buffer")
		fresh := gradient
		if r.Dampening != 0 {
			first := graph.LessOrEqual(p.Step(), graph.ScalarOne(p.Rate.Graph(), p.Rate.DType()))
			fresh = Times(gradient, graph.Where(first, graph.OnesLike(p.Rate), graph.ConstAs(p.Rate, 1-r.Dampening)))
		}
		move = graph.Add(graph.MulScalar(last, r.Momentum), fresh)
		keep(move)
		if r.Nesterov {
			move = graph.Add(gradient, graph.MulScalar(move, r.Momentum))
		}
	}
	return graph.Sub(p.Value, Times(move, p.Rate))
}

// Adam is torch.optim.Adam, with weight decay as a term of the gradient:
//
//	g ← gradient + WeightDecay·w
//	m ← Beta1·m + (1 − Beta1)·g
//	v ← Beta2·v + (1 − Beta2)·g²
//	w ← w − rate/(1 − Beta1ᵗ) · m / (√v/√(1 − Beta2ᵗ) + Epsilon)
//
// If zero, Beta1, Beta2 and Epsilon have PyTorch's defaults 0.9, 0.999 and 1e-8; for no decay or epsilon at all, give
// [math.SmallestNonzeroFloat64]. The scalars are computed in float64, so that the bias correction keeps its digits
// after any number of steps.
type Adam struct {
	Beta1, Beta2 float64
	Epsilon      float64
	WeightDecay  float64
}

// Update implements [Rule].
func (r Adam) Update(p *Parameter) *graph.Node {
	return r.descend(p, p.Value, withDecay(p, r.WeightDecay))
}

// AdamW is torch.optim.AdamW: [Adam] with weight decay separate from the gradient,
//
//	w ← (1 − rate·WeightDecay)·w
//
// before the step. WeightDecay is zero by default, unlike PyTorch's 0.01.
type AdamW struct {
	Beta1, Beta2 float64
	Epsilon      float64
	WeightDecay  float64
}

// Update implements [Rule].
func (r AdamW) Update(p *Parameter) *graph.Node {
	value := p.Value
	if r.WeightDecay != 0 && p.Decays {
		value = Times(value, graph.OneMinus(graph.MulScalar(p.Rate, r.WeightDecay)))
	}
	return Adam(r).descend(p, value, p.Gradient)
}

// descend returns value after a step along the moments of gradient.
func (r Adam) descend(p *Parameter, value, gradient *graph.Node) *graph.Node {
	beta1, beta2, epsilon := orDefault(r.Beta1, 0.9), orDefault(r.Beta2, 0.999), orDefault(r.Epsilon, 1e-8)
	mean, keepMean := p.Remember("exp_avg")
	square, keepSquare := p.Remember("exp_avg_sq")
	mean = graph.Add(graph.MulScalar(mean, beta1), graph.MulScalar(gradient, 1-beta1))
	square = graph.Add(graph.MulScalar(square, beta2), graph.MulScalar(graph.Square(gradient), 1-beta2))
	keepMean(mean)
	keepSquare(square)
	step := p.Step()
	correction := func(beta float64) *graph.Node { return graph.OneMinus(graph.Pow(graph.ConstAs(step, beta), step)) }
	root := Times(graph.Sqrt(square), graph.Reciprocal(graph.Sqrt(correction(beta2))))
	return graph.Sub(value, Times(graph.Div(mean, graph.AddScalar(root, epsilon)),
		graph.Div(p.Rate, correction(beta1))))
}

// withDecay returns the gradient with the term of an L2 penalty.
func withDecay(p *Parameter, decay float64) *graph.Node {
	if decay == 0 || !p.Decays {
		return p.Gradient
	}
	return graph.Add(p.Gradient, graph.MulScalar(p.Value, decay))
}

func orDefault(value, fallback float64) float64 {
	if value == 0 {
		return fallback
	}
	return value
}
