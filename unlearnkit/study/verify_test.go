package study

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// changing returns a run that writes a different text each time it is executed.
func changing(plan *testPlan, need *Run, texts ...string) *Run {
	made := 0
	return plan.Add(testRun{Title: "scores", Needs: []*Run{need},
		Make: func(_ context.Context, w *store.Work, inputs []*store.Artifact, _ Progress) error {
			content, err := inputs[0].ReadFile("made.txt")
			if err != nil {
				return err
			}
			made++
			return os.WriteFile(w.Path("b.txt"), append(content, texts[made-1]...), 0o644)
		}})
}

func TestVerify(t *testing.T) {
	for again, want := range map[string]verify.Outcome{"a": verify.SameBytes, "b": verify.Another} {
		s := openStore(t)
		var l log
		var plan testPlan
		run := changing(&plan, plan.Add(run(&l, "first")), "a", again)
		if _, err := Verify(t.Context(), run, plan.makers(), s, openStore(t), nil); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("nothing to verify: %v", err)
		}
		if err := plan.Execute(t.Context(), s, Options{}); err != nil {
			t.Fatal(err)
		}
		c, err := Verify(t.Context(), run, plan.makers(), s, openStore(t), nil)
		if err != nil || c.Outcome != want {
			t.Errorf("%s: got %v, %v, want Outcome %v", again, c, err, want)
		}
		if made := l.all(); len(made) != 1 {
			t.Errorf("what the run needs was made %d times", len(made))
		}
	}
}
