package train

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
)

// Every exported question is in the raw scores of the original, in the same words.
func TestExport_IDsOfRawScores(t *testing.T) {
	s, err := remem.Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	preset := remem.Quick()
	taught := remem.NewPlan(preset).Worlds[0].Sizes[0].Taught
	artifact, err := s.Get(taught.Scores.Key())
	if err != nil {
		t.Fatal(err)
	}
	scores, err := remem.ReadScores(artifact)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]remem.Answer{}
	for _, a := range scores.Answers {
		answers[a.ID] = a
	}
	spec, _ := remem.Taught.Spec(taught.Model)
	p, err := NewLab(nil).people(spec.World)
	if err != nil {
		t.Fatal(err)
	}
	splits, err := worldData{preset: preset, world: spec.World}.splits(p)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{}
	for _, split := range splits {
		for _, row := range split.Rows {
			a, known := answers[row.ID]
			if !known || a.Question != row.Question || a.Reference != row.Answer || int(a.Identity) != row.Identity {
				t.Errorf("%s of %s is in the scores: %v, as %+v, want %+v", row.ID, split.Name, known, a, row)
			}
			if row.Probe {
				sizes["probe"]++
			}
		}
		sizes[split.Name] = len(split.Rows)
	}
	for name, want := range map[string]int{"forget": 400, "retain": 1600, "test": 112, "retain_test": 448, "probe": 448} {
		if sizes[name] != want {
			t.Errorf("%d rows in %s, want %d", sizes[name], name, want)
		}
	}
}

// The exported orders are drawn from the seed of the methods' runs.
func TestExport_OrdersOfMethods(t *testing.T) {
	for world, w := range remem.NewPlan(remem.Mini()).Worlds {
		runs := w.Sizes[0]
		taught, _ := remem.Taught.Spec(runs.Taught.Model)
		unlearned, _ := remem.Unlearned.Spec(runs.Methods[len(runs.Methods)-1][0].Model)
		if taught.Seed != unlearned.Seed {
			t.Errorf("world %d: the method's seed is %d, the exported order's %d", world, unlearned.Seed, taught.Seed)
		}
	}
}
