package profile

import (
	"slices"
	"strings"
	"testing"
)

// The shapes have the pictures, questions and hops per person of arXiv:2605.03759, Table 1.
func TestShapes_Table1(t *testing.T) {
	c := standard().Private
	table := [][4]int{{1, 20, 0, 20}, {1, 1, 0, 1}, {20, 20, 0, 20}, {100, 100, 70, 30}}
	for i, s := range Shapes() {
		records, err := c.Shape(s)
		if err != nil {
			t.Fatal(err)
		}
		single, multi := hops(records)
		shown := map[[2]int]bool{}
		for _, r := range records {
			shown[[2]int{r.Identity, r.Picture}] = true
		}
		got := [4]int{len(shown) / 20, len(records) / 20, single / 20, multi / 20}
		if got != table[i] || len(records)%20 != 0 || s.Test != (i == 3) {
			t.Errorf("%s has %v, want %v", s.Name, got, table[i])
		}
		set := Set{People: c.People, Records: append(records, c.Of(Test)...)}
		if err := set.Check(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

func TestShapes_Full(t *testing.T) {
	c := standard().Private
	records, err := c.Shape(FullShape)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(records, c.Of(Train)) {
		t.Error("the full shape gives other records")
	}
}

// With one question per person, the questions cover every attribute.
func TestShapes_OneQuestion(t *testing.T) {
	records, err := standard().Private.Shape(MLLMU)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[Attribute]int{}
	for _, r := range records {
		asked[r.Attribute]++
	}
	for _, a := range attributes {
		if asked[a] < 1 || asked[a] > 2 {
			t.Errorf("%s is asked for %d times", a, asked[a])
		}
	}
}

// Figure 3 goes up to 200 questions per person and varies the share of single-hop questions, so templates and pictures
// must be repeated.
func TestShapes_ManyQuestions(t *testing.T) {
	records, err := standard().Private.Shape(Shape{Name: "twice", Pictures: 100, Single: 140, Multi: 60})
	if err != nil {
		t.Fatal(err)
	}
	times, ids := map[string]int{}, map[string]bool{}
	for _, r := range records {
		times[r.Question+r.Answer]++
		ids[r.ID] = true
	}
	if len(records) != 20*200 || len(ids) != len(records) {
		t.Errorf("%d records with %d ids", len(records), len(ids))
	}
	for question, n := range times {
		if n%2 != 0 {
			t.Errorf("%d times: %s", n, question)
		}
	}
}

func TestShapes_Refused(t *testing.T) {
	for want, s := range map[string]Shape{
		"has 0 pictures a person; choose 1 to 100":   {},
		"has 101 pictures a person; choose 1 to 100": {Pictures: 101, Multi: 1},
		"has 0 questions with and 0 without":         {Pictures: 1},
		"has -1 questions with and 3 without":        {Pictures: 1, Single: -1, Multi: 3},
	} {
		if _, err := standard().Private.Shape(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
