package unlearn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// taught returns a method that moves the policy's image embeddings towards a teacher's.
func taught() contrastive.Method {
	m := unlearntest.Own(func(m contrastive.Models, b unlearn.Batch) *graph.Node {
		image := b.Of(unlearn.Forget, contrastive.Image)
		return contrastive.SquaredError(m.Policy.Image(image), m.Frozen("teacher").Image(image))
	})
	m.Frozen = []string{"teacher"}
	return m
}

// withTeacher puts a copy of the policy into the store, moved by a shift.
func withTeacher(t *testing.T, store *model.Store, shift float32) {
	t.Helper()
	for _, variable := range slices.Collect(store.Scope("/" + unlearn.Policy).IterVariables()) {
		values := tensors.MustCopyFlatData[float32](variable.MustValue())
		for i := range values {
			values[i] += shift * float32(i%3)
		}
		path := "/teacher" + strings.TrimPrefix(variable.Path(), "/"+unlearn.Policy)
		value := tensors.FromFlatDataAndDimensions(values, variable.Shape().Dimensions...)
		if _, err := store.CreateVariable(path, value); err != nil {
			t.Fatal(err)
		}
	}
}

// Losses can read additional frozen models, which never change and are removed at the end.
func TestFrozen_Further(t *testing.T) {
	unlearntest.Watch(t)
	j := unlearntest.NewJob(t, taught(), 1, 30)
	withTeacher(t, j.Store, 0.5)
	before := unlearntest.Contents(t, j.Store, "teacher")
	j.Snapshot = func(context.Context, int) error {
		if names := unlearntest.Differing(before, unlearntest.Contents(t, j.Store, "teacher")); len(names) > 0 {
			t.Errorf("%v of the teacher have moved", names)
		}
		return nil
	}
	result, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if first, last := result.Log[0].Loss, result.Log[89].Loss; first < 1e-2 || last > first/4 {
		t.Errorf("the loss goes from %g to %g", first, last)
	}
	for variable := range j.Store.IterVariables() {
		if !strings.HasPrefix(variable.Path(), "/"+unlearn.Policy+"/") {
			t.Errorf("%s is left", variable.Path())
		}
	}
}

func TestResume_OtherFrozen(t *testing.T) {
	unlearntest.Watch(t)
	folder := t.TempDir()
	job := func(shift float32) contrastive.Job {
		j := unlearntest.NewJob(t, taught(), 3)
		withTeacher(t, j.Store, shift)
		j.Folder = folder
		return j
	}
	if _, err := unlearntest.Cancelled(t, job(0.5), 4); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := job(0.25).Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "belongs to another training") {
		t.Errorf("with another teacher: %v", err)
	}
	gone := job(0.5)
	at, _ := unlearntest.Snapshots(t, gone)
	folder = t.TempDir()
	whole, _ := unlearntest.Snapshots(t, job(0.5))
	if names := unlearntest.Differing(at[3], whole[3]); len(names) > 0 {
		t.Errorf("after an interruption %v differ", names)
	}
}

func TestFrozen_Missing(t *testing.T) {
	called := func(name string) contrastive.Method {
		m := taught()
		m.Frozen = []string{name}
		return m
	}
	unnamed := taught()
	unnamed.Frozen = nil
	refuse(t, []refusal{
		{"no teacher", `method own: the frozen model "teacher" has no tensor /teacher/`, taught(), nil},
		{"a part of a teacher", `method own: the frozen model "teacher" has no tensor /teacher/image/bias of the shape`,
			taught(), func(j *contrastive.Job) {
				withTeacher(t, j.Store, 1)
				if err := j.Store.DeleteVariable("/teacher/image/bias"); err != nil {
					t.Fatal(err)
				}
			}},
		{"a teacher that the method does not name",
			`own: the method reads a frozen model "teacher", but Method.Frozen does not name it`, unnamed, nil},
		{"a name of the engine's", `method own: a frozen model cannot be called "policy"`, called(unlearn.Policy), nil},
		{"another name of the engine's", `method own: a frozen model cannot be called "optimizer_1"`,
			called("optimizer_1"), nil},
		{"a path", `method own: a frozen model cannot be called "a/b"`, called("a/b"), nil},
	})
}

