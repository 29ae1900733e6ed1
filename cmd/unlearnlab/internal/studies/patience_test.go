package studies

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

type pacedSpec struct{ Number int }

// paced returns a study with two runs. The first has finished, in 30 ms; the second costs cost times as much. made
// counts the runs made.
func paced(t *testing.T, preset string, cost float64) (o *Opened, made *int) {
	t.Helper()
	stage := study.Stage[pacedSpec]{Name: "test/paced", Version: 1}
	plan := &study.Plan{}
	first := stage.Add(plan, "the first", 1, pacedSpec{1})
	stage.Add(plan, "the second", cost, pacedSpec{2})
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	made = new(int)
	makers := study.NewMakers(stage.By(func(_ context.Context, _ pacedSpec, _ study.Inputs, w *store.Work,
		_ study.Progress) error {
		*made++
		time.Sleep(30 * time.Millisecond)
		return os.WriteFile(w.Path("file"), nil, 0o644)
	}))
	if err := plan.Make(t.Context(), s, makers, study.Options{}, first); err != nil {
		t.Fatal(err)
	}
	return &Opened{Study: papers.Of("salmu"), Makers: makers, Store: s, workers: 1, Stderr: io.Discard,
		PresetPlan: &study.PresetPlan{Plan: plan, Preset: preset,
			Read: func(s *store.Store, _ ...string) (study.Results, error) { return nil, plan.Complete(s) }}}, made
}

// Showing a table does not start a computation that takes hours.
func TestResults_Hours(t *testing.T) {
	o, made := paced(t, "mini", 1e6)
	_, err := o.Results()
	if err == nil || *made != 1 || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%v, %d made", err, *made)
	}
	for _, says := range []string{"lacks 1 of 2 runs", `from "the second" on`, " hours of computing",
		"compute them with unlearnlab run salmu --preset mini"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	o.Part = func(*store.Store) (study.Results, error) { return nil, &study.Absent{Runs: o.Runs()} }
	if _, again := o.Results(); again == nil || again.Error() != err.Error() {
		t.Errorf("%v where no repetition is whole", again)
	}
	var said strings.Builder
	o.Stderr, o.Part = &said, func(*store.Store) (study.Results, error) { return nil, nil }
	for range 2 {
		if _, err := o.Results(); err != nil {
			t.Error(err)
		}
	}
	if text := said.String(); strings.Count(text, "\n") != 1 ||
		!strings.Contains(text, "only complete repetitions are shown: the preset mini") {
		t.Errorf("said %q", said.String())
	}
	o.compute = true
	if _, err := o.Results(); err != nil || *made != 2 {
		t.Errorf("%v, %d made, though it was asked for", err, *made)
	}
}

// A table starts a computation of minutes, and that of any short preset.
func TestResults_Minutes(t *testing.T) {
	for _, preset := range []struct {
		name string
		cost float64
	}{{"mini", 10}, {"quick", 1e6}, {"smoke", 1e6}} {
		o, made := paced(t, preset.name, preset.cost)
		if _, err := o.Results(); err != nil || *made != 2 {
			t.Errorf("%s: %v, %d made", preset.name, err, *made)
		}
	}
}
