package profile

import (
	"slices"
	"strings"
	"testing"
)

func TestChoices_True(t *testing.T) {
	w := standard()
	for _, split := range []Split{Train, Test} {
		choices, err := w.Choices(split, 600)
		if err != nil {
			t.Fatal(err)
		}
		letters, kinds, ids := map[string]int{}, map[string]int{}, map[string]bool{}
		for _, c := range choices {
			letters[c.Letter()]++
			kinds[c.Kind]++
			ids[c.ID] = true
			if (c.Person >= 480) != (split == Test) {
				t.Errorf("%s is about person %d", c.ID, c.Person)
			}
			if sorted := slices.Compact(slices.Sorted(slices.Values(c.Options[:]))); len(sorted) != options {
				t.Errorf("%s has the options %q", c.ID, c.Options)
			}
			drawn := w.Crowd.candidate(c.Person, c.Picture)
			for _, s := range subjects() {
				if s.kind != c.Kind {
					continue
				}
				if truth := s.truth(drawn.sitter, drawn.sitting); c.Options[c.Answer] != truth || truth == "" {
					t.Errorf("%s says %q of a picture with %q", c.ID, c.Options[c.Answer], truth)
				}
				if tested := c.Question == s.questions[2]; tested != (split == Test) {
					t.Errorf("%s asks %q in %s", c.ID, c.Question, split)
				}
			}
		}
		if len(ids) != 600 || len(kinds) != 6 || kinds["head"] != 100 {
			t.Errorf("%d ids, kinds %v", len(ids), kinds)
		}
		for _, letter := range []string{"A", "B", "C", "D"} {
			if letters[letter] < 110 || letters[letter] > 190 {
				t.Errorf("%s: the answers are %v", split, letters)
			}
		}
	}
}

func TestChoices_Rotations(t *testing.T) {
	choices, err := standard().Choices(Test, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range choices {
		letters := ""
		for _, r := range c.Rotations() {
			letters += r.Letter()
			if r.Options[r.Answer] != c.Options[c.Answer] || r.Question != c.Question {
				t.Errorf("%+v is another question than %+v", r, c)
			}
		}
		if !strings.Contains("ABCDABCD", letters) || len(letters) != options || c.Rotations()[0] != c {
			t.Errorf("the answers of the rotations are %s", letters)
		}
		if want := c.Question + "\nA. " + c.Options[0] + "\nB. "; !strings.HasPrefix(c.Prompt(), want) {
			t.Errorf("the prompt is %q", c.Prompt())
		}
	}
}

func TestChoices_Refused(t *testing.T) {
	spec := small(0)
	spec.Crowd = 0
	empty := mustGenerate(spec)
	if _, err := empty.Choices(Train, 1); err == nil || !strings.Contains(err.Error(), "a crowd of 0 is too small") {
		t.Error(err)
	}
	if _, err := standard().Choices(Reverse, 1); err == nil || !strings.Contains(err.Error(), "choose train or test") {
		t.Error(err)
	}
}

// A question's picture shows the answer.
func TestChoices_ShownAnswers(t *testing.T) {
	w := standard()
	choices, err := w.Choices(Train, 60)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range choices {
		shows := w.Crowd.Shows(c.Person, c.Picture)
		for i, s := range subjects() {
			if s.kind == c.Kind && s.words[shows[i]] != c.Options[c.Answer] {
				t.Errorf("%s shows %q, the answer is %q", c.ID, s.words[shows[i]], c.Options[c.Answer])
			}
			if int(shows[i]) >= Shown()[i] {
				t.Errorf("word %d of %d", shows[i], Shown()[i])
			}
		}
	}
}
