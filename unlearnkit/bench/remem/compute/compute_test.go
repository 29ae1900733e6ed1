package compute

import (
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func made(t *testing.T, s *store.Store, p remem.Preset) *remem.Plan {
	t.Helper()
	plan := remem.NewPlan(p)
	lab := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil })
	if err := plan.Execute(t.Context(), s, remem.Makers(lab), study.Options{}); err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestEveryStageRunsToItsEnd(t *testing.T) {
	s := open(t)
	plan := made(t, s, remem.Smoke())
	for _, run := range plan.Runs() {
		artifact, err := s.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v %.1f s", run.Title, artifact.Names(), artifact.Manifest.Wall)
	}
	runs := plan.Worlds[0].Sizes[0]
	artifact, err := s.Get(runs.Methods[1][0].Scores.Key())
	if err != nil {
		t.Fatal(err)
	}
	scores, err := remem.ReadScores(artifact)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]int{}
	for _, a := range scores.Answers {
		parts[a.Part+" "+a.Hop]++
	}
	// Two of four people are forgotten.
	for part, want := range map[string]int{"forget single": 140, "forget multi": 60, "retain single": 28,
		"retain multi": 28, "test single": 28, "test multi": 28, "paraphrase single": 28, "first person multi": 28} {
		if parts[part] != want {
			t.Errorf("%d questions of %s, want %d", parts[part], part, want)
		}
	}
	if len(scores.Secrets) == 0 || len(scores.Choices) != 24 {
		t.Errorf("%d secrets, %d choices", len(scores.Secrets), len(scores.Choices))
	}
	if !slices.ContainsFunc(scores.Answers, func(a remem.Answer) bool { return a.Output != "" }) {
		t.Error("no output has words")
	}
}
