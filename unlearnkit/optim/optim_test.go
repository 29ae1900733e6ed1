package optim_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// everything returns an optimizer that uses every option with a state that a resumed run must restore.
func everything() optim.Optimizer {
	return optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.1}, Scope: "/kept/here", ClipNorm: 1, Accumulate: 3,
		Average: 0.8}
}

// perceptron returns the loss of a network with two layers. Its gradients differ from step to step.
func perceptron(scope *model.Scope, x *graph.Node) *graph.Node {
	h := graph.Tanh(nn.Linear(scope.At("first"), x, 5, true))
	return graph.ReduceAllMean(graph.Square(graph.AddScalar(nn.Linear(scope.At("second"), h, 3, true), -1)))
}

// trainer runs steps of optimizer on a seeded perceptron below the scope "policy" of a store.
type trainer struct {
	store *model.Store
	step  *device.Program
}

func newTrainer(t testing.TB, o optim.Optimizer) *trainer {
	t.Helper()
	r := &trainer{store: model.NewStore()}
	nn.Seed(r.store.RootScope().At("policy"), 7)
	step, err := devicetest.Open(t).Compile("step", r.store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		loss := perceptron(scope.At("policy"), x[0])
		return []*graph.Node{loss, o.Minimize(scope.At("policy"), loss, x[1])}
	})
	if err != nil {
		t.Fatal(err)
	}
	r.step = step
	return r
}

// batch returns the same tensor for the same number.
func batch(number, rows int) *tensors.Tensor {
	values := make([]float32, rows*4)
	random := seed.Stream(1, "batch", number)
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
	return tensors.FromFlatDataAndDimensions(values, rows, 4)
}

func (r *trainer) run(t testing.TB, from, to int) {
	t.Helper()
	for number := from; number < to; number++ {
		if _, err := r.step.Run(t.Context(), batch(number, 6), 0.01); err != nil {
			t.Fatal(err)
		}
	}
}

// contents copies the values of variables.
func contents(variables []*model.Variable) map[string][]byte {
	copies := map[string][]byte{}
	for _, variable := range variables {
		if err := variable.MustValue().ConstBytes(func(bytes []byte) {
			copies[variable.Path()] = slices.Clone(bytes)
		}); err != nil {
			panic(err)
		}
	}
	return copies
}

func same(t *testing.T, what string, got, want map[string][]byte) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d tensors instead of %d", what, len(got), len(want))
	}
	for path, bytes := range want {
		if !slices.Equal(got[path], bytes) {
			t.Errorf("%s: %s differs", what, path)
		}
	}
}

func (r *trainer) everything() map[string][]byte {
	return contents(slices.Collect(r.store.IterVariables()))
}

