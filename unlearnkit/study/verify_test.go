package study

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// training is a run that logs the losses of its n-th making.
func training(plan *testPlan, need *Run, losses ...[]float64) *Run {
	made := 0
	return plan.Add(testRun{Title: "training", Needs: []*Run{need},
		Make: func(_ context.Context, w *store.Work, inputs []*store.Artifact, _ Progress) error {
			loss := losses[made]
			made++
			words := make([]string, len(loss))
			if err := safefile.WriteParquet(w.Path(StepsFile),
				[]safefile.Column{{Name: "phase", Texts: words}, {Name: "loss", Values: loss}}); err != nil {
				return err
			}
			content, err := inputs[0].ReadFile("made.txt")
			if err != nil {
				return err
			}
			return os.WriteFile(w.Path("weights"), content, 0o644)
		}})
}

func TestVerifyNamesTheFileAndTheFirstStepThatDiffer(t *testing.T) {
	nan := math.NaN()
	for name, test := range map[string]struct {
		first, second []float64
		want          string
	}{
		"the same": {[]float64{3, 2, nan}, []float64{3, 2, nan}, ""},
		"another step": {[]float64{3, nan, 1, 0}, []float64{3, nan, 1.5, 4},
			"the file steps.parquet differs; the first step that differs is 3: loss 1 and 1.5"},
		"fewer steps": {[]float64{3, 2, 1}, []float64{3, 2},
			"the file steps.parquet differs; the trainings have 3 and 2 steps, the same as far as both go"},
		"the first steps": {[]float64{3}, []float64{nan}, "the first step that differs is 1: loss 3 and NaN"},
	} {
		s, scratch := open(t), open(t)
		var l log
		var plan testPlan
		run := training(&plan, plan.Add(run(&l, "a")), test.first, test.second)
		if err := plan.Execute(t.Context(), s, Options{}); err != nil {
			t.Fatal(err)
		}
		err := Verify(t.Context(), run, plan.makers(), s, scratch, func(int, int) {})
		var different *Different
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.want != "" && (!errors.As(err,
			&different) || different.Title != "training" || !strings.HasSuffix(err.Error(), test.want)):
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
		if made := l.all(); len(made) != 1 {
			t.Errorf("%s: what the run needs was made %d times", name, len(made))
		}
	}
}

func TestVerifyNamesAFileWithoutSteps(t *testing.T) {
	s := open(t)
	times := 0
	var plan testPlan
	run := plan.Add(testRun{Title: "scores",
		Make: func(_ context.Context, w *store.Work, _ []*store.Artifact, _ Progress) error {
			times++
			return os.WriteFile(w.Path("b.txt"), []byte{byte(times)}, 0o644)
		}})
	var different *Different
	if err := Verify(t.Context(), run, plan.makers(), s, open(t), nil); !errors.Is(err, store.ErrAbsent) ||
		errors.As(err, &different) {
		t.Errorf("nothing to verify: %v", err)
	}
	if err := plan.Execute(t.Context(), s, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := Verify(t.Context(), run, plan.makers(), s, open(t), nil); err == nil ||
		!strings.HasSuffix(err.Error(), "the file b.txt differs") {
		t.Errorf("%v", err)
	}
}
