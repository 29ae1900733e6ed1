package unlearn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// The models at several budgets are snapshots of one run.
func TestBudgets_AreSnapshots(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range contrastive.Methods() {
		budgets := m.Passes
		if budgets == nil {
			budgets = []int{1, 5, 10}
		}
		if len(budgets) == 1 {
			continue
		}
		long := unlearntest.NewJob(t, m, budgets...)
		whole, result := unlearntest.Snapshots(t, long)
		short, _ := unlearntest.Snapshots(t, unlearntest.NewJob(t, m, budgets[0]))
		last := budgets[len(budgets)-1]
		if names := unlearntest.Differing(whole[budgets[0]], short[budgets[0]]); len(names) > 0 {
			t.Errorf("%s: a run of %d passes ends elsewhere than a run of %d passes is after %d: %v", m.Name,
				budgets[0], last, budgets[0], names)
		}
		if len(whole) != len(budgets) || len(unlearntest.Differing(whole[budgets[0]], whole[last])) == 0 {
			t.Errorf("%s: %d snapshots, or nothing moves between them", m.Name, len(whole))
		}
		left := unlearntest.Contents(t, long.Store, unlearn.Policy)
		if names := unlearntest.Differing(whole[last], left); len(names) > 0 {
			t.Errorf("%s: the policy after the run is not the last snapshot: %v", m.Name, names)
		}
		if want := perPassOf(m) * last; len(result.Log) != want || result.Passes != float64(last) {
			t.Errorf("%s: %d steps and %g passes, want %d and %d", m.Name, len(result.Log), result.Passes, want, last)
		}
	}
}

// perPassOf returns the number of batches of four in the first stream of the linear task that the method reads.
func perPassOf(m contrastive.Method) int {
	if m.Name == "finetuning" {
		return 2
	}
	return 3
}

func TestRun_Seeds(t *testing.T) {
	unlearntest.Watch(t)
	run := func(seed uint64) map[string]string {
		j := unlearntest.NewJob(t, contrastive.ShuffledCaptions(), 2)
		j.Seed = seed
		at, _ := unlearntest.Snapshots(t, j)
		return at[2]
	}
	first := run(1)
	if names := unlearntest.Differing(first, run(1)); len(names) > 0 {
		t.Errorf("the same seed: %v differ", names)
	}
	if len(unlearntest.Differing(first, run(2))) == 0 {
		t.Error("another seed gives the same model")
	}
}

