package profile

import (
	"slices"
	"strings"
	"testing"
)

// Questions about strangers name nobody, are answered by refusals, and are about other people in training and test.
// Each wording of the test is in the training.
func TestUnknown(t *testing.T) {
	w := standard()
	people, wordings := map[int]Split{}, map[string]bool{}
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
			if wordings[r.Question] = wordings[r.Question] || split == Train; !wordings[r.Question] {
				t.Errorf("%q is only in the test", r.Question)
			}
			people[r.Identity] = split
		}
		if len(asked) != len(attributes) {
			t.Errorf("%s: %d attributes are asked for, want %d", split, len(asked), len(attributes))
		}
	}
	if _, err := w.Unknown(Reverse, 1); err == nil || !strings.Contains(err.Error(), "choose train or test") {
		t.Errorf("got %v", err)
	}
}
