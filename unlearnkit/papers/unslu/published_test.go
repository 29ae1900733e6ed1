package unslu_test

import (
	"testing"

	published "github.com/unlearnlab/unlearnlab/data/results/unslu"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// The shipped results of a preset must be complete and readable, and must come from the current versions of its
// methods.
func TestPublished_Complete(t *testing.T) {
	presets, err := published.Shelf().Folders()
	if err != nil || len(presets) == 0 {
		t.Fatalf("nothing ships: %v", err)
	}
	s, err := store.Open(t.TempDir(), store.Above(unslu.Study.Shelves()...))
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]int{}
	for _, name := range append(presets, "quick") { // the preset mini contains all runs of quick
		preset, err := unslu.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		plan := unslu.NewPlan(preset)
		if name == unslu.Wider().Name {
			if r, err := plan.Part(s); err != nil || r.Seeds() < 2 {
				t.Errorf("%s: got the error %v, want r.Seeds() at least 2", name, err)
			}
			continue
		}
		r, err := plan.Read(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, number := range unslu.TableNumbers {
			if some, err := plan.Read(s, number); err != nil || some.Seeds() != r.Seeds() {
				t.Errorf("%s, table %s alone: %v", name, number, err)
			}
		}
		for _, b := range preset.Benchmarks {
			for _, m := range b.Methods {
				versions[m.Name] = m.Version
			}
		}
	}
	// Tutorials start with the original models of the preset quick.
	quick := unslu.NewPlan(unslu.Quick())
	for _, b := range quick.Worlds[0].Benchmarks {
		for _, run := range append(b.OriginalTraining.Needs, b.OriginalTraining) {
			if _, err := s.Get(run.Key()); err != nil {
				t.Errorf("%s: %v", run.Title, err)
			}
		}
	}
	publishtest.Versions(t, published.Shelf(), versions)
}
