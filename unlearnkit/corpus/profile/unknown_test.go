package profile

import (
	"slices"
	"strings"
	"testing"
)

// Questions about strangers name nobody, are answered by refusals, and share neither people nor wordings between
// training and test.
func TestUnknown(t *testing.T) {
	w := standard()
	people, wordings := map[int]Split{}, map[string]Split{}
	for _, split := range []Split{Train, Test} {
		records, err := w.Unknown(split, 300)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[Attribute]bool{}
		for _, r := range records {
			if r.Split != split || r.Keyword != "" || strings.Contains(r.Question, "{") ||
				!slices.Contains(refusals, r.Answer) {
				t.Fatalf("%s: got %+v", split, r)
			}
			asked[r.Attribute] = true
			if other, known := people[r.Identity]; known && other != split {
				t.Errorf("person %d is in %s and %s", r.Identity, other, split)
			}
			if other, known := wordings[r.Question]; known && other != split {
				t.Errorf("%q is in %s and %s", r.Question, other, split)
			}
			people[r.Identity], wordings[r.Question] = split, split
		}
		if len(asked) != len(attributes) {
			t.Errorf("%s: %d attributes are asked for, want %d", split, len(asked), len(attributes))
		}
	}
	if _, err := w.Unknown(Reverse, 1); err == nil || !strings.Contains(err.Error(), "choose train or test") {
		t.Errorf("got %v", err)
	}
}
