package answering_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// own returns a method with one loss on the forget set.
func own(loss func(m answering.Models, b unlearn.Batch) *graph.Node) answering.Method {
	return answering.Method{
		Entry: catalogue.Entry{Name: "own"}, Reference: true,
		Phases: func(*unlearn.Plan) ([]answering.Phase, error) {
			return []answering.Phase{{Streams: []string{unlearn.Forget}, Batch: 2, Loss: loss,
				Schedule: func(int) optim.Schedule { return optim.Constant(1) }}}, nil
		},
	}
}

// apart returns the largest difference, relative to the largest magnitude in want.
func apart(got, want []float64) float64 {
	worst := 0.
	for i := range want {
		worst = max(worst, math.Abs(got[i]-want[i]))
	}
	return worst / largest(want)
}

// NPO equals gradient ascent on the summed losses where the model has not moved, and as β goes to 0. This ascent is
// descent on the mean of the rows' log-likelihoods.
func TestNPO_EqualsGradientAscent(t *testing.T) {
	unlearntest.Watch(t)
	f := openFixture(t, dtypes.Float64)
	ascent := own(func(m answering.Models, b unlearn.Batch) *graph.Node {
		return graph.ReduceAllMean(answering.LogLikelihood(m.Policy, answering.RowsOf(b, unlearn.Forget)))
	})
	// gradients returns the gradients of ascent and of NPO, after the given number of steps away from the frozen model.
	gradients := func(away int, beta float64) (sums, preference []float64) {
		for _, m := range []answering.Method{ascent, answering.NPO()} {
			j := answering.Job{Device: f.device, Store: f.store(t, true), Task: f.task(t),
				Method: answering.NPO(), Values: unlearn.Values{"rate": 0.02, "warmup": 0, "batch": 2}}
			if away > 0 {
				phases, err := j.Method.Lay(j.Values, j.Task.Streams)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := j.Steps(t.Context(), away, f.batch(j.Task, phases[0], 0)); err != nil {
					t.Fatal(err)
				}
				if err := j.Store.DeleteVariablesInScope("/optimizer_0"); err != nil {
					t.Fatal(err)
				}
			}
			if j.Method = m; m.Name == "own" {
				j.Values = nil
			} else {
				j.Values["beta"] = beta
			}
			sums, preference = preference, f.gradient(t, j, trained)
		}
		return sums, preference
	}
	for _, beta := range []float64{0.1, 2} {
		sums, preference := gradients(0, beta)
		if d := apart(preference, sums); !(d < 1e-12) {
			t.Errorf("where the model has not moved, with β = %g: %g apart", beta, d)
		}
	}
	last := math.Inf(1)
	for _, beta := range []float64{1, 1e-2, 1e-4, 1e-6} {
		sums, preference := gradients(2, beta)
		d := apart(preference, sums)
		t.Logf("β = %g: %.2g apart", beta, d)
		if !(d < last/20) {
			t.Errorf("β = %g: %g apart, %g with the larger one", beta, d, last)
		}
		last = d
	}
	if !(last < 1e-4) {
		t.Errorf("with the smallest β they are %g apart", last)
	}
}

func trained(path string) bool { return (form{}).trains(path) }

// Gradient difference without a retain loss is gradient ascent.
func TestGradientDifference_KeepsNothing(t *testing.T) {
	unlearntest.Watch(t)
	ascent, _ := unlearntest.Snapshots(t, newJob(t, answering.GradientAscent(), 2))
	j := newJob(t, answering.GradientDifference(), 2)
	j.Values["retain-weight"] = 0
	difference, _ := unlearntest.Snapshots(t, j)
	if names := unlearntest.Differing(ascent[2], difference[2]); len(names) > 0 || len(ascent[2]) == 0 {
		t.Errorf("%v differ", names)
	}
}

// The divergence of a model from itself is zero, and so is its gradient.
func TestDivergence_FromItself(t *testing.T) {
	unlearntest.Watch(t)
	f := openFixture(t, dtypes.Float64)
	for _, answersAlone := range []bool{false, true} {
		m := own(func(m answering.Models, b unlearn.Batch) *graph.Node {
			return answering.Divergence(m.Policy, m.Reference, answering.RowsOf(b, unlearn.Forget), answersAlone)
		})
		j := answering.Job{Device: f.device, Store: f.store(t, true), Task: f.task(t), Method: m}
		phases, err := m.Lay(nil, j.Task.Streams)
		if err != nil {
			t.Fatal(err)
		}
		log, err := j.Steps(t.Context(), 1, f.batch(j.Task, phases[0], 0))
		if err != nil {
			t.Fatal(err)
		}
		if log[0].Loss != 0 || !(log[0].Norm < 1e-14) {
			t.Errorf("answers alone %v: the divergence is %g, the norm of its gradient %g", answersAlone, log[0].Loss,
				log[0].Norm)
		}
	}
}

// The frozen model is the model before the run, including its adapter.
func TestAdapter_FrozenModel(t *testing.T) {
	unlearntest.Watch(t)
	j := newJob(t, answering.GradientDifference(), 2)
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, m := range []answering.Method{answering.NPO(), answering.DPO()} {
		j.Method, j.Budgets = m, []int{1}
		result, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := result.Log[0].Loss, 20*math.Ln2; math.Abs(got-want) > 1e-5*want {
			t.Errorf("%s begins with the loss %g, want %g", m.Name, got, want)
		}
	}
}

func TestAnswers_Padding(t *testing.T) {
	unlearntest.Watch(t)
	f := openFixture(t, dtypes.Float64)
	likelihoods := func(pad int32, change func(data *answering.Data)) []float64 {
		data := f.data()
		data.Pad = pad
		change(&data)
		task, err := answering.NewTask(answering.LLaVA(f.config), data)
		if err != nil {
			t.Fatal(err)
		}
		var values []float64
		for row := range 2 {
			m := own(func(m answering.Models, b unlearn.Batch) *graph.Node {
				all := answering.LogLikelihood(m.Policy, answering.RowsOf(b, unlearn.Forget))
				return graph.ReduceAllSum(graph.Slice(all, graph.AxisElem(row)))
			})
			phases, err := m.Lay(nil, task.Streams)
			if err != nil {
				t.Fatal(err)
			}
			j := answering.Job{Device: f.device, Store: f.store(t, true), Task: task, Method: m}
			log, err := j.Steps(t.Context(), 1, f.batch(task, phases[0], 0))
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, log[0].Loss)
		}
		return values
	}
	want := likelihoods(0, func(*answering.Data) {})
	for name, got := range map[string][]float64{
		"another token": likelihoods(7, func(*answering.Data) {}),
		"longer texts": likelihoods(0, func(data *answering.Data) {
			data.Refusals = [][]int32{make([]int32, 25)}
		}),
		"no refusals": likelihoods(0, func(data *answering.Data) { data.Refusals = nil }),
	} {
		if d := apart(got, want); !(d < 1e-13) {
			t.Errorf("padding by %s changes the likelihoods %v to %v", name, want, got)
		}
	}
	if fmt.Sprint(want[0]) == fmt.Sprint(want[1]) {
		t.Error("two answers are equally likely")
	}
}
