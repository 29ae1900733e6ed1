package optim_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

const dtype = dtypes.Float32

// three runs build once over the variables a = (1, 2), b = (3, 4) and c = (5, 6) and returns its outputs.
func three(t *testing.T, build func(scope *model.Scope, a, b, c *graph.Node) []*graph.Node) (*given, [][]float64) {
	t.Helper()
	g := &given{store: model.NewStore()}
	for i, name := range []string{"a", "b", "c"} {
		g.create(t, "/model/"+name, tensor("float32", []float64{float64(2*i + 1), float64(2*i + 2)}, []int{2}))
	}
	step, err := devicetest.Open(t).Compile("three", g.store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		at := scope.At("model")
		return build(at, at.GetVariable("a").NodeValue(x[0]), at.GetVariable("b").NodeValue(x[0]),
			at.GetVariable("c").NodeValue(x[0]))
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := step.Run(t.Context(), 0.0)
	if err != nil {
		t.Fatal(err)
	}
	var results [][]float64
	for _, result := range out {
		results = append(results, values(result))
	}
	return g, results
}

func TestGradients_Add(t *testing.T) {
	_, got := three(t, func(scope *model.Scope, a, b, c *graph.Node) []*graph.Node {
		one := optim.Differentiate(scope, graph.ReduceAllSum(graph.Add(graph.Square(a), graph.Square(b))), nil)
		other := optim.Differentiate(scope, graph.ReduceAllSum(graph.Mul(b, c)), nil)
		sum := one.Plus(other)
		if len(sum.Variables) != 3 {
			t.Errorf("the sum has %d variables", len(sum.Variables))
		}
		return append(sum.Nodes, one.Dot(other), one.Dot(optim.Differentiate(scope, graph.ReduceAllSum(c), nil)),
			other.Plus(one).Norm())
	})
	// The gradients by a, b and c are 2a, 2b + c and b. The inner product is b's 2b·c.
	want := [][]float64{{2, 4}, {11, 14}, {3, 4}, {2*3*5 + 2*4*6}, {0}, {math.Sqrt(4 + 16 + 121 + 196 + 9 + 16)}}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("result %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestGradients_Negated(t *testing.T) {
	g, _ := three(t, func(scope *model.Scope, a, _, _ *graph.Node) []*graph.Node {
		o := optim.Optimizer{Rule: optim.SGD{}}
		gradients := optim.Differentiate(scope, graph.ReduceAllSum(graph.Square(a)), nil)
		ascent := gradients.Map(func(path string, gradient *graph.Node) *graph.Node {
			if path != "a" {
				t.Errorf("the path is %q", path)
			}
			return graph.Neg(gradient)
		})
		return []*graph.Node{o.Apply(scope, ascent, graph.Const(a.Graph(), 0.5))}
	})
	if got := g.value("a"); !slices.Equal(got, []float64{2, 4}) {
		t.Errorf("a is %v", got)
	}
}

func TestGradients_Projected(t *testing.T) {
	_, got := three(t, func(scope *model.Scope, a, b, c *graph.Node) []*graph.Node {
		forget := optim.Differentiate(scope, graph.ReduceAllSum(graph.Mul(a, b)), nil)
		retain := optim.Differentiate(scope, graph.ReduceAllSum(graph.Mul(graph.Square(a), graph.Mul(b, c))), nil)
		along := graph.Neg(graph.Div(forget.Dot(retain), retain.Dot(retain)))
		projected := forget.Plus(retain.Map(func(_ string, gradient *graph.Node) *graph.Node {
			return optim.Times(gradient, along)
		}))
		return []*graph.Node{projected.Dot(retain), forget.Dot(retain)}
	})
	if math.Abs(got[0][0]) > 1e-6*got[1][0] {
		t.Errorf("the inner product is %g and was %g", got[0][0], got[1][0])
	}
}

func ExampleOptimizer() {
	d, err := device.Open("go")
	if err != nil {
		panic(err)
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}, ClipNorm: 1, NoDecay: optim.NoDecayForVectors}
	step, err := d.Compile("train", store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		x, y, rate := inputs[0], inputs[1], inputs[2]
		loss := graph.ReduceAllMean(graph.Square(graph.Sub(nn.Linear(scope.At("model"), x, 1, true), y)))
		return []*graph.Node{loss, optimizer.Minimize(scope.At("model"), loss, rate)}
	})
	if err != nil {
		panic(err)
	}
	schedule := optim.Cosine{Peak: 0.1, Warmup: 10, Steps: 200}
	var loss float32
	for i := range 200 {
		outputs, err := step.Run(context.Background(), [][]float32{{0}, {1}, {2}}, [][]float32{{1}, {3}, {5}},
			schedule.Rate(i))
		if err != nil {
			panic(err)
		}
		loss = outputs[0].Value().(float32)
	}
	fmt.Printf("the line is found: %v\n", loss < 1e-3)
	// Output: the line is found: true
}

// signDescent is a user's own rule: a step along the sign of the gradient.
type signDescent struct{}

func (signDescent) Update(p *optim.Parameter) *graph.Node {
	return graph.Sub(p.Value, optim.Times(graph.Sign(p.Gradient), p.Rate))
}

func ExampleRule() {
	d, err := device.Open("go")
	if err != nil {
		panic(err)
	}
	store := model.NewStore()
	store.VariableWithValue("/model/w", []float64{1, -2})
	step, err := d.Compile("train", store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		w := store.GetVariable("/model/w").NodeValue(inputs[0])
		return []*graph.Node{optim.Optimizer{Rule: signDescent{}}.Minimize(scope.At("model"),
			graph.ReduceAllSum(graph.Square(w)), inputs[0])}
	})
	if err != nil {
		panic(err)
	}
	if _, err := step.Run(context.Background(), 0.25); err != nil {
		panic(err)
	}
	fmt.Println(store.GetVariable("/model/w").MustValue().Value())
	// Output: [0.75 -1.75]
}
