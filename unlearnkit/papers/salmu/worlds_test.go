package salmu

import (
	"errors"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestTenWorlds_Runs(t *testing.T) {
	plan, shipped := NewPlan(TenWorlds()), NewPlan(Mini()).Keys()
	for number, world := range plan.Worlds {
		for _, run := range world.own() {
			next := number == 4 && run == world.Independent // mini uses the first world's Clean here, not the sixth's
			if got := shipped[run.Key()]; got != (number < 5 && !next) {
				t.Errorf("%s is a run of mini: %v", run.Title, got)
			}
		}
	}
	for _, run := range plan.Runs() {
		if _, is := plan.Published(run, nil); is && (shipped[run.Key()] || Base.Made(run)) {
			t.Errorf("%s ships with mini, or is a model, and is passed on", run.Title)
		}
	}
}

func TestTenWorlds_Part(t *testing.T) {
	preset := short()
	preset.Name, preset.Worlds = "worlds", 7
	plan := NewPlan(preset)
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	makes := func(runs ...*study.Run) {
		if err := plan.Make(t.Context(), s, fakes(&pretender{}), study.Options{}, runs...); err != nil {
			t.Fatal(err)
		}
	}
	makes(plan.Worlds[0].own()...)
	if _, err := plan.part(s); !errors.As(err, new(*study.Absent)) {
		t.Errorf("no world beyond the study's: %v", err)
	}
	makes(append(plan.Worlds[6].own(), plan.Worlds[1].Clean)...)
	r, err := plan.part(s)
	if err != nil || r.Seeds() != 2 || r.Preset.Worlds != 2 {
		t.Fatalf("%d worlds: %v, want the two of which every run is made", r.Seeds(), err)
	}
	if _, err := r.Table("5", true); err != nil {
		t.Error(err)
	}
	if len(r.Claims()) == 0 || plan.PresetPlan().Part == nil || NewPlan(Mini()).PresetPlan().Part != nil {
		t.Error("parts are for presets that add worlds to the study")
	}
}