func TestFrozen_NeverMoves(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range contrastive.Methods() {
		if !m.Reference {
			continue
		}
		j := unlearntest.NewJob(t, m, m.Passes...)
		before := unlearntest.Contents(t, j.Store, unlearn.Policy)
		j.Snapshot = func(_ context.Context, budget int) error {
			frozen := unlearntest.Contents(t, j.Store, unlearn.Reference)
			if names := unlearntest.Differing(before, frozen); len(names) > 0 {
				t.Errorf("%s: after %d passes the frozen model differs from the start in %v", m.Name, budget, names)
			}
			for variable := range j.Store.Scope("/" + unlearn.Reference).IterVariables() {
				if variable.Trainable {
					t.Errorf("%s: %s is trainable", m.Name, variable.Path())
				}
			}
			if len(unlearntest.Differing(before, unlearntest.Contents(t, j.Store, unlearn.Policy))) == 0 {
				t.Errorf("%s: after %d passes the policy is still the start", m.Name, budget)
			}
			return nil
		}
		if _, err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFrozen_NoGradient(t *testing.T) {
	unlearntest.Watch(t)
	of := func(view func(m contrastive.Models) contrastive.View) float64 {
		m := unlearntest.Own(func(m contrastive.Models, b unlearn.Batch) *graph.Node {
			image := b.Of(unlearn.Forget, contrastive.Image)
			gradient := graph.Gradient(graph.ReduceAllSum(view(m).Logits(view(m).Image(image),
				m.Reference.Text(b.Of(unlearn.Forget, contrastive.Caption)))), image)[0]
			return graph.Add(graph.ReduceAllSum(graph.Square(gradient)), graph.MulScalar(tiedForget(m, b), 1e-9))
		})
		m.Reference = true
		result, err := unlearntest.NewJob(t, m, 1).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return result.Log[0].Loss
	}
	policy := of(func(m contrastive.Models) contrastive.View { return m.Policy })
	frozen := of(func(m contrastive.Models) contrastive.View { return m.Reference })
	if policy < 1e-3 || math.Abs(frozen) > 1e-7 {
		t.Errorf("squared gradients: %g of the policy, %g of the frozen model", policy, frozen)
	}
}

func TestRun_LeavesPolicyAlone(t *testing.T) {
	unlearntest.Watch(t)
	first := unlearntest.NewJob(t, contrastive.CLIPErase(), 5)
	begin := unlearntest.Contents(t, first.Store, unlearn.Policy)
	once, _ := unlearntest.Snapshots(t, first)
	for variable := range first.Store.IterVariables() {
		if !strings.HasPrefix(variable.Path(), "/"+unlearn.Policy+"/") {
			t.Errorf("%s is left", variable.Path())
		}
	}
	for variable := range first.Store.IterVariables() {
		fresh := unlearntest.Start(t).GetVariable(variable.Path())
		if err := variable.SetValue(fresh.MustValue()); err != nil {
			t.Fatal(err)
		}
	}
	if names := unlearntest.Differing(begin, unlearntest.Contents(t, first.Store, unlearn.Policy)); len(names) > 0 {
		t.Fatalf("%v differ before the second run", names)
	}
	again, _ := unlearntest.Snapshots(t, first)
	if names := unlearntest.Differing(once[5], again[5]); len(names) > 0 {
		t.Errorf("a second run in the same store: %v differ", names)
	}
}

// altered wraps a method's Phases so that change is applied to the first phase.
func altered(phases func(p *unlearn.Plan) ([]contrastive.Phase, error),
	change func(phase *contrastive.Phase)) func(p *unlearn.Plan) ([]contrastive.Phase, error) {
	return func(p *unlearn.Plan) ([]contrastive.Phase, error) {
		all, err := phases(p)
		if err == nil {
			change(&all[0])
		}
		return all, err
	}
}

func TestSelect_KeepsBits(t *testing.T) {
	unlearntest.Watch(t)
	m := unlearntest.Own(tiedForget)
	m.Phases = altered(m.Phases, func(phase *contrastive.Phase) {
		phase.Optimizer.Select = func(path string) float64 {
			if strings.HasPrefix(path, "text/") {
				return 0
			}
			return 1
		}
		phase.Optimizer.Rule = optim.AdamW{WeightDecay: 0.5}
	})
	j := unlearntest.NewJob(t, m, 2)
	before := unlearntest.Contents(t, j.Store, unlearn.Policy)
	at, _ := unlearntest.Snapshots(t, j)
	moved := unlearntest.Differing(before, at[2])
	slices.Sort(moved)
	if want := []string{"image/bias", "image/weight", "logit_scale"}; !slices.Equal(moved, want) {
		t.Errorf("%v moved, want %v", moved, want)
	}
}

func TestAdapters_Alone(t *testing.T) {
	unlearntest.Watch(t)
	m := unlearntest.Own(tiedForget)
	m.Phases = altered(m.Phases, func(phase *contrastive.Phase) {
		phase.Optimizer.Rule = optim.AdamW{}
		phase.Optimizer.Select = func(path string) float64 {
			if strings.Contains(path, "lora_") {
				return 1
			}
			return 0
		}
	})
	j := unlearntest.NewJob(t, m, 2)
	policy := j.Store.RootScope().At(unlearn.Policy)
	nn.Adapt(policy, nn.LoRA{Rank: 2, Alpha: 4, Targets: []string{"image"}})
	before := unlearntest.Contents(t, j.Store, unlearn.Policy)
	at, _ := unlearntest.Snapshots(t, j)
	for _, name := range unlearntest.Differing(before, at[2]) {
		if !strings.HasPrefix(name, "image/lora_") {
			t.Errorf("%s moved", name)
		}
	}
	if up := at[2]["image/lora_B/weight"]; up == "" || strings.Trim(up, "\x00") == "" {
		t.Error("the adapter has not moved from zero")
	}
}

// Phases run one after another, and the budget multiplies the last one.
func TestPhases_Order(t *testing.T) {
	unlearntest.Watch(t)
	var order []string
	of := func(stream string) func(m contrastive.Models, b unlearn.Batch) *graph.Node {
		return func(m contrastive.Models, b unlearn.Batch) *graph.Node { return tied(m, b, stream) }
	}
	m := laid(
		contrastive.Phase{Name: "repair", Streams: []string{unlearn.Retain}, Batch: 4, Loss: of(unlearn.Retain),
			Rate: optim.Constant(0.25)},
		contrastive.Phase{Name: "impair", Streams: []string{unlearn.Forget}, Batch: 5, Loss: of(unlearn.Forget),
			Rate: optim.Linear{Peak: 0.5, Steps: 2}})
	j := unlearntest.NewJob(t, m, 1, 3)
	j.Progress = func(done, steps int) { order = append(order, fmt.Sprintf("%d/%d", done, steps)) }
	j.Snapshot = func(_ context.Context, budget int) error {
		order = append(order, fmt.Sprint("at ", budget))
		counts := unlearntest.Contents(t, j.Store, "optimizer_1/step")
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

func TestSchedule_LargestBudget(t *testing.T) {
	unlearntest.Watch(t)
	job := func(budgets ...int) contrastive.Job {
		return unlearntest.NewJob(t, laid(contrastive.Phase{Streams: []string{unlearn.Forget}, Batch: 4,
			Loss:     tiedForget,
			Schedule: func(steps int) optim.Schedule { return optim.Cosine{Peak: 0.5, Warmup: 1, Steps: steps} },
		}), budgets...)
	}
	j := job(1, 2)
	j.Folder = t.TempDir()
	if _, err := unlearntest.Cancelled(t, j, 4); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	longer := job(1, 3)
	longer.Folder = j.Folder
	if _, err := longer.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "belongs to another training") {
		t.Errorf("a run of other rates goes on from a checkpoint: %v", err)
	}
	again := job(1, 2)
	again.Folder = j.Folder
	result, err := again.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := optim.Cosine{Peak: 0.5, Warmup: 1, Steps: 6}
	for i, step := range result.Log {
		if step.Rate != want.Rate(i) || len(result.Log) != 6 {
			t.Errorf("step %d of %d has the rate %g, want %g", i, len(result.Log), step.Rate, want.Rate(i))
		}
	}
}

func TestRun_Diverged(t *testing.T) {
	unlearntest.Watch(t)
	judged := func(context.Context, int) error { t.Error("a model that diverged was judged"); return nil }
	j := unlearntest.NewJob(t, unlearntest.Own(func(m contrastive.Models, b unlearn.Batch) *graph.Node {
		sum := graph.ReduceAllSum(m.Policy.Image(b.Of(unlearn.Forget, contrastive.Image)))
		return graph.Log(graph.Neg(graph.Exp(sum)))
	}), 1)
	j.Snapshot = judged
	result, err := j.Run(t.Context())
	if !errors.Is(err, train.ErrDiverged) || len(result.Log) != 1 || !math.IsNaN(result.Log[0].Loss) ||
		!strings.HasPrefix(err.Error(), "own: step 1 of 3") {
		t.Errorf("%d steps, %v", len(result.Log), err)
	}
	j = unlearntest.NewJob(t, contrastive.DescentToDelete(), 1)
	j.Values["strength"] = 1e-20
	j.Snapshot = judged
	if result, err := j.Run(t.Context()); !errors.Is(err, train.ErrDiverged) || len(result.Log) != 2 ||
		!strings.HasPrefix(err.Error(), "descent-to-delete: noise: /policy/") {
		t.Errorf("noise: %d steps, %v", len(result.Log), err)
	}
}

func TestSnapshot_Fails(t *testing.T) {
	unlearntest.Watch(t)
	full := errors.New("the disk is full")
	for _, m := range []contrastive.Method{contrastive.GenericCaptions(), contrastive.DescentToDelete()} {
		j := unlearntest.NewJob(t, m, 1)
		j.Snapshot = func(context.Context, int) error { return full }
		if _, err := j.Run(t.Context()); !errors.Is(err, full) {
			t.Errorf("%s: got the error %v, want the error %v", m.Name, err, full)
		}
	}
}
