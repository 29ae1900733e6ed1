package concealment

import (
	"slices"
	"strings"
	"testing"
)

// trial returns artificial labels at one rate. For each budget, byBudget has two percentages: how many pictures still
// show the concept, and how many other pictures obey the prompt.
func trial(rate float64, byBudget map[int][2]int) RateViews {
	e := erasure("Grumpy Cat")
	t := RateViews{Rate: rate, Views: map[int]Views{0: tuned(e, 100, 0, .9)}}
	for budget, shares := range byBudget {
		t.Views[budget] = tuned(e, 100, 100-shares[0], float64(shares[1])/100)
	}
	return t
}

func TestChoose_Rule(t *testing.T) {
	tests := []struct {
		name  string
		tried []RateViews
		want  Setting
	}{
		{"only what is below a fifth is admissible", []RateViews{trial(1e-3, map[int][2]int{1: {20, 90}, 2: {19, 75}})},
			Setting{Rate: 1e-3, Budget: 2, Reached: true}},
		{"only what keeps four fifths of the original's 90 is",
			[]RateViews{trial(1e-3, map[int][2]int{1: {10, 72}, 2: {0, 71}})},
			Setting{Rate: 1e-3, Budget: 1, Reached: true}},
		// The margins are min(.05, .089), min(.2, .078) and min(.01, .144).
		{"the most to spare at the worse end",
			[]RateViews{trial(1e-3, map[int][2]int{1: {15, 80}, 2: {0, 79}}), trial(2e-3, map[int][2]int{1: {19, 85}})},
			Setting{Rate: 1e-3, Budget: 2, Reached: true}},
		{"at either end", []RateViews{trial(1e-3, map[int][2]int{1: {5, 75}, 2: {12, 90}})},
			Setting{Rate: 1e-3, Budget: 2, Reached: true}},
		{"of equals the fewest passes",
			[]RateViews{trial(1e-3, map[int][2]int{4: {15, 80}}), trial(2e-3, map[int][2]int{3: {15, 85}})},
			Setting{Rate: 2e-3, Budget: 3, Reached: true}},
		{"then the lowest rate", []RateViews{trial(2e-3, map[int][2]int{3: {5, 80}}),
			trial(1e-3, map[int][2]int{3: {5, 80}})}, Setting{Rate: 1e-3, Budget: 3, Reached: true}},
		{"what reaches it before what has as much to spare and does not",
			[]RateViews{trial(1e-3, map[int][2]int{1: {20, 90}, 2: {10, 72}})},
			Setting{Rate: 1e-3, Budget: 2, Reached: true}},
		// The margins are -.15, 70/90 - .8 = -.02, and 66/90 - .8 = -.07.
		{"or what misses by least", []RateViews{trial(1e-3, map[int][2]int{1: {35, 90}, 2: {15, 70}, 3: {0, 66}})},
			Setting{Rate: 1e-3, Budget: 2}},
	}
	for _, test := range tests {
		test.want.Method, test.want.Erased = "esd-x", "Grumpy Cat"
		got, err := Choose("esd-x", erasure("Grumpy Cat"), test.tried)
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.name, got, err, test.want)
		}
		slices.Reverse(test.tried)
		if again, _ := Choose("esd-x", erasure("Grumpy Cat"), test.tried); again != got {
			t.Errorf("%s: %+v in another order", test.name, again)
		}
	}
}

func TestChoose_Nothing(t *testing.T) {
	e := erasure("Grumpy Cat")
	destroyed := trial(1e-3, map[int][2]int{1: {0, 0}})
	destroyed.Views[0] = tuned(e, 10, 0, 0)
	lacking := trial(1e-3, nil)
	lacking.Views[1] = Views{{Prompt: "dog", Number: 0}}
	for says, tried := range map[string][]RateViews{"nothing was tried": nil, "obeys none of the 10 prompts": {destroyed},
		"0 pictures of the concept and 1 others": {lacking}} {
		if _, err := Choose("esd-x", e, tried); err == nil || !strings.Contains(err.Error(), says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// Every method in Mini has a setting; methods in Wider may still lack one. Every setting belongs to a method.
func TestSettings_PresetMethods(t *testing.T) {
	used := map[Setting]bool{}
	for _, p := range []Preset{Mini(), Wider()} {
		for _, m := range p.Methods {
			for _, erased := range m.Erased {
				s, chosen := m.chosen(erased)
				if chosen {
					used[s] = true
				} else if !p.Waits {
					t.Errorf("%s of %s has no setting, or it is not tried", m.uniqueName(), erased)
				}
			}
		}
	}
	for _, s := range settings {
		if !used[s] {
			t.Errorf("%+v is no method's, or it is not tried", s)
		}
	}
}

// Given the shipped tuning scores, Choose must return the shipped settings.
func TestSettings_EqualTuning(t *testing.T) {
	s, err := Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range slices.Concat(NewPlan(Mini()).Pairs, NewPlan(Wider()).Pairs) {
		if len(pair.Models) == 0 {
			continue // no setting has been chosen yet
		}
		pair.Models = nil
		scores, err := pair.read(s)
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := Choose(pair.Method.uniqueName(), pair.Erasure, scores.Tried)
		if err != nil || chosen != pair.Setting {
			t.Errorf("%s of %s: %+v is chosen, the setting is %+v (%v)", pair.Method.Title, pair.Erasure.Paper, chosen,
				pair.Setting, err)
		}
	}
}
