package unlearn

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// The settings of SALMUBench's appendix, and where it names none those of the code that it builds on.
func TestTheMethodsHaveThePapersSettingsAndBudgets(t *testing.T) {
	want := []string{
		"generic|Generic Captions|any|false|batch=256 decay=0.01 rate=3e-07",
		"shuffled|Shuffled Captions|any|false|batch=256 decay=0.01 rate=5e-07",
		"direct|Direct Sim. Minimization|any|false|batch=256 decay=0.01 rate=3e-08",
		"negative|Negative Gradient|any|false|batch=256 decay=0.01 rate=3e-08",
		"finetuning|Finetuning|any|false|batch=32 decay=0.001 rate=5e-07",
		"descent-to-delete|Descent to Delete|[1]|false|batch=32 decay=0.001 examples=4e+08 rate=5e-07 strength=0.2",
		"vlunlearn|VLUnlearn|[5 10 15 20]|true|batch=16 decay=0.02 epochs=20 rate=1e-05 retrieval=0",
		"delete|DELETE|[5 10 15 20]|true|batch=256 decay=0.01 rate=3e-08",
		"cliperase|CLIPErase|[5 10 15 20]|true|batch=256 decay=0.01 rate=3e-08",
	}
	compareSettings(t, Methods(), want)
}

// Those of the official codes, one step of which sees what one row of a pass is here.
func TestErasingMethodsHaveTheOfficialCodesSettings(t *testing.T) {
	pool := " guidance=3 rate=%s steps=50 stops=1 trajectories=1"
	drawn := func(rate string) string { return fmt.Sprintf(pool, rate) }
	ablating := func(name, title, rate string) string {
		return name + "|Ablating Concepts (" + title +
			")|any|false|anchors=800 batch=8 clip=1 decay=0.01 guidance=7.5 rate=" + rate + " regulariser=0 steps=50"
	}
	compareSettings(t, Erasing(), []string{
		"esd-x|ESD-x|any|true|batch=1 eta=1" + drawn("1e-05"),
		"esd-u|ESD-u|any|true|batch=1 eta=1" + drawn("1e-05"),
		"esd-x-newer|ESD-x (newer release)|any|true|batch=1 eta=1" + drawn("5e-05"),
		"esd-u-newer|ESD-u (newer release)|any|true|batch=1 eta=1" + drawn("5e-05"),
		ablating("ablating-model", "model-based", "1.6e-05"),
		ablating("ablating-model-embedding", "model-based, embedding", "1e-05"),
		ablating("ablating-model-full", "model-based, full weights", "5e-07"),
		ablating("ablating-noise", "noise-based", "1.6e-05"),
		ablating("ablating-noise-embedding", "noise-based, embedding", "1e-05"),
		ablating("ablating-noise-full", "noise-based, full weights", "5e-07"),
		"sdd|SDD|any|false|average=0.999 batch=1 clip=1 decay=0.0001" + drawn("1e-05"),
	})
}

func compareSettings(t *testing.T, methods []Method, want []string) {
	t.Helper()
	if len(methods) != len(want) {
		t.Fatalf("%d methods", len(methods))
	}
	for i, m := range methods {
		settings := map[string]float64{}
		for _, setting := range m.Settings {
			settings[setting.Name] = setting.Default
			if setting.Source == "" {
				t.Errorf("%s: no source of %s", m.Name, setting.Name)
			}
		}
		passes := "any"
		if m.Passes != nil {
			passes = fmt.Sprint(m.Passes)
		}
		text := fmt.Sprintf("%s|%s|%s|%v|%s", m.Name, m.Title, passes, m.Reference,
			strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(settings), "map["), "]"))
		if got := strings.ReplaceAll(text, ":", "="); got != want[i] {
			t.Errorf("%s\nwant %s", got, want[i])
		}
		if m.Version < 1 || m.Source == "" {
			t.Errorf("%s: version %d, source %q", m.Name, m.Version, m.Source)
		}
	}
}

func TestLookupFindsAMethodOrSuggestsTheNearest(t *testing.T) {
	all := "generic, shuffled, direct, negative, finetuning, descent-to-delete, vlunlearn, delete, cliperase, esd-x, " +
		"esd-u, esd-x-newer, esd-u-newer, " +
		"ablating-model, ablating-model-embedding, ablating-model-full, ablating-noise, ablating-noise-embedding, " +
		"ablating-noise-full, sdd"
	for _, m := range slices.Concat(Methods(), Erasing()) {
		if found, err := Lookup(m.Name); err != nil || found.Title != m.Title {
			t.Errorf("%s: %s, %v", m.Name, found.Title, err)
		}
	}
	for _, test := range []struct{ name, says string }{
		{"cliperse", `no method is called "cliperse"; did you mean "cliperase"?`},
		{"Finetuning", `no method is called "Finetuning"; did you mean "finetuning"?`},
		{"esdx", `no method is called "esdx"; did you mean "esd-x"?`},
		{"descent_to_delete", `no method is called "descent_to_delete"; did you mean "descent-to-delete"?`},
		{"", `no method is called ""; there are ` + all},
		{"zz", `no method is called "zz"; there are ` + all},
	} {
		if _, err := Lookup(test.name); err == nil || err.Error() != test.says {
			t.Errorf("%v; want %s", err, test.says)
		}
	}
}

// The four values were computed in Python from the formula of MultiDelete's code.
func TestTheNoiseOfDescentToDeleteHasTheFormulasDeviation(t *testing.T) {
	for _, test := range []struct{ n, strength, want float64 }{
		{4e8, 0.2, 1.98148e-6},
		{4e8, 0.001, 0.0734249},
		{8e4, 0.02, 0.714281},
		{8e4, 0.2, 0.00763937},
	} {
		if got := DeletionNoise(test.n, test.strength); math.Abs(got-test.want) > 5e-6*test.want {
			t.Errorf("n = %g, strength %g: %.6g, want %.6g", test.n, test.strength, got, test.want)
		}
	}
}
