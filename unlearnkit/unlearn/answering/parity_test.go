package answering_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

const rate = 2e-3 // rate of gen_methods.py

// form is a method with the settings that gen_methods.py uses.
type form struct {
	name     string // name in the fixture
	method   answering.Method
	settings unlearn.Values
	steps    []int // number of steps in each phase
}

func forms() []form {
	one := []int{3}
	return []form{
		{"gradient-ascent", answering.GradientAscent(), nil, one},
		{"gradient-ascent-whole", answering.GradientAscent(), unlearn.Values{"whole": 1}, one},
		{"gradient-difference", answering.GradientDifference(), nil, one},
		{"gradient-difference-weighted", answering.GradientDifference(), unlearn.Values{"retain-weight": 0.3}, one},
		{"gradient-ascent", answering.GradientDifference(), unlearn.Values{"retain-weight": 0}, one},
		{"kl", answering.KL(), nil, one},
		{"kl-answers", answering.KL(), unlearn.Values{"answers": 1}, one},
		{"dpo", answering.DPO(), nil, one},
		{"dpo-plain", answering.DPO(), unlearn.Values{"plain": 1, "beta": 0.4}, one},
		{"npo", answering.NPO(), nil, one},
		{"npo-mean", answering.NPO(), unlearn.Values{"mean": 1, "beta": 0.4}, one},
		{"po", answering.PO(), nil, one},
		{"alternating", answering.GradientDifferenceAlternating(), unlearn.Values{"epochs": 2, "warmup": 0.05},
			[]int{2, 1}},
		{"finetuning", answering.Finetuning(), nil, one},
		{"finetuning-frozen", answering.Finetuning(), unlearn.Values{"projector": 0}, one},
		{"finetuning-warm", answering.Finetuning(), unlearn.Values{"warmup": 0.5}, one},
	}
}

// trains reports whether the form trains the tensor.
func (f form) trains(path string) bool {
	if strings.HasPrefix(path, "multi_modal_projector/") {
		return f.settings["projector"] != 0 || f.name != "finetuning-frozen"
	}
	return f.settings["whole"] == 1 || strings.Contains(path, "/lora_")
}

func (f form) values() unlearn.Values {
	values := unlearn.Values{"rate": rate, "decay": 0.5, "batch": 2, "warmup": 0}
	maps.Copy(values, f.settings)
	return values
}

func TestEveryMethod_StepsEqualPyTorch(t *testing.T) {
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		f := openFixture(t, dtype)
		f.device = devicetest.Open(t)
		for _, form := range forms() {
			if f.device.XLA() && (dtype == dtypes.Float64 || form.name != "dpo" && form.name != "kl") {
				continue // pure Go checks these formulas; here they would only add thirty graphs to compile
			}
			t.Run(fmt.Sprintf("%s as %s in %s", form.method.Name, form.name, dtype), func(t *testing.T) {
				unlearntest.Watch(t)
				f.compare(t, form)
			})
		}
	}
}

// compare runs three steps by the engine's own training.
func (f fixture) compare(t *testing.T, as form) {
	task, store := f.task(t), f.store(t, as.settings["whole"] != 1)
	phases, err := as.method.Lay(as.values(), task.Streams)
	if err != nil {
		t.Fatal(err)
	}
	still := func(path string) bool { return !as.trains(path) }
	before, frozen := numbers(store, as.trains), numbers(store, still)
	j := answering.Job{Device: f.device, Store: store, Task: task, Method: as.method, Values: as.values()}
	var log train.Log
	for phase, steps := range as.steps {
		part, err := j.StepsOf(t.Context(), phase, steps, f.batch(task, phases[phase], len(log)))
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, part...)
	}
	// In float32 a gradient of a thousandth of the largest has few digits left, and AdamW turns it into a whole step.
	losses, norms, part := 1e-5, 1e-5, 1.
	if f.dtype == dtypes.Float64 {
		losses, norms, part = 1e-13, 1e-13, 100
	}
	compareAll(t, "the loss", f.Floats("loss."+as.name), log, func(s train.Step) float64 { return s.Loss }, losses)
	compareAll(t, "the norm", f.Floats("norm."+as.name), log, func(s train.Step) float64 { return s.Norm }, norms)
	unlearntest.CompareChanges(t, f.Floats("change."+as.name), rate, part, before, numbers(store, as.trains))
	if !slices.Equal(numbers(store, still), frozen) {
		t.Error("what is frozen has moved")
	}
}

func compareAll(t *testing.T, what string, wanted []float64, log train.Log, of func(train.Step) float64,
	tolerance float64) {
	t.Helper()
	if len(wanted) != len(log) {
		t.Fatalf("%d steps, PyTorch's %d", len(log), len(wanted))
	}
	for i, want := range wanted {
		apart := math.Abs(of(log[i])-want) / max(math.Abs(want), 1) // the losses are differences of values near 5
		t.Logf("step %d: %s %.8g, relative difference %.1e", i, what, want, apart)
		if !(apart <= tolerance) {
			t.Errorf("step %d: %s is %.12g, PyTorch's %.12g", i, what, of(log[i]), want)
		}
	}
}

// A step of plain gradient descent at rate 1 changes the weights by the negative gradient.
func TestEveryMethod_GradientsEqualPyTorch(t *testing.T) {
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		f := openFixture(t, dtype)
		for _, form := range forms() {
			t.Run(fmt.Sprintf("%s as %s in %s", form.method.Name, form.name, dtype), func(t *testing.T) {
				unlearntest.Watch(t)
				f.compareGradient(t, form)
			})
		}
	}
}

func (f fixture) compareGradient(t *testing.T, as form) {
	task, store := f.task(t), f.store(t, as.settings["whole"] != 1)
	j := answering.Job{Store: store, Task: task, Method: as.method, Values: as.values()}
	gradient := f.gradient(t, j, as.trains)
	want := f.Floats("gradient." + as.name)
	if len(want) != len(gradient) {
		t.Fatalf("%d elements, PyTorch's gradient has %d", len(gradient), len(want))
	}
	tolerance := 1e-5
	if f.dtype == dtypes.Float64 {
		tolerance = 1e-7 // the fixture's own rounding
	}
	worst, scale := 0., largest(want)
	for i := range want {
		worst = max(worst, math.Abs(gradient[i]-want[i]))
	}
	t.Logf("largest difference %.1e of %.2g", worst, scale)
	if !(worst <= tolerance*scale) || scale == 0 {
		t.Errorf("the gradient differs by %.2g of %.2g", worst, scale)
	}
}

// gradient returns the gradient of a method's first step with respect to some tensors.
func (f fixture) gradient(t *testing.T, j answering.Job, of func(path string) bool) []float64 {
	t.Helper()
	phasesOf := j.Method.Phases
	j.Method.Phases = func(p *unlearn.Plan) ([]answering.Phase, error) {
		phases, err := phasesOf(p)
		for i := range phases {
			phases[i].Optimizer = optim.Optimizer{Rule: optim.SGD{}}
			phases[i].Schedule = func(int) optim.Schedule { return optim.Constant(1) }
		}
		return phases, err
	}
	phases, err := j.Method.Lay(j.Values, j.Task.Streams)
	if err != nil {
		t.Fatal(err)
	}
	j.Device = f.device
	before := numbers(j.Store, of)
	if _, err := j.Steps(t.Context(), 1, f.batch(j.Task, phases[0], 0)); err != nil {
		t.Fatal(err)
	}
	gradient := numbers(j.Store, of)
	for i := range gradient {
		gradient[i] = before[i] - gradient[i]
	}
	return gradient
}
