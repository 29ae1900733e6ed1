package remem_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// fields returns the rows of a printed table that are fields of a profile.
func fields(t *testing.T, item string) (names []string) {
	t.Helper()
	cells, err := papers.Open("remem", item)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		if !strings.HasPrefix(c.Row, "Instruction/") {
			names = append(names, c.Row)
		}
	}
	return names
}

func TestWordTables_PaperRows(t *testing.T) {
	r := results(t)
	for item, more := range map[string][]string{"6": nil, "7": {"visual_description"}} { // only the paper has this row
		table, err := r.Table(item, false)
		if err != nil {
			t.Fatal(err)
		}
		var own []string
		for _, row := range table.Rows {
			own = append(own, row.Name)
		}
		if printed := fields(t, "table"+item); !slices.Equal(append(own, more...), printed) {
			t.Errorf("table %s has the fields %v, the paper %v", item, own, printed)
		}
	}
	if printed := fields(t, "table7"); len(printed) != len(profile.Attributes())+1 {
		t.Errorf("the paper prints %d fields", len(printed))
	}
}

func TestRubric_Paper(t *testing.T) {
	cells, err := papers.Open("remem", "table8")
	if err != nil {
		t.Fatal(err)
	}
	rubric := strings.ReplaceAll(metric.JudgeRubric, "*", "")
	for _, c := range cells {
		if !strings.Contains(rubric, c.Value) {
			t.Errorf("the rubric lacks %q", c.Value)
		}
	}
}
