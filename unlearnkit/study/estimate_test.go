package study

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Missing runs are estimated to take as long as similar runs took.
func TestEstimate_MissingRuns(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sleep := func(_ context.Context, w *store.Work, _ []*store.Artifact, _ Progress) error {
		time.Sleep(50 * time.Millisecond)
		return os.WriteFile(w.Path("file"), nil, 0o644)
	}
	var p testPlan
	made := p.Add(testRun{Title: "made", Cost: 1, Make: sleep})
	later := p.Add(testRun{Title: "later", Cost: 1000, Make: sleep})
	other := Stage[named]{"study/other", 1}.Add(&p.Plan, "of another stage", 100, named{Name: "other"})
	if _, known, err := p.Estimate(s, []*Run{later}); known || err != nil {
		t.Errorf("known without anything to go by: %v, %v", known, err)
	}
	if err := p.Make(t.Context(), s, p.makers(), Options{}, made); err != nil {
		t.Fatal(err)
	}
	artifact, err := s.Get(made.Key())
	if err != nil {
		t.Fatal(err)
	}
	want := time.Duration(1100 * artifact.Manifest.Wall * float64(time.Second))
	got, known, err := p.Estimate(s, []*Run{later, other})
	if err != nil || !known || got < 50*time.Second || (got-want).Abs() > time.Millisecond {
		t.Errorf("%v, %v, %v, want %v", got, known, err, want)
	}
}
