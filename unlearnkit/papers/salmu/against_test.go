package salmu

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Rows are compared at the same budget, or with one row.
func TestAgainst_BudgetOrRow(t *testing.T) {
	p := Mini()
	p.Worlds, p.Clean, p.Rates, p.Variants = 4, nil, nil, nil
	r := printedResults(t, p, 4, 0.01)
	r.putAfter(nil, 2, "generic", 5) // Generic Captions diverged in one world
	budgets, err := r.Against("5", "delete")
	if err != nil {
		t.Fatal(err)
	}
	exact, err := r.Against("5", "DELETE/5x")
	if err != nil {
		t.Fatal(err)
	}
	find := func(all *study.Comparisons, row, column string) certify.Comparison {
		at := slices.IndexFunc(all.All, func(c certify.Comparison) bool { return c.Row == row && c.Column == column })
		if at < 0 {
			t.Fatalf("no %s of %s", column, row)
		}
		return all.All[at]
	}
	for _, c := range budgets.All {
		_, own, _ := strings.Cut(c.Row, "/")
		if c.Against != "DELETE/"+own || c.Row == c.Against {
			t.Errorf("%s against %s", c.Row, c.Against)
		}
	}
	own, other := find(budgets, "CLIPERase/5x", "IntraIdSim"), find(exact, "CLIPERase/5x", "IntraIdSim")
	var differences []float64
	for w := range r.Seeds() {
		c := p.column("IntraIdSim")
		differences = append(differences, c.Mean(r.after(w, "cliperase", 5), nil)-c.Mean(r.after(w, "delete", 5), nil))
	}
	test := stat.TTest1(differences, 0)
	for what, pair := range map[string][2]float64{"estimate": {own.Estimate, test.Mean.Value}, "p": {own.P, test.P},
		"lo": {own.Lo, test.Mean.Lo}, "hi": {own.Hi, test.Mean.Hi}, "p again": {other.P, test.P}} {
		if math.Abs(pair[0]-pair[1]) > 1e-8 {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	if own.Basis.Tests >= other.Basis.Tests || own.Seeds != 4 || own.Basis.DF != 3 || own.PAdjusted < own.P {
		t.Errorf("%+v and %+v", own, other)
	}
	if c := find(budgets, "Generic Captions/5x", "RetFail"); c.Seeds != 3 {
		t.Errorf("got %+v, want Seeds 3", c)
	}
	if c := find(exact, "Descent to Delete", "GenKnow"); c.Against != "DELETE/5x" {
		t.Errorf(`got %+v, want Against "DELETE/5x"`, c)
	}
	table := budgets.Table()
	if len(table.Rows) != len(budgets.All)/len(p.Columns()) ||
		len(table.Columns) != len(p.Columns()) ||
		!strings.Contains(table.Title, "DELETE at the same budget") ||
		!strings.Contains(table.Note, "4 worlds (repeated)") {
		t.Errorf(`got %+v, want %v Rows, %v Columns, "DELETE at the same budget" in Title, "4 worlds (repeated)" `+
			`in Note`,
			table, len(budgets.All)/len(p.Columns()), len(p.Columns()))
	}
}

func TestAgainst_Unknown(t *testing.T) {
	r := printedResults(t, short(), 2, 0.01)
	for name, says := range map[string]string{
		"Generic Caption":     `do you mean "Generic Captions"?`,
		"generic captions/4x": `do you mean "Generic Captions/1x"?`,
		"none of the sort":    "it has Generic Captions, Generic Captions/1x",
	} {
		if _, err := r.Against("5", name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got the error %v, want one with %q", name, err, says)
		}
	}
	if _, err := r.Against("9", "Clean"); err == nil || !strings.Contains(err.Error(), "it has 4, 5, 6") {
		t.Errorf(`got the error %v, want one with "it has 4, 5, 6"`, err)
	}
	if all, err := r.Against("4", "Clean"); err != nil || len(all.All) != 2*len(leaks) {
		t.Errorf("got %+v, %v, want %v All", all, err, 2*len(leaks))
	}
}
