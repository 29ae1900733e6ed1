package concealment

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	published "github.com/unlearnlab/unlearnlab/data/results/concealment"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
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
		if preset.Waits {
			preset = checkForms(t, s, NewPlan(preset))
		}
		if preset.Originals {
			if r, err := NewPlan(preset).part(s); err != nil || len(r.further)+1 != preset.Seeds {
				t.Errorf("%s: got the error %v, want len(r.Further)+1 %v", name, err, preset.Seeds)
			}
			continue
		}
		if preset.CaptionsAlone {
			if r, err := NewPlan(preset).Read(s); err != nil || len(r.Attacks) != 3 || r.Seeds() != preset.Seeds {
				t.Errorf("%s: got the error %v, want length 3 of r.Attacks, r.Seeds() %v", name, err, preset.Seeds)
			}
			continue // lessons start from the models of mini
		}
		checkShipped(t, s, preset)
		for _, m := range preset.Methods {
			versions[m.Name] = m.Version
		}
	}
	// Presets share runs: every run of quick is also a run of mini.
	if _, err := NewPlan(Quick()).Read(s); err != nil {
		t.Error(err)
	}
	publishtest.Versions(t, published.Shelf(), versions)
}

// checkForms reads the complete part of a preset. It fails if the part lacks a method that has a chosen setting and is
// not in mini.
func checkForms(t *testing.T, s *store.Store, plan *Plan) Preset {
	t.Helper()
	r, err := plan.part(s)
	if err != nil {
		t.Fatalf("%s: %v", plan.Preset.Name, err)
	}
	checked := 0
	for _, pair := range plan.Pairs {
		if len(pair.Models) == 0 || Mini().method(pair.Method.Title) != nil {
			continue
		}
		checked++
		if r.plan.pairOf(pair.Method.Title, pair.Erasure.Paper) == nil {
			t.Errorf("%s of %s has a setting and does not ship whole", pair.Method.Title, pair.Erasure.Paper)
		}
	}
	if checked == 0 || r.Seeds() != plan.Preset.Seeds {
		t.Errorf("%d forms of methods ship, with %d training seeds", checked, r.Seeds())
	}
	return r.Preset
}

// checkShipped reads everything that ships with a preset: its scores, its pictures, and the models from which lessons
// start.
func checkShipped(t *testing.T, s *store.Store, preset Preset) {
	t.Helper()
	plan := NewPlan(preset)
	if len(preset.Controls.Concepts) > 0 {
		checkControls(t, s, plan)
		return
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatalf("%s: %v", preset.Name, err)
	}
	for _, number := range tableNumbers {
		some, err := plan.Read(s, number)
		if err != nil {
			t.Fatalf("%s, table %s alone: %v", preset.Name, number, err)
		}
		want, errOfAll := r.Cells(number)
		got, err := some.Cells(number)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" || (err == nil) != (errOfAll == nil) {
			t.Errorf("%s, table %s alone: %v, of all %v\n%s", preset.Name, number, err, errOfAll, diff)
		}
	}
	for _, attack := range r.Attacks {
		for _, gold := range []bool{false, true} {
			if sheets, err := attack.Sheets(gold); err != nil && (gold || len(attack.Unlearned) > 0) {
				t.Errorf("%s: %v, %v", preset.Name, sheets, err)
			}
		}
	}
	for _, run := range append(plan.Ends(), plan.Original.Run, plan.Golds[0].Run, plan.judge) {
		artifact, err := s.Get(run.Key())
		if err != nil {
			t.Errorf("%s: %s: %v", preset.Name, run.Title, err)
			continue
		}
		if Attack.Made(run) {
			if _, err := ReadAttacked(artifact); err != nil {
				t.Errorf("%s: %s: %v", preset.Name, run.Title, err)
			}
		}
	}
}

// checkControls reads the controls. It fails if any of them does not ship.
func checkControls(t *testing.T, s *store.Store, plan *Plan) {
	t.Helper()
	r, err := plan.part(s)
	if err != nil {
		t.Fatalf("%s: %v", plan.Preset.Name, err)
	}
	if want := plan.Preset.Controls.count(); len(r.controls) != want {
		t.Errorf("%s: %d controls of %d are whole", plan.Preset.Name, len(r.controls), want)
	}
	if want := len(plan.controls.Moves); len(r.moves) != want {
		t.Errorf("%s: distances of %d pairs of %d are whole", plan.Preset.Name, len(r.moves), want)
	}
}