func TestResume_SameBits(t *testing.T) {
	o := everything()
	whole := newTrainer(t, o)
	whole.run(t, 0, 10)
	first := newTrainer(t, o)
	first.run(t, 0, 4) // in the middle of an accumulation
	for _, built := range []bool{false, true} {
		second := newTrainer(t, o)
		if built {
			second.run(t, 20, 22)
		}
		for _, variable := range slices.Concat(slices.Collect(first.store.Scope("/policy").IterVariables()),
			o.Variables(first.store)) {
			value, err := variable.MustValue().LocalClone()
			if err != nil {
				t.Fatal(err)
			}
			there, err := second.store.CreateVariable(variable.Path(), value) // does nothing if the variable exists
			if err == nil {
				err = there.SetValuePreservingOld(value)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		second.run(t, 4, 10)
		same(t, fmt.Sprintf("built before: %v", built), second.everything(), whole.everything())
	}
}

func TestVariables_PyTorchNames(t *testing.T) {
	o := everything()
	r := newTrainer(t, o)
	r.run(t, 0, 1)
	var paths []string
	for _, variable := range o.Variables(r.store) {
		if variable.Trainable {
			t.Errorf("%s is trainable", variable.Path())
		}
		if path := variable.Path(); !strings.HasSuffix(path, "/second/bias") && !strings.Contains(path, "/first/") {
			paths = append(paths, path)
		}
	}
	const w = "/policy/second/weight"
	want := []string{"/kept/here/accumulated", "/kept/here/average" + w, "/kept/here/exp_avg" + w,
		"/kept/here/exp_avg_sq" + w, "/kept/here/gradient" + w, "/kept/here/step" + w}
	if !slices.Equal(paths, want) {
		t.Errorf("remembered: %q, want %q", paths, want)
	}
}

func TestAccumulate_EqualsLargeBatch(t *testing.T) {
	large, small := newTrainer(t, optim.Optimizer{Rule: optim.Adam{}}),
		newTrainer(t, optim.Optimizer{Rule: optim.Adam{}, Accumulate: 3})
	for step := range 4 {
		rows := make([]float32, 0, 18*4)
		for part := range 3 {
			rows = append(rows, tensors.MustCopyFlatData[float32](batch(3*step+part, 6))...)
		}
		if _, err := large.step.Run(t.Context(), tensors.FromFlatDataAndDimensions(rows, 18, 4), 0.01); err != nil {
			t.Fatal(err)
		}
	}
	start := newTrainer(t, optim.Optimizer{Rule: optim.SGD{}, Mask: func(_ string, value *graph.Node) *graph.Node {
		return graph.NotEqual(value, value)
	}})
	start.run(t, 0, 1)
	small.run(t, 0, 2)
	same(t, "before the third call nothing moves",
		contents(slices.Collect(small.store.Scope("/policy").IterVariables())),
		contents(slices.Collect(start.store.Scope("/policy").IterVariables())))
	small.run(t, 2, 12)
	for variable := range large.store.Scope("/policy").IterVariables() {
		want, got := values(variable.MustValue()), values(small.store.GetVariable(variable.Path()).MustValue())
		agree(t, variable.Path(), "float32", got, want, values(start.store.GetVariable(variable.Path()).MustValue()),
			want, 100)
	}
}

// A frozen part may contain operations without a gradient, because its gradient is not computed.
func TestSelect_Frozen(t *testing.T) {
	store := model.NewStore()
	nn.Seed(store.RootScope(), 3)
	o := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.5}, Select: func(path string) float64 {
		if strings.HasPrefix(path, "tower/") {
			return 0
		}
		return 1
	}}
	step, err := devicetest.Open(t).Compile("step", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		h := graph.Rsqrt(graph.OnePlus(graph.Square(nn.Linear(scope.At("policy").At("tower"), x[0], 3, true))))
		loss := graph.ReduceAllSum(nn.Linear(scope.At("policy").At("head"), h, 2, true))
		return []*graph.Node{o.Minimize(scope.At("policy"), loss, x[1])}
	})
	if err != nil {
		t.Fatal(err)
	}
	before := map[string][]byte{}
	for i := range 4 {
		if _, err := step.Run(t.Context(), batch(i, 6), 0.01); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			before = contents(slices.Collect(store.Scope("/policy").IterVariables()))
		}
	}
	after := contents(slices.Collect(store.Scope("/policy").IterVariables()))
	for path, bytes := range before {
		if frozen := strings.HasPrefix(path, "/policy/tower/"); frozen != slices.Equal(after[path], bytes) {
			t.Errorf("%s: frozen %v, moved %v", path, frozen, !frozen)
		}
	}
	if len(o.Variables(store)) != 2*3 {
		t.Errorf("%d tensors are remembered for two that move", len(o.Variables(store)))
	}
}

