package optim_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

// flat holds tensors by their paths.
type flat map[string][]float64

// reference is testdata/optim.json, which testdata/gen_optim.py makes.
type reference struct {
	Shapes    map[string][]int
	Rates     []float64
	Initial   flat
	Gradients []flat
	Cases     []referenceCase
	Long      []struct {
		Rule, Type string
		After      []float64
	}
	Schedules map[string][]float64
	Plateaus  []struct {
		Options struct {
			Mode          string
			Patience      int
			Cooldown      int
			Factor        float64
			Threshold     float64
			ThresholdMode string  `json:"threshold_mode"`
			MinLR         float64 `json:"min_lr"`
		}
		Observed []*float64
		Rates    []float64
	}
}

type referenceCase struct {
	Rule, Type string
	Options    struct {
		Momentum    float64
		Dampening   float64
		Nesterov    bool
		Betas       [2]float64
		Eps         float64
		WeightDecay float64 `json:"weight_decay"`
	}
	NoDecayForVectors bool `json:"no_decay_for_vectors"`
	Clip              float64
	Accumulate        int
	Average           float64
	Factors           map[string]float64
	Norms             []float64
	After             map[int]flat
	Averages          flat
}

func load(t *testing.T) (r reference) {
	t.Helper()
	content, err := os.ReadFile("testdata/optim.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func (c referenceCase) optimizer() optim.Optimizer {
	adam := optim.Adam{Beta1: c.Options.Betas[0], Beta2: c.Options.Betas[1], Epsilon: c.Options.Eps,
		WeightDecay: c.Options.WeightDecay}
	o := optim.Optimizer{ClipNorm: c.Clip, Accumulate: c.Accumulate, Average: c.Average}
	switch c.Rule {
	case "SGD":
		o.Rule = optim.SGD{Momentum: c.Options.Momentum, Dampening: c.Options.Dampening, Nesterov: c.Options.Nesterov,
			WeightDecay: c.Options.WeightDecay}
	case "Adam":
		o.Rule = adam
	case "AdamW":
		o.Rule = optim.AdamW(adam)
	}
	if c.NoDecayForVectors {
		o.NoDecay = optim.NoDecayForVectors
	}
	if c.Factors != nil {
		o.Select = func(path string) float64 {
			if factor, given := c.Factors[path]; given {
				return factor
			}
			return 1
		}
	}
	return o
}

// tensor returns the values as a tensor of float64 or float32.
func tensor(kind string, values []float64, dimensions []int) *tensors.Tensor {
	if kind == "float64" {
		return tensors.FromFlatDataAndDimensions(slices.Clone(values), dimensions...)
	}
	single := make([]float32, len(values))
	for i, value := range values {
		single[i] = float32(value)
	}
	return tensors.FromFlatDataAndDimensions(single, dimensions...)
}

// values reads a tensor of either type.
func values(t *tensors.Tensor) []float64 {
	if t.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](t)
	}
	single := tensors.MustCopyFlatData[float32](t)
	wide := make([]float64, len(single))
	for i, value := range single {
		wide[i] = float64(value)
	}
	return wide
}

// given is a model with prescribed gradients. Its loss is the sum of the products of its variables and the inputs, so
// the inputs are the gradients.
type given struct {
	store   *model.Store
	names   []string
	step    *device.Program
	largest map[string][]float64 // the largest magnitudes that elements have had
}

func newGiven(t *testing.T, kind string, shapes map[string][]int, initial flat, o optim.Optimizer) *given {
	t.Helper()
	g := &given{store: model.NewStore(), names: slices.Sorted(maps.Keys(shapes)), largest: map[string][]float64{}}
	for _, name := range slices.Backward(g.names) {
		g.create(t, "/model/"+name, tensor(kind, initial[name], shapes[name]))
		g.largest[name] = make([]float64, len(initial[name]))
	}
	step, err := devicetest.Open(t).Compile("step", g.store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{o.Minimize(scope.At("model"), g.loss(x[1:]), x[0])}
	})
	if err != nil {
		t.Fatal(err)
	}
	g.step = step
	return g
}

func (g *given) create(t *testing.T, path string, value *tensors.Tensor) {
	t.Helper()
	if _, err := g.store.CreateVariable(path, value); err != nil {
		t.Fatal(err)
	}
}

