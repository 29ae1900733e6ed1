package unlearn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// snapshots runs a job and returns the policy at each budget.
func snapshots(t *testing.T, j Job) (map[int]map[string]string, Result) {
	t.Helper()
	at := map[int]map[string]string{}
	j.Snapshot = func(_ context.Context, budget int) error {
		at[budget] = contents(t, j.Store, Policy)
		return nil
	}
	result, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return at, result
}

func TestBudgetsAreSnapshotsOfOneRun(t *testing.T) {
	watch(t)
	for _, m := range Methods() {
		budgets := m.Passes
		if budgets == nil {
			budgets = []int{1, 5, 10}
		}
		if len(budgets) == 1 {
			continue
		}
		long := newJob(t, m, budgets...)
		whole, result := snapshots(t, long)
		short, _ := snapshots(t, newJob(t, m, budgets[0]))
		last := budgets[len(budgets)-1]
		if names := differing(whole[budgets[0]], short[budgets[0]]); len(names) > 0 {
			t.Errorf("%s: a run of %d passes ends elsewhere than a run of %d passes is after %d: %v", m.Name,
				budgets[0], last, budgets[0], names)
		}
		if len(whole) != len(budgets) || len(differing(whole[budgets[0]], whole[last])) == 0 {
			t.Errorf("%s: %d snapshots, or nothing moves between them", m.Name, len(whole))
		}
		if names := differing(whole[last], contents(t, long.Store, Policy)); len(names) > 0 {
			t.Errorf("%s: the policy after the run is not the last snapshot: %v", m.Name, names)
		}
		if want := perPassOf(m) * last; len(result.Log) != want || result.Passes != float64(last) {
			t.Errorf("%s: %d steps and %g passes, want %d and %d", m.Name, len(result.Log), result.Passes, want, last)
		}
	}
}

// perPassOf is the number of batches of four in the first stream of the linear task that the method reads.
func perPassOf(m Method) int {
	if m.Name == "finetuning" {
		return 2
	}
	return 3
}

func TestAnotherSeedGivesAnotherModelAndTheSameOneTheSame(t *testing.T) {
	watch(t)
	run := func(seed uint64) map[string]string {
		j := newJob(t, ShuffledCaptions(), 2)
		j.Seed = seed
		at, _ := snapshots(t, j)
		return at[2]
	}
	first := run(1)
	if names := differing(first, run(1)); len(names) > 0 {
		t.Errorf("the same seed: %v differ", names)
	}
	if len(differing(first, run(2))) == 0 {
		t.Error("another seed gives the same model")
	}
}

