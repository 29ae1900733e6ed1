package report

import (
	"strings"
	"testing"
)

// CSV has the fields of all records that are no lists and no objects, in the order of the JSON.
func TestRecords_CSV(t *testing.T) {
	type record struct {
		Name  string   `json:"name"`
		Note  string   `json:"note,omitempty"`
		P     *float64 `json:"p"`
		Parts []int    `json:"parts,omitempty"`
	}
	for want, rows := range map[string][]record{
		"name,note,p\na,,0.00012345678901\nb,\"two, lines\",\n": {{Name: "a", P: Defined(.00012345678901)},
			{Name: "b", Note: "two,\nlines", Parts: []int{1}}},
		"name,p\n": {},
	} {
		var out strings.Builder
		if err := (Records{Rows: rows}).CSV(&out); err != nil || out.String() != want {
			t.Errorf("got %q, %v, want %q", out.String(), err, want)
		}
	}
}

func TestRecords_Empty(t *testing.T) {
	var out strings.Builder
	if err := (Records{Title: "none", Rows: []string(nil)}).JSON(&out); err != nil ||
		out.String() != "{\n  \"title\": \"none\",\n  \"rows\": []\n}\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// A count of repetitions and words in a column of numbers have columns of their own.
func TestCSV_NumbersOnly(t *testing.T) {
	table := &Table{Corner: "Claim", Columns: []Column{{Name: "p"}}, Rows: []Row{
		Named("a").With(Cell{Text: "< .001\n9 of 10", Value: .0001, Agreement: &Agreement{9, 10}}),
		Named("b").With(Word("diverged")), Named("c").With(Word("–")), Named("d")}}
	var out strings.Builder
	want := "Claim,p,p agree,p repeated,p words\na,0.0001,9,10,\nb,,,,diverged\nc,,,,\nd,,,,\n"
	if err := table.CSV(&out); err != nil || out.String() != want {
		t.Errorf("got\n%s%v, want\n%s", out.String(), err, want)
	}
}