func TestStep_UnusedVariables(t *testing.T) {
	g := newGiven(t, "float32", map[string][]int{"a": {2}, "b": {2}, "c": {2}, "d": {2}},
		flat{"a": {1, 2}, "b": {1, 2}, "c": {1, 2}, "d": {1, 2}}, optim.Optimizer{Rule: optim.SGD{}})
	g.store.GetVariable("/model/d").SetTrainable(false)
	o := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.5}}
	step, err := devicetest.Open(t).Compile("step", g.store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		node := func(name string) *graph.Node { return g.store.GetVariable("/model/" + name).NodeValue(x[0]) }
		unused := graph.ReduceAllSum(node("b"))
		loss := graph.ReduceAllSum(graph.Add(graph.Mul(node("a"), node("d")),
			graph.StopGradient(graph.Square(node("c")))))
		return []*graph.Node{o.Minimize(scope.At("model"), loss, x[0]), unused}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := step.Run(t.Context(), 0.1); err != nil {
		t.Fatal(err)
	}
	for _, name := range g.names {
		if moved := !slices.Equal(g.value(name), []float64{1, 2}); moved != (name == "a") {
			t.Errorf("%s: moved %v, is %v", name, moved, g.value(name))
		}
	}
}

func TestMask_KeepsBits(t *testing.T) {
	masked := map[string]bool{"first/weight": true, "second/bias": true}
	o := everything()
	o.Accumulate = 0
	o.Mask = func(path string, value *graph.Node) *graph.Node {
		if !masked[path] {
			return nil
		}
		return graph.GreaterThan(graph.Iota(value.Graph(), value.Shape(), value.Rank()-1),
			graph.ScalarZero(value.Graph(), value.DType()))
	}
	r := newTrainer(t, o)
	nothing := newTrainer(t, optim.Optimizer{Rule: optim.SGD{}})
	if _, err := nothing.step.Run(t.Context(), batch(0, 6), 0.0); err != nil {
		t.Fatal(err)
	}
	r.run(t, 0, 5)
	for variable := range r.store.Scope("/policy").IterVariables() {
		path := strings.TrimPrefix(variable.Path(), "/policy/")
		dimensions := variable.Shape().Dimensions
		width := dimensions[len(dimensions)-1]
		before := values(nothing.store.GetVariable(variable.Path()).MustValue())
		for i, value := range values(variable.MustValue()) {
			if stays := masked[path] && i%width == 0; stays != (value == before[i]) {
				t.Errorf("%s[%d] is masked: %v, went from %g to %g", path, i, stays, before[i], value)
			}
		}
	}
}

func TestAverage_Swap(t *testing.T) {
	o := optim.Optimizer{Rule: optim.SGD{}, Average: 0.75}
	r := newTrainer(t, o)
	if err := o.SwapAverage(r.store); err == nil {
		t.Error("there is nothing to swap before the first step")
	}
	r.run(t, 0, 3)
	before := r.everything()
	if err := o.SwapAverage(r.store); err != nil {
		t.Fatal(err)
	}
	const path = "/policy/first/weight"
	swapped := r.everything()
	if !slices.Equal(swapped[path], before["/optimizer/average"+path]) || slices.Equal(swapped[path], before[path]) {
		t.Error("the model does not have the averages")
	}
	if err := o.SwapAverage(r.store); err != nil {
		t.Fatal(err)
	}
	same(t, "swapped twice", r.everything(), before)
	r.run(t, 3, 5)
	unswapped := newTrainer(t, o)
	unswapped.run(t, 0, 5)
	same(t, "trained on", r.everything(), unswapped.everything())
}

// The order in which variables are made changes no bit.
func TestVariables_Order(t *testing.T) {
	names := make([]string, 40)
	for i := range names {
		names[i] = fmt.Sprintf("w%02d", i)
	}
	run := func(names []string) any {
		g := &given{store: model.NewStore(), names: slices.Sorted(slices.Values(names))}
		for _, name := range names {
			g.create(t, "/model/"+name, tensor("float64", []float64{seed.Stream(1, name).NormFloat64()}, nil))
		}
		step, err := devicetest.Open(t).Compile("norm", g.store,
			func(scope *model.Scope, x []*graph.Node) []*graph.Node {
				loss := graph.ScalarZero(x[0].Graph(), x[0].DType())
				for _, name := range g.names {
					loss = graph.Add(loss, graph.Square(g.store.GetVariable("/model/"+name).NodeValue(x[0])))
				}
				return []*graph.Node{optim.Optimizer{Rule: optim.SGD{}}.Minimize(scope.At("model"), loss, x[0])}
			})
		if err != nil {
			t.Fatal(err)
		}
		out, err := step.Run(t.Context(), 0.5)
		if err != nil {
			t.Fatal(err)
		}
		return out[0].Value()
	}
	first := run(names)
	for range 5 {
		seed.Stream(2, "order").Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		if again := run(names); again != first {
			t.Errorf("the norm is %v and was %v", again, first)
		}
	}
}