func TestPhase_Missing(t *testing.T) {
	for _, phase := range []int{1, 2} { // a phase without steps, and a phase that does not exist
		_, err := unlearntest.NewJob(t, contrastive.DescentToDelete(), 1).StepsOf(t.Context(), phase, 1, nil)
		want := fmt.Sprintf("method descent-to-delete: it has no phase %d with steps", phase)
		if fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := unlearntest.NewJob(t, taught(), 1).Steps(t.Context(), 1, nil); err == nil ||
		!strings.HasPrefix(err.Error(), `method own: the frozen model "teacher" has no tensor /teacher/`) {
		t.Errorf("steps without the teacher: %v", err)
	}
}

// halves returns a method of two phases. A pass is one full batch, so that the order of the rows does not matter.
func halves(continues bool) contrastive.Method {
	phase := contrastive.Phase{Streams: []string{unlearn.Forget}, Batch: 10, Loss: tiedForget,
		Rate: optim.Constant(0.01)}
	second := phase
	second.Name, second.Continues = "second", continues
	return laid(phase, second)
}

func TestPhase_SharedOptimizer(t *testing.T) {
	unlearntest.Watch(t)
	end := func(m contrastive.Method, budget int) []float32 {
		j := unlearntest.NewJob(t, m, budget)
		if _, err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return tensors.MustCopyFlatData[float32](j.Store.GetVariable("/policy/image/weight").MustValue())
	}
	one := halves(false)
	single := one.Phases
	one.Phases = func(p *unlearn.Plan) ([]contrastive.Phase, error) {
		all, err := single(p)
		return all[:1], err
	}
	apart := func(a, b []float32) (most float64) {
		for i := range a {
			most = max(most, math.Abs(float64(a[i]-b[i])))
		}
		return most
	}
	want := end(one, 2)
	if off := apart(want, end(halves(true), 1)); off > 1e-5 {
		t.Errorf("two phases with one optimizer end %g from two passes of one phase", off)
	}
	if off := apart(want, end(halves(false), 1)); off < 1e-4 {
		t.Errorf("two phases with an optimizer each end only %g from two passes of one phase", off)
	}
}

func TestPhase_ResumeSharedOptimizer(t *testing.T) {
	unlearntest.Watch(t)
	folder := ""
	job := func() contrastive.Job {
		j := unlearntest.NewJob(t, halves(true), 6)
		j.Folder = folder
		return j
	}
	whole, _ := unlearntest.Snapshots(t, job())
	folder = t.TempDir()
	for _, after := range []int{1, 3, 5} {
		if _, err := unlearntest.Cancelled(t, job(), after); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	at, _ := unlearntest.Snapshots(t, job())
	if names := unlearntest.Differing(at[6], whole[6]); len(names) > 0 {
		t.Errorf("after three interruptions %v differ", names)
	}
}

func TestPhase_Fit(t *testing.T) {
	unlearntest.Watch(t)
	m := unlearntest.Own(tiedForget)
	fitted := 0
	m.Phases = altered(m.Phases, func(phase *contrastive.Phase) {
		rate := phase.Rate
		phase.Rate = nil
		phase.Fit = func(phase *contrastive.Phase, policy contrastive.View) error {
			fitted++
			phase.Rate = rate
			return nil
		}
	})
	if result, err := unlearntest.NewJob(t, m, 1).Run(t.Context()); err != nil || fitted != 1 || len(result.Log) != 3 {
		t.Errorf("fitted %d times, %d steps, %v", fitted, len(result.Log), err)
	}
}

func TestPhase_Refused(t *testing.T) {
	with := func(change func(phase *contrastive.Phase)) contrastive.Method {
		m := unlearntest.Own(tiedForget)
		m.Phases = altered(m.Phases, change)
		return m
	}
	first := halves(false)
	lay := first.Phases
	first.Phases = altered(lay, func(phase *contrastive.Phase) { phase.Continues = true })
	average := halves(true)
	average.Phases = altered(average.Phases, func(phase *contrastive.Phase) {
		phase.Optimizer = optim.Optimizer{Rule: optim.SGD{}, Average: 0.9}
	})
	refuse(t, []refusal{
		{"no full batch", `method own: phase "" has no step: a batch has 64 rows, and one of the streams forget and retain`,
			with(func(phase *contrastive.Phase) {
				phase.Streams, phase.Batch = []string{unlearn.Forget, unlearn.Retain}, 64
				phase.Pairing = unlearn.Shortest
			}), nil},
		{"a random source without columns", `method own: phase "": random "noise" needs a Name, Columns and Draw`,
			with(func(phase *contrastive.Phase) { phase.Random = []unlearn.Random{{Name: "noise"}} }), nil},
		{"random columns that are not drawn",
			"own: batch of step 1: random noise: 0 columns are drawn, not x",
			with(func(phase *contrastive.Phase) {
				phase.Random = []unlearn.Random{{Name: "noise", Columns: []string{"x"},
					Draw: func(*rand.Rand, int) ([]*tensors.Tensor, error) { return nil, nil }}}
			}), nil},
		{"random columns under a stream's name",
			`method own: phase "": random "forget" has the name of another source of columns`,
			with(func(phase *contrastive.Phase) {
				phase.Random = []unlearn.Random{{Name: unlearn.Forget, Columns: []string{"x"},
					Draw: func(*rand.Rand, int) ([]*tensors.Tensor, error) { return nil, nil }}}
			}), nil},
		{"a first phase that goes on", `method own: phase "" continues an optimizer, but no phase with steps`, first,
			nil},
		{"averages that go on", `method own: phase "second" continues an optimizer, which is impossible`, average,
			nil},
		{"a phase that does not fit", `method own: phase "": the model has no second layer`,
			with(func(phase *contrastive.Phase) {
				phase.Fit = func(*contrastive.Phase, contrastive.View) error {
					return errors.New("the model has no second layer")
				}
			}), nil},
	})
}
