package remem_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Complete worlds are shown, and the note says how many there should be.
func TestPart_Worlds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	p := remem.Smoke()
	p.Worlds, p.First, p.Choices = 3, 1, 40
	plan := remem.NewPlan(p)
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	makes := func(runs ...*study.Run) {
		t.Helper()
		err := plan.Make(t.Context(), s, madeup.Makers(), study.Options{Workers: 2}, runs...)
		if err != nil {
			t.Fatal(err)
		}
	}
	size := func(name string, worlds ...int) (runs []*study.Run) {
		for _, run := range plan.Ends() {
			for _, world := range worlds {
				if strings.HasPrefix(run.Title, "world "+string(rune('0'+world))+", size "+name) {
					runs = append(runs, run)
				}
			}
			if strings.HasPrefix(run.Title, "the base model, size "+name) {
				runs = append(runs, run)
			}
		}
		return runs
	}
	all := size("S", 1)
	makes(all[1:]...)
	if _, err := plan.Part(s); !errors.As(err, new(*study.Absent)) {
		t.Fatalf("a world that lacks a run is whole: %v", err)
	}
	if _, err := plan.Read(s, "2"); !errors.As(err, new(*study.Absent)) {
		t.Errorf("a part is all: %v", err)
	}
	for _, table := range []string{"1", "6", "7", "8", "9"} { // these tables need no scores
		if r, err := plan.Read(s, table); err != nil {
			t.Error(err)
		} else if _, err := r.Table(table, false); err != nil {
			t.Error(err)
		}
	}
	const small = ", at the smaller size alone"
	for _, step := range []struct {
		more   []*study.Run
		worlds []string // worlds that a cell is computed from
		sizes  int
		says   string
	}{
		{size("S", 1), []string{"1"}, 1, "n: 1 world of the 3 that there should be" + small},
		{size("S", 2), []string{"1", "2"}, 1, "n: 2 worlds of the 3 that there should be" + small},
		{size("L", 2), []string{"2"}, 2, "n: 1 world of the 3 that there should be;"},
		{size("S", 0), []string{"0", "1", "2"}, 1, "n: 3 worlds" + small},
		{size("L", 0), []string{"0", "2"}, 2, "n: 2 worlds of the 3 that there should be;"},
		{size("L", 1), []string{"0", "1", "2"}, 2, "n: 3 worlds;"},
	} {
		makes(step.more...)
		r, err := plan.Part(s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Seeds() != len(step.worlds) || len(r.Preset.Sizes) != step.sizes {
			t.Errorf("%d worlds at %d sizes, want %v", r.Seeds(), len(r.Preset.Sizes), step)
		}
		table, err := r.Table("2", true)
		if err != nil || !strings.HasPrefix(table.Note, step.says) {
			t.Errorf("%v %s, want %s", err, table.Note, step.says)
		}
		origin, err := r.Origin("2", "S/GA", "Single-hop/EM_f")
		if err != nil {
			t.Fatal(err)
		}
		var read []string
		for _, reading := range origin.Readings {
			if world := strings.TrimPrefix(reading.Run.Title, "world ")[:1]; !slices.Contains(read, world) {
				read = append(read, world)
			}
		}
		if !slices.Equal(read, step.worlds) {
			t.Errorf("read of the worlds %v, want %v", read, step.worlds)
		}
	}
}