func TestClip_KeepsDirection(t *testing.T) {
	d := devicetest.Open(t)
	step, err := d.Compile("clip", model.NewStore(), func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		o := optim.Optimizer{Rule: optim.SGD{}, ClipNorm: 2}
		for i, name := range []string{"a", "b"} {
			scope.At("model").WithInitializer(graph.Zeros).VariableWithShape(name,
				x[i].Shape()).SetNodeValue(graph.ZerosLike(x[i]))
		}
		a, b := scope.At("model").GetVariable("a").NodeValue(x[0]), scope.At("model").GetVariable("b").NodeValue(x[0])
		norm := o.Minimize(scope.At("model"),
			graph.Add(graph.ReduceAllSum(graph.Mul(a, x[0])), graph.ReduceAllSum(graph.Mul(b, x[1]))),
			graph.Const(x[0].Graph(), 1.0))
		return []*graph.Node{norm, graph.Neg(scope.At("model").GetVariable("a").NodeValue(norm)),
			graph.Neg(scope.At("model").GetVariable("b").NodeValue(norm))}
	})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		size := math.Pow(10, rapid.Float64Range(-20, 25).Draw(t, "magnitude"))
		gradients := make([]float32, 5)
		for i := range gradients {
			gradients[i] = float32(size * rapid.Float64Range(-1, 1).Draw(t, "gradient"))
		}
		out, err := step.Run(context.Background(), gradients[:2], gradients[2:])
		if err != nil {
			t.Fatal(err)
		}
		// XLA reads subnormal numbers as zero on a CPU.
		ignored := func(x float32) bool { return d.Name() != "go" && math.Abs(float64(x)) < 0x1p-126 }
		var want, normal, got float64
		moved := slices.Concat(values(out[1]), values(out[2]))
		for i, gradient := range gradients {
			want = math.Hypot(want, float64(gradient))
			if !ignored(gradient) {
				normal = math.Hypot(normal, float64(gradient))
			}
			got = math.Hypot(got, moved[i])
		}
		if norm := out[0].Value().(float64); norm < normal*(1-1e-12) || norm > want*(1+1e-12) {
			t.Fatalf("the norm is %g, want %g, or %g without what the device ignores", norm, want, normal)
		}
		scale := min(1, 2/(want+1e-6))
		for i, gradient := range gradients {
			zeroed := ignored(gradient) && moved[i] == 0
			if math.Abs(moved[i]-scale*float64(gradient)) > 1e-6*scale*want+1e-44 && !zeroed {
				t.Fatalf("%g became %g, want %g", gradient, moved[i], scale*float64(gradient))
			}
		}
		if got > 2*(1+1e-6) {
			t.Fatalf("the norm after clipping is %g", got)
		}
	})
}

func TestStep_NothingSelected(t *testing.T) {
	r := newTrainer(t, optim.Optimizer{Rule: optim.SGD{}, Select: func(string) float64 { return 0 }})
	_, err := r.step.Run(t.Context(), batch(0, 6), 0.1)
	if err == nil || !strings.Contains(err.Error(), "/policy") {
		t.Errorf("error %v", err)
	}
}

func TestIsVector(t *testing.T) {
	for _, c := range []struct {
		shape shapes.Shape
		want  bool
	}{{shapes.Make(dtype), true}, {shapes.Make(dtype, 4), true}, {shapes.Make(dtype, 4, 1), false},
		{shapes.Make(dtype, 2, 3, 4), false}} {
		if got := optim.NoDecayForVectors("x", c.shape); got != c.want {
			t.Errorf("%v is excluded from decay: %v", c.shape, got)
		}
	}
}
