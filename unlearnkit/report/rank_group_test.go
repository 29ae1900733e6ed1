package report

import "testing"

func TestRank_Groups(t *testing.T) {
	table := Table{Columns: []Column{{Name: "F1", Better: Nearest, Targets: map[string]float64{"a": .9, "b": .2}}}}
	for _, row := range []struct {
		group string
		value float64
	}{{"a", .8}, {"a", .3}, {"b", .8}, {"b", .3}} {
		table.Rows = append(table.Rows, Row{Group: row.group, Cells: []Cell{Number("", row.value)}})
	}
	table.Rank()
	for i, want := range []Mark{Best, Second, Second, Best} {
		if got := table.Rows[i].Cells[0].Mark; got != want {
			t.Errorf("row %d has the mark %v, want %v", i, got, want)
		}
	}
}
