package study_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/third"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// madeThird computes the made-up study of package third in a new store and returns its results.
func madeThird(t *testing.T) (study.Tracer, *store.Store) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := third.Study.Plan(study.Request{Preset: "smoke"})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Execute(t.Context(), s, third.Makers, study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return r.(study.Tracer), s
}

func TestOneTable_Absent(t *testing.T) {
	_, err := third.Study.Open(t.TempDir(), "smoke")
	for _, want := range []string{"12 runs are not made yet", "unlearnlab run third --preset smoke"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v, want %q in it", err, want)
		}
	}
}

func TestOneTable_Table(t *testing.T) {
	r, _ := madeThird(t)
	table, err := r.Table("1", true)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := table.Text(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Table 1. Forgetting speakers (smoke)", "ascent/5x", "under-forgotten", "3 seeds",
		"60 clips (crossed)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

func TestOneTable_Claims(t *testing.T) {
	r, _ := madeThird(t)
	if claim := r.Claims()[0]; claim.Verdict != certify.Holds {
		t.Errorf("got %s for the claim %q, want %s", claim.Verdict, claim.Claim, certify.Holds)
	}
}

func TestOneTable_Origin(t *testing.T) {
	r, _ := madeThird(t)
	origin, err := r.Origin("1", "ascent/1x", "Accuracy")
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, run := range study.RunsOf(origin.Readings...) {
		titles = append(titles, run.Title)
	}
	want := []string{"seed 0: ascent", "seed 1: ascent", "seed 2: ascent", "seed 0: gold", "seed 1: gold", "seed 2: gold"}
	if !slices.Equal(titles, want) {
		t.Errorf("got the runs %q, want %q", titles, want)
	}
	if _, err := r.Origin("1", "none", "Accuracy"); err == nil || err.Error() != `table 1 has no row "none"` {
		t.Errorf("got the error %v for an unknown row", err)
	}
}
