package concealment

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// made executes a preset with artificial scores and returns the results.
func made(t *testing.T, preset Preset, diverges int) *Results {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plan := NewPlan(preset)
	makers := fakes(&pretender{usual(), preset, diverges})
	if err := plan.Execute(context.Background(), s, makers, study.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// patient returns the smoke preset with up to four passes. In artificial scores, each pass makes the model forget a
// quarter of the pictures.
func patient() Preset {
	p := Smoke()
	p.Methods[0].Budgets = []int{1, 2, 4}
	return p
}

func TestSettingTable(t *testing.T) {
	r := made(t, patient(), 0)
	table, err := r.settingTable()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := table.Text(&text); err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]string{{"ESD-x", "Van Gogh", "0.001", "1", "0.75", "1.00", "no", "3", "1"},
		{"Ablating Concepts", "Grumpy Cat", "0.001", "1", "0.75", "1.00", "no", "1", "0"}} {
		if want := strings.Join(row, " "); !strings.Contains(strings.Join(strings.Fields(text.String()), " "), want) {
			t.Errorf("no row %q in\n%s", want, text.String())
		}
	}
}

// A pass makes the model forget one of four pictures. Wilson's interval for 3 of 4 is [.301, .954].
func TestTryTable(t *testing.T) {
	r := made(t, patient(), 0)
	table, err := r.tryTable()
	if err != nil {
		t.Fatal(err)
	}
	var used []string
	for _, row := range table.Rows {
		if row.Cells[3].Text == "yes" {
			used = append(used, row.Name)
		}
	}
	first := table.Rows[0]
	if len(table.Rows) != 3+1 || first.Name != "ESD-x of Van Gogh/0.001, 1" ||
		first.Cells[0].Text != "0.750\n[0.301, 0.954]" || first.Cells[1].Text != "1.00" ||
		!slices.Equal(used, []string{first.Name, "Ablating Concepts of Grumpy Cat/0.001, 1"}) {
		t.Errorf("%+v, used %q", table.Rows, used)
	}
	last := table.Rows[2].Cells
	if last[0].Value != 0 || last[2].Text != "yes" {
		t.Errorf("four passes leave %+v", last)
	}
}

func TestSettingTable_Lacks(t *testing.T) {
	p := Smoke()
	p.Tries = Tries{}
	if _, err := made(t, p, 0).settingTable(); !errors.As(err, new(*study.Lacks)) ||
		!strings.Contains(err.Error(), "tries no settings; mini does") {
		t.Error(err)
	}
}

// Tuning that diverged is read up to its last look.
func TestTuning_Diverged(t *testing.T) {
	r := made(t, patient(), 2)
	if views := r.Pairs[0].Tried[0].Views; len(views) != 2 || views[0] == nil || views[1] == nil {
		t.Errorf("views of %d budgets, want those of none and of one pass", len(views))
	}
	setting, err := Choose("esd-x", r.Pairs[0].Erasure, r.Pairs[0].Tried)
	if err != nil || setting.Budget != 1 || setting.Reached {
		t.Errorf("got %+v, %v, want Budget 1, Reached false", setting, err)
	}
}