func TestTheFrozenModelNeverMovesAndIsTheOneFromWhichTheRunStarts(t *testing.T) {
	watch(t)
	for _, m := range Methods() {
		if !m.Reference {
			continue
		}
		j := newJob(t, m, m.Passes...)
		before := contents(t, j.Store, Policy)
		j.Snapshot = func(_ context.Context, budget int) error {
			if names := differing(before, contents(t, j.Store, reference)); len(names) > 0 {
				t.Errorf("%s: after %d passes the frozen model differs from the start in %v", m.Name, budget, names)
			}
			for variable := range j.Store.Scope("/" + reference).IterVariables() {
				if variable.Trainable {
					t.Errorf("%s: %s is trainable", m.Name, variable.Path())
				}
			}
			if len(differing(before, contents(t, j.Store, Policy))) == 0 {
				t.Errorf("%s: after %d passes the policy is still the start", m.Name, budget)
			}
			return nil
		}
		if _, err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatTheFrozenModelReturnsHasNoGradient(t *testing.T) {
	watch(t)
	of := func(view func(m Models) View) float64 {
		m := own(func(m Models, b Batch) *graph.Node {
			image := b.Of(Forget, Image)
			gradient := graph.Gradient(graph.ReduceAllSum(view(m).Logits(view(m).Image(image),
				m.Reference.Text(b.Of(Forget, Caption)))), image)[0]
			return graph.Add(graph.ReduceAllSum(graph.Square(gradient)), graph.MulScalar(contrast(m, b), 1e-9))
		})
		m.Reference = true
		result, err := newJob(t, m, 1).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return result.Log[0].Loss
	}
	policy, frozen := of(func(m Models) View { return m.Policy }), of(func(m Models) View { return m.Reference })
	if policy < 1e-3 || math.Abs(frozen) > 1e-7 {
		t.Errorf("squared gradients: %g of the policy, %g of the frozen model", policy, frozen)
	}
}

func TestARunLeavesOnlyThePolicyInTheStore(t *testing.T) {
	watch(t)
	first := newJob(t, CLIPErase(), 5)
	begin := contents(t, first.Store, Policy)
	once, _ := snapshots(t, first)
	for variable := range first.Store.IterVariables() {
		if !strings.HasPrefix(variable.Path(), "/"+Policy+"/") {
			t.Errorf("%s is left", variable.Path())
		}
	}
	for variable := range first.Store.IterVariables() {
		fresh := start(t).GetVariable(variable.Path())
		if err := variable.SetValue(fresh.MustValue()); err != nil {
			t.Fatal(err)
		}
	}
	if names := differing(begin, contents(t, first.Store, Policy)); len(names) > 0 {
		t.Fatalf("%v differ before the second run", names)
	}
	again, _ := snapshots(t, first)
	if names := differing(once[5], again[5]); len(names) > 0 {
		t.Errorf("a second run in the same store: %v differ", names)
	}
}

func TestWhatAMethodDoesNotSelectKeepsItsBits(t *testing.T) {
	watch(t)
	m := own(func(m Models, b Batch) *graph.Node {
		return Contrast(m.Policy, b.Of(Forget, Image), b.Of(Forget, Caption))
	})
	phases := m.Phases
	m.Phases = func(p Plan) []Phase {
		laid := phases(p)
		laid[0].Optimizer.Select = func(path string) float64 {
			if strings.HasPrefix(path, "text/") {
				return 0
			}
			return 1
		}
		laid[0].Optimizer.Rule = optim.AdamW{WeightDecay: 0.5}
		return laid
	}
	j := newJob(t, m, 2)
	before := contents(t, j.Store, Policy)
	at, _ := snapshots(t, j)
	moved := differing(before, at[2])
	slices.Sort(moved)
	if want := []string{"image/bias", "image/weight", "logit_scale"}; !slices.Equal(moved, want) {
		t.Errorf("%v moved, want %v", moved, want)
	}
}

func TestAMethodCanTrainAdaptersAlone(t *testing.T) {
	watch(t)
	m := own(func(m Models, b Batch) *graph.Node {
		return Contrast(m.Policy, b.Of(Forget, Image), b.Of(Forget, Caption))
	})
	phases := m.Phases
	m.Phases = func(p Plan) []Phase {
		laid := phases(p)
		laid[0].Optimizer.Rule = optim.AdamW{}
		laid[0].Optimizer.Select = func(path string) float64 {
			if strings.Contains(path, "lora_") {
				return 1
			}
			return 0
		}
		return laid
	}
	j := newJob(t, m, 2)
	policy := j.Store.RootScope().At(Policy)
	nn.Adapt(policy, nn.LoRA{Rank: 2, Alpha: 4, Targets: []string{"image"}})
	before := contents(t, j.Store, Policy)
	at, _ := snapshots(t, j)
	for _, name := range differing(before, at[2]) {
		if !strings.HasPrefix(name, "image/lora_") {
			t.Errorf("%s moved", name)
		}
	}
	if up := at[2]["image/lora_B/weight"]; up == "" || strings.Trim(up, "\x00") == "" {
		t.Error("the adapter has not moved from zero")
	}
}

func TestTheScaleIsClampedAfterEachStep(t *testing.T) {
	watch(t)
	for _, test := range []struct{ start, sign, want float32 }{{0.001, 1, 0}, {4.6, -1, float32(math.Log(100))}} {
		m := own(func(m Models, b Batch) *graph.Node { // the cosine of an image with itself is 1: the loss is the scale
			image := m.Policy.Image(b.Of(Forget, Image))
			logits := m.Policy.Logits(image, image)
			count := logits.Shape().Dim(0)
			itself := graph.Where(graph.Diagonal(logits.Graph(), count), logits, graph.ZerosLike(logits))
			return graph.MulScalar(graph.ReduceAllSum(itself), float64(test.sign)/float64(count))
		})
		j := newJob(t, m, 1)
		if err := j.Store.GetVariable("/" + Policy +
			"/logit_scale").SetValue(tensors.FromScalar(test.start)); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := tensors.ToScalar[float32](j.Store.GetVariable("/" + Policy +
			"/logit_scale").MustValue()); math.Abs(float64(got-test.want)) > 1e-6 {
			t.Errorf("from %v the scale went to %v, want %v", test.start, got, test.want)
		}
	}
}

func TestDescentToDeleteAddsItsNoiseToTheFinetunedModel(t *testing.T) {
	watch(t)
	tuned := newJob(t, Finetuning(), 1)
	if _, err := tuned.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := DescentToDelete()
	j := newJob(t, m, 1)
	j.Values["examples"], j.Values["strength"] = 8e4, 0.2
	j.Store.VariableWithValue("/"+Policy+"/unread", make([]float32, 5000)) // enough numbers to see the distribution
	at, result := snapshots(t, j)
	sigma := DeletionNoise(8e4, 0.2)
	var noise []float64
	for _, path := range []string{"image/weight", "image/bias", "text/weight", "logit_scale", "unread"} {
		var before []float32
		if variable := tuned.Store.GetVariable("/" + Policy + "/" + path); variable != nil {
			before = tensors.MustCopyFlatData[float32](variable.MustValue())
		}
		for i, value := range tensors.MustCopyFlatData[float32](j.Store.GetVariable("/" + Policy + "/" +
			path).MustValue()) {
			if before != nil {
				value -= before[i]
			}
			noise = append(noise, float64(value)/sigma)
		}
	}
	if len(at) != 1 || len(differing(at[1], contents(t, j.Store, Policy))) > 0 || len(result.Log) != 2 ||
		result.Passes != 1 {
		t.Errorf("%d snapshots, %d steps, %g passes", len(at), len(result.Log), result.Passes)
	}
	var sum, squares, fourth float64
	for _, x := range noise {
		sum, squares, fourth = sum+x, squares+x*x, fourth+x*x*x*x
	}
	n := float64(len(noise))
	// Five standard errors of the moments of a normal distribution: 1/√n, √2/√n, √96/√n.
	if mean, variance, kurtosis := sum/n, squares/n,
		fourth/n; math.Abs(mean) > 5/math.Sqrt(n) || math.Abs(variance-1) > 5*math.Sqrt(2/n) ||
		math.Abs(kurtosis-3) > 5*math.Sqrt(96/n) {
		t.Errorf("%g numbers of mean %.3f, variance %.3f and fourth moment %.3f, want 0, 1 and 3", n, mean, variance,
			kurtosis)
	}
	for i, x := range noise[:80] {
		if x == 0 || slices.Contains(noise[:i], x) {
			t.Errorf("the noise %d is %g, nothing or another's", i, x)
		}
	}
}

func TestPhasesRunOneAfterAnotherAndTheBudgetMultipliesTheLast(t *testing.T) {
	watch(t)
	var order []string
	contrast := func(stream string) func(m Models, b Batch) *graph.Node {
		return func(m Models, b Batch) *graph.Node {
			return Contrast(m.Policy, b.Of(stream, Image), b.Of(stream, Caption))
		}
	}
	m := Method{Name: "two", Phases: func(Plan) []Phase {
		return []Phase{
			{Name: "repair", Streams: []string{Retain}, Batch: 4, Loss: contrast(Retain), Rate: optim.Constant(0.25)},
			{Name: "impair", Streams: []string{Forget}, Batch: 5, Loss: contrast(Forget),
				Rate: optim.Linear{Peak: 0.5, Steps: 2}},
		}
	}}
	j := newJob(t, m, 1, 3)
	j.Progress = func(done, steps int) { order = append(order, fmt.Sprintf("%d/%d", done, steps)) }
	j.Snapshot = func(_ context.Context, budget int) error {
		order = append(order, fmt.Sprint("at ", budget))
		counts := contents(t, j.Store, "optimizer_1/step")
		for path, data := range counts { // each phase begins with a new optimizer
			if data[0] != byte(2*budget) {
				t.Errorf("%s counts %d steps after %d", path, data[0], 2*budget)
			}
		}
		if len(counts) != 4 {
			t.Errorf("the second phase's optimizer counts the steps of %d tensors", len(counts))
		}
		return nil
	}
	result, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := "1/8 2/8 3/8 at 1 4/8 5/8 6/8 7/8 at 3 8/8"; strings.Join(order, " ") != want {
		t.Errorf("%v, want %v", order, want)
	}
	var rates []float64
	for _, step := range result.Log {
		rates = append(rates, step.Rate)
	}
	if want := []float64{0.25, 0.25, 0.5, 0.5, 0.25, 0.25, 0, 0}; !slices.Equal(rates, want) || result.Passes != 4 {
		t.Errorf("rates %v, want %v; %g passes", rates, want, result.Passes)
	}
}

func TestVLUnlearnsRateFallsByPasses(t *testing.T) {
	watch(t)
	m := VLUnlearn()
	j := newJob(t, m, 5, 20)
	result, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range result.Log {
		if want := 0.01 * 0.5 * (1 + math.Cos(math.Pi*float64(i/3)/20)); math.Abs(step.Rate-want) > 1e-15 {
			t.Errorf("step %d: rate %g, want %g", i, step.Rate, want)
		}
	}
}

func TestARunThatDivergesIsNoResult(t *testing.T) {
	watch(t)
	judged := func(context.Context, int) error { t.Error("a model that diverged was judged"); return nil }
	j := newJob(t, own(func(m Models, b Batch) *graph.Node {
		return graph.Log(graph.Neg(graph.Exp(graph.ReduceAllSum(m.Policy.Image(b.Of(Forget, Image))))))
	}), 1)
	j.Snapshot = judged
	result, err := j.Run(t.Context())
	if !errors.Is(err, train.ErrDiverged) || len(result.Log) != 1 || !math.IsNaN(result.Log[0].Loss) ||
		!strings.HasPrefix(err.Error(), "own: step 1 of 3") {
		t.Errorf("%d steps, %v", len(result.Log), err)
	}
	j = newJob(t, DescentToDelete(), 1)
	j.Values["strength"] = 0
	j.Snapshot = judged
	if result, err := j.Run(t.Context()); !errors.Is(err, train.ErrDiverged) || len(result.Log) != 2 ||
		!strings.HasPrefix(err.Error(), "descent-to-delete: noise: /policy/") {
		t.Errorf("noise: %d steps, %v", len(result.Log), err)
	}
}

func TestASnapshotThatFailsEndsTheRun(t *testing.T) {
	watch(t)
	full := errors.New("the disk is full")
	for _, m := range []Method{GenericCaptions(), DescentToDelete()} {
		j := newJob(t, m, 1)
		j.Snapshot = func(context.Context, int) error { return full }
		if _, err := j.Run(t.Context()); !errors.Is(err, full) {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
