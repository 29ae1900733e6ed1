package classifying_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

const rate, samples = 2e-3, 203 // settings of gen_methods.py

// stretch is a number of steps in one of a method's phases.
type stretch struct{ phase, steps int }

// form is a method with the settings that gen_methods.py uses.
type form struct {
	name      string // name in the fixture
	method    classifying.Method
	settings  unlearn.Values
	stretches []stretch
	random    func(step, rows int) []*tensors.Tensor
}

func (f fixture) forms() []form {
	first, second := []stretch{{0, 3}}, []stretch{{1, 3}}
	scrub, original := []stretch{{0, 2}, {1, 1}}, []stretch{{1, 2}, {2, 1}}
	noise, logits, student := f.drawn("noise"), f.drawn("logits"), f.disturbance(samples)
	classical := unlearn.Values{"training": 0, "epochs": 2, "msteps": 2, "maximise-first": 1}
	with := func(more unlearn.Values) unlearn.Values {
		all := maps.Clone(classical)
		maps.Copy(all, more)
		return all
	}
	return []form{
		{"finetuning", classifying.Finetuning(), nil, first, nil},
		{"negative", classifying.NegativeGradient(), nil, first, nil},
		{"negative-plus", classifying.NegativeGradientPlus(), nil, first, nil},
		{"negative-plus-weighted", classifying.NegativeGradientPlus(),
			unlearn.Values{"retain-weight": 0.95, "forget-weight": 0.05}, first, nil},
		{"cf-k", classifying.CFk(), nil, first, nil},
		{"cf-k-2", classifying.CFk(), unlearn.Values{"layers": 2}, first, nil},
		{"finetuning", classifying.CFk(), unlearn.Values{"layers": 3}, first, nil},
		{"unsir", classifying.UNSIR(), nil, first, noise},
		{"unsir-repair", classifying.UNSIR(), nil, second, nil},
		{"unsir-repair-adam", classifying.UNSIR(), unlearn.Values{"repair-adam": 1, "decay": 0}, second, nil},
		{"bad-teaching", classifying.BadTeaching(), nil, first, nil},
		{"bad-teaching-original", classifying.BadTeaching(),
			unlearn.Values{"class-mean": 1, "temperature": 2, "decay": 0}, first, nil},
		{"bad-teaching-light", classifying.BadTeachingLight(), nil, first, logits},
		{"scrub", classifying.SCRUB(), unlearn.Values{"training": 0}, scrub, nil},
		{"scrub-training", classifying.SCRUB(), nil, scrub, student},
		{"scrub-original-sgd", classifying.SCRUB(), with(unlearn.Values{"gamma": 0.99, "alpha": 0.001, "sgd": 1}),
			original, nil},
		{"scrub-original-adam", classifying.SCRUB(), with(unlearn.Values{"alpha": 0.5, "temperature": 2, "decay": 0}),
			original, nil},
	}
}

func TestEveryMethod_StepsEqualPyTorch(t *testing.T) {
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		if dtype == dtypes.Float64 && devicetest.Open(t).XLA() {
			continue // pure Go has already checked these formulas, and seventeen more graphs would be compiled
		}
		f := openFixture(t, dtype)
		for _, form := range f.forms() {
			t.Run(fmt.Sprintf("%s as %s in %s", form.method.Name, form.name, dtype), func(t *testing.T) {
				t.Parallel() // XLA compiles each method
				unlearntest.Watch(t)
				f.compare(t, form)
			})
		}
	}
}

// compare runs three steps by the engine's own training.
func (f fixture) compare(t *testing.T, as form) {
	settings := unlearn.Values{"rate": rate, "decay": 0.5, "batch": 4}
	maps.Copy(settings, as.settings)
	phases, err := as.method.Lay(settings, f.task.Streams)
	if err != nil {
		t.Fatal(err)
	}
	store := f.store(t)
	before, incompetent := values(store, unlearn.Policy), values(store, classifying.Incompetent)
	j := classifying.Job{Device: devicetest.Open(t), Store: store, Task: f.task, Method: as.method, Values: settings}
	var log train.Log
	for _, s := range as.stretches {
		batch := f.batch(phases[s.phase].Streams, as.random, len(log))
		part, err := j.StepsOf(t.Context(), s.phase, s.steps, batch)
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, part...)
	}
	f.compareLosses(t, f.Floats("loss."+as.name), log)
	for i, want := range f.Floats("norm." + as.name) {
		if got := log[i].Norm; math.Abs(got-want) > 1e-4*want {
			t.Errorf("step %d: the norm of the gradient is %g, PyTorch's %g", i, got, want)
		}
	}
	changes := f.Floats("change." + as.name)
	scale := rate
	if as.name == "unsir-repair" || as.name == "scrub-original-sgd" { // their steps are proportional to the gradient
		scale = 0
		for _, change := range changes {
			scale = max(scale, math.Abs(change))
		}
	}
	unlearntest.CompareChanges(t, changes, scale, 5, before, values(store, unlearn.Policy))
	if as.method.Reference && !slices.Equal(values(store, unlearn.Reference), before) ||
		!slices.Equal(values(store, classifying.Incompetent), incompetent) {
		t.Error("a frozen model has changed")
	}
}

// compareLosses compares losses. In float32 it allows for the rounding of a distance between logits that are nearly
// equal.
func (f fixture) compareLosses(t *testing.T, wanted []float64, log train.Log) {
	if f.dtype == dtypes.Float64 {
		unlearntest.CompareLosses(t, wanted, log)
		return
	}
	for i, want := range wanted {
		if difference := math.Abs(log[i].Loss - want); !(difference <= 1e-5*max(math.Abs(want), 0.2)) {
			t.Errorf("step %d: the loss is %.8g, PyTorch's %.8g", i, log[i].Loss, want)
		}
	}
}
