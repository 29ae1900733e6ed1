package concealment

import (
	"math"
	"strings"
	"testing"
)

// Prompts are compared on the same noises.
func TestAgainst_SameNoises(t *testing.T) {
	r := usual().results(small())
	all, err := r.Against("2", "r2d2")
	if err != nil {
		t.Fatal(err)
	}
	cells, err := r.Cells("2")
	if err != nil {
		t.Fatal(err)
	}
	if len(all.All) != 7*7 {
		t.Errorf("%d comparisons", len(all.All))
	}
	for _, c := range all.All {
		own, other := find(t, cells, c.Row, c.Column), find(t, cells, "R2D2", c.Column)
		if c.Against != "R2D2" || math.Abs(c.Estimate-(own.Estimate-other.Estimate)) > 1e-12 || c.Seeds != 5 ||
			!(c.Lo <= c.Estimate && c.Estimate <= c.Hi) || c.Basis.Tests != len(all.All) {
			t.Errorf("%+v of %v and %v", c, own.Estimate, other.Estimate)
		}
	}
	table := all.Table()
	if len(table.Rows) != 7 || len(table.Columns) != 7 ||
		!strings.Contains(table.Note, "20 noises (crossed)") || !strings.Contains(table.Title, `"R2D2"`) {
		t.Errorf(`got %+v, want 7 Rows, 7 Columns, "20 noises (crossed)" in Note, %q in Title`, table, `"R2D2"`)
	}
	for name, says := range map[string]string{"R2D3": `do you mean "R2D2"?`, "r2d3": `do you mean "R2D2"?`,
		"something else": "it has Dragon in style"} {
		if _, err := r.Against("2", name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got the error %v, want one with %q", name, err, says)
		}
	}
	if _, err := r.Against("4", "R2D2"); err == nil || !strings.Contains(err.Error(), "tables 1, 2 and 3") {
		t.Errorf(`got the error %v, want one with "tables 1, 2 and 3"`, err)
	}
}
