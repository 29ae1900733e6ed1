package nn_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

type product struct {
	name  string
	ours  func(a, b *graph.Node) *graph.Node
	plain string // expression for Einsum, without the axis of a stack
	sides func(m, k, n int) (a, b []int)
}

var products = []product{
	{"a b", nn.Times, "mk,kn->mn", func(m, k, n int) (a, b []int) { return []int{m, k}, []int{k, n} }},
	{"a bᵀ", nn.TimesTransposed, "mk,nk->mn", func(m, k, n int) (a, b []int) { return []int{m, k}, []int{n, k} }},
	{"aᵀ b", func(a, b *graph.Node) *graph.Node {
		return nn.Contract(a, 0, b, 0)
	}, "km,kn->mn", func(m, k, n int) (a, b []int) { return []int{k, m}, []int{k, n} }},
}

func (p product) reference(a, b *graph.Node) *graph.Node {
	if a.Rank() == 2 {
		return graph.Einsum(p.plain, a, b)
	}
	equation := []byte(p.plain)
	return graph.Einsum(fmt.Sprintf("z%s,z%s->zmn", equation[:2], equation[3:5]), a, b)
}

// twice returns a function that computes f(x), its gradients, and the gradients of the sum of the gradients' squares as
// second derivatives.
func twice(f func(x []*graph.Node) *graph.Node) func(x []*graph.Node) []*graph.Node {
	return func(x []*graph.Node) []*graph.Node {
		first := withGradients(f(x), x)
		sum := graph.ScalarZero(x[0].Graph(), x[0].DType())
		for i := range x {
			sum = graph.Add(sum, graph.ReduceAllSum(graph.Square(first[i])))
		}
		return append(first, graph.Gradient(sum, x...)...)
	}
}

// Products and their first two derivatives equal the plain ones.
func TestProduct_Derivatives(t *testing.T) {
	sizes := []struct{ m, k, n int }{{5, 3, 4}, {1, 250, 3}, {200, 170, 140}, {40, 3, 2}, {2, 3, 40}}
	d := devicetest.Open(t)
	for _, p := range products {
		for _, size := range sizes {
			for _, stack := range []int{0, 3} {
				a, b := p.sides(size.m, size.k, size.n)
				if stack > 0 {
					a, b = append([]int{stack}, a...), append([]int{stack}, b...)
				}
				t.Run(fmt.Sprint(p.name, a, b), func(t *testing.T) {
					ours := func(x []*graph.Node) *graph.Node { return p.ours(x[0], x[1]) }
					plain := func(x []*graph.Node) *graph.Node { return p.reference(x[0], x[1]) }
					agree(t, d, twice(ours), twice(plain), 1e-12, a, b)
				})
			}
		}
	}
}

// Softmax and its first two derivatives equal the plain ones.
func TestSoftmax_Derivatives(t *testing.T) {
	d := devicetest.Open(t)
	plain := func(x []*graph.Node) *graph.Node {
		e := graph.Exp(x[0])
		return graph.Div(e, graph.ReduceAndKeep(e, graph.ReduceSum, -1))
	}
	ours := func(x []*graph.Node) *graph.Node { return nn.Softmax(x[0]) }
	agree(t, d, twice(ours), twice(plain), 1e-12, []int{3, 2, 7})
	t.Setenv("GOMLX_FUSION", "0")
	agree(t, d, twice(ours), twice(plain), 1e-12, []int{3, 2, 7})
}

func TestProduct_SharedOperand(t *testing.T) {
	d := devicetest.Open(t)
	both := func(f func(a, b *graph.Node) *graph.Node) func(x []*graph.Node) []*graph.Node {
		return func(x []*graph.Node) []*graph.Node {
			return withGradients(graph.Add(f(x[0], x[1]), graph.Mul(f(x[1], x[0]), f(x[0], x[0]))), x)
		}
	}
	square := []int{4, 4}
	for _, p := range products {
		agree(t, d, both(p.ours), both(p.reference), 1e-12, square, square)
	}
}

// Sums of 16-bit products are float32: in bfloat16 a sum of ones ends at 256. On XLA a gradient multiplies 16-bit
// numbers.
func TestProduct_BFloat16(t *testing.T) {
	const many = 1000
	devicetest.Each(t, func(t *testing.T, d *device.Device) {
		devicetest.Watch(t, time.Minute)
		sums := func(a, b *graph.Node) []*graph.Node {
			product := nn.Times(a, b)
			return append(graph.Gradient(graph.ReduceAllSum(nn.Wide(product)), a, b), product)
		}
		got := compute(t, d, func(x []*graph.Node) (all []*graph.Node) {
			for i := range x {
				ones := graph.AddScalar(graph.MulScalar(x[i], 0), 1)
				x[i] = graph.ConvertDType(ones, dtypes.BFloat16)
			}
			before := len(x[0].Graph().Nodes())
			all = append(sums(x[0], x[1]), sums(x[2], x[3])...)
			for _, n := range x[0].Graph().Nodes()[before:] {
				if n.Type() == graph.NodeTypeDotGeneral && d.XLA() && n.Inputs()[0].DType() != dtypes.BFloat16 {
					t.Errorf("a product multiplies %s numbers", n.Inputs()[0].DType())
				}
			}
			for i := range all {
				all[i] = graph.ConvertDType(all[i], dtypes.Float64)
			}
			return all
		}, []int{2, many}, []int{many, 2}, []int{2, 1}, []int{1, many})
		// The sums are the elements of the first product and of the second left gradient.
		for i, want := range []float64{2, 2, many, many, 2, 1} {
			for _, v := range got[i] {
				if v != want {
					t.Fatalf("output %d has a %g, want %g", i, v, want)
				}
			}
		}
	})
}
