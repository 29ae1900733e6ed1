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

// If runs are missing, the table shows the complete repetitions, and the claims say how many there should be.
func TestOneTable_Part(t *testing.T) {
	folder := t.TempDir()
	s, err := store.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := third.Study.Plan(study.Request{Preset: "smoke"})
	if err != nil {
		t.Fatal(err)
	}
	wanted := slices.DeleteFunc(slices.Clone(plan.Runs()), func(run *study.Run) bool {
		return run.Title == "seed 1: ascent"
	})
	if err := plan.Make(t.Context(), s, third.Makers, study.Options{}, wanted...); err != nil {
		t.Fatal(err)
	}
	r, err := third.Study.Open(folder, "smoke")
	if err != nil {
		t.Fatal(err)
	}
	origin, err := r.(study.Tracer).Origin("1", "Original", "Accuracy")
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	for _, reading := range origin.Readings {
		numbers = append(numbers, reading.Repetition)
	}
	if want := []int{0, 2, 0, 2}; r.Seeds() != 2 || !slices.Equal(numbers, want) {
		t.Errorf("got %d seeds and readings of %v, want 2 and %v", r.Seeds(), numbers, want)
	}
	if note := third.Study.ClaimsTable(r).Note; !strings.HasPrefix(note, "n: 2 seeds of the 3 that there should be. ") {
		t.Errorf("got the note %q", note)
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