func (g *given) loss(gradients []*graph.Node) *graph.Node {
	loss := graph.ScalarZero(gradients[0].Graph(), gradients[0].DType())
	for i, name := range g.names {
		loss = graph.Add(loss, graph.ReduceAllSum(graph.Mul(g.store.GetVariable("/model/"+name).NodeValue(loss),
			gradients[i])))
	}
	return loss
}

// run makes one step and returns the norm.
func (g *given) run(t *testing.T, rate float64, gradients flat) float64 {
	t.Helper()
	arguments := []any{rate}
	for _, name := range g.names {
		variable := g.store.GetVariable("/model/" + name)
		arguments = append(arguments, tensor(kindOf(variable), gradients[name], variable.Shape().Dimensions))
	}
	out, err := g.step.Run(t.Context(), arguments...)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range g.names {
		for i, value := range g.value(name) {
			g.largest[name][i] = max(g.largest[name][i], math.Abs(value))
		}
	}
	return out[0].Value().(float64)
}

func kindOf(variable *model.Variable) string {
	if variable.DType() == dtypes.Float64 {
		return "float64"
	}
	return "float32"
}

func (g *given) value(name string) []float64 {
	return values(g.store.GetVariable("/model/" + name).MustValue())
}

// agree compares values by their distance from the initial ones, because the values themselves can hide a wrong step.
// The allowed error is a fraction of that distance plus the given number of rounding errors at the largest magnitude
// that the value has had.
func agree(t *testing.T, what, kind string, got, want, from, largest []float64, roundings float64) {
	t.Helper()
	tolerance, rounding := 1e-5, 0x1p-23
	if kind == "float64" {
		tolerance, rounding = 1e-12, 0x1p-52
	}
	for i := range want {
		size := max(math.Abs(from[i]), largest[i])
		allowed := tolerance*math.Abs(want[i]-from[i]) + rounding*size*roundings
		if difference := math.Abs(got[i] - want[i]); !(difference <= allowed) {
			t.Errorf("%s[%d] went from %g to %.17g, torch's to %.17g", what, i, from[i], got[i], want[i])
			return
		}
	}
}

func TestTorch_TenSteps(t *testing.T) {
	r := load(t)
	for i, c := range r.Cases {
		t.Run(fmt.Sprintf("%s %s %d", c.Rule, c.Type, i/2), func(t *testing.T) {
			g := newGiven(t, c.Type, r.Shapes, r.Initial, c.optimizer())
			moves := 0
			for step := range r.Gradients {
				norm := g.run(t, r.Rates[step], r.Gradients[step])
				if (step+1)%max(1, c.Accumulate) == 0 {
					if want := c.Norms[moves]; math.Abs(norm-want) > 1e-6*want {
						t.Errorf("the norm at step %d is %g, torch's %g", step, norm, want)
					}
					moves++
				}
				for name, want := range c.After[step] {
					agree(t, fmt.Sprintf("after step %d: %s", step, name), c.Type, g.value(name), want, r.Initial[name],
						g.largest[name], float64(step+1))
				}
			}
			for name := range g.names {
				if name := g.names[name]; c.After[9][name] == nil && !slices.Equal(g.value(name), r.Initial[name]) {
					t.Errorf("%s is frozen and moved", name)
				}
			}
			for name, want := range c.Averages {
				average := values(g.store.GetVariable("/optimizer/average/model/" + name).MustValue())
				agree(t, "the average of "+name, c.Type, average, want, r.Initial[name], g.largest[name], 10)
			}
		})
	}
}

// If the step's number or the powers of the betas were in float32, the error would be larger long before the last step.
func TestTorch_TenThousandSteps(t *testing.T) {
	const steps = 10_000
	for _, c := range load(t).Long {
		t.Run(c.Rule+" "+c.Type, func(t *testing.T) {
			optimizer := referenceCase{Rule: c.Rule}
			optimizer.Options.WeightDecay = 0.01
			initial := []float64{0, 1, 2, 3, 4, 5}
			g := newGiven(t, c.Type, map[string][]int{"p": {6}}, flat{"p": initial}, optimizer.optimizer())
			gradient := make([]float64, 6)
			for step := range steps {
				for i := range gradient {
					gradient[i] = math.Cos(0.001*float64(step)*float64(i+1)) + 0.1
				}
				g.run(t, 1e-3, flat{"p": gradient})
			}
			// The rounding errors of ten thousand sums add up like a random walk.
			agree(t, "p", c.Type, g.value("p"), c.After, initial, g.largest["p"], math.Sqrt(steps))
		})
	}
}
