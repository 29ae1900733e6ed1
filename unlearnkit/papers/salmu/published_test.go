package salmu

import (
	"testing"

	published "github.com/unlearnlab/unlearnlab/data/results/salmu"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
)

// The shipped results of a preset must be complete and readable, and must come from the current versions of its
// methods.
func TestPublished_Complete(t *testing.T) {
	presets, err := published.Shelf().Folders()
	if err != nil || len(presets) == 0 {
		t.Fatalf("nothing ships: %v", err)
	}
	s, err := Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]int{}
	for _, name := range presets {
		preset, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		plan := NewPlan(preset)
		if preset.isAddition() {
			if r, err := plan.part(s); err != nil || r.Seeds() <= Mini().Worlds {
				t.Errorf("%s: got the error %v, want r.Seeds() more than %v", name, err, Mini().Worlds)
			}
			continue
		}
		r, err := plan.Read(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, number := range tableNumbers {
			some, err := plan.Read(s, number)
			if err != nil || some.Seeds() != r.Seeds() {
				t.Errorf("%s, table %s alone: %v", name, number, err)
			}
		}
		for _, m := range preset.Methods {
			versions[m.Name] = m.Version
		}
		for _, world := range plan.Worlds {
			for _, run := range world.Clean.Needs {
				if _, err := s.Get(run.Key()); err != nil {
					t.Errorf("%s: %s: %v", name, run.Title, err)
				}
			}
		}
	}
	publishtest.Versions(t, published.Shelf(), versions)
}
