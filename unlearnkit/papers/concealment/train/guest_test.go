package train

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

func TestImport_OwnMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, err := concealment.Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plan := concealment.NewPlan(concealment.Smoke())
	l := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil })
	if err := plan.Execute(t.Context(), s, l.Makers(), study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	pair := plan.Pairs[0]
	erased, err := s.Local(pair.Models[0].Run.Key())
	if err != nil {
		t.Fatal(err)
	}
	m := guest.Model{Path: erased.Dir}
	digest, err := m.Digest()
	if err != nil {
		t.Fatal(err)
	}
	l.Guests = guest.Models{digest: m}
	g := guest.Guest{Name: "mine", Parts: []guest.Part{{Of: pair.Erasure.Paper, Model: digest, Whole: m.Whole()}}}
	runs, err := plan.PresetPlan().Host.Guest(g)
	if err != nil {
		t.Fatal(err)
	}
	if err := runs.Make(t.Context(), s, l.Makers(), study.Options{}, runs.Own()...); err != nil {
		t.Fatal(err)
	}
	if err := guest.Save(s, "concealment", g); err != nil {
		t.Fatal(err)
	}
	found, err := plan.PresetPlan().Read(s)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := found.Cells("1")
	if err != nil {
		t.Fatal(err)
	}
	byRow := map[string][]certify.Cell{}
	for _, c := range cells {
		byRow[c.Row] = append(byRow[c.Row], c)
	}
	const prompt = "Starry Night by Van Gogh"
	if len(byRow[prompt]) == 0 {
		t.Fatalf("table 1 has no row %s", prompt)
	}
	if diff := cmp.Diff(byRow[prompt], byRow[prompt+"/mine (guest)"], cmpopts.EquateNaNs(), cmpopts.IgnoreFields(
		certify.Cell{}, "Row", "Levels", "Guest", "From", "Printed", "PAdjusted", "DifferenceAdjusted"),
		cmpopts.IgnoreFields(certify.Basis{}, "Tests")); diff != "" {
		t.Errorf("the guest differs from the method:\n%s", diff)
	}
	all, err := found.(study.Comparer).Against("1", prompt)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range all.All {
		if c.Row == prompt+"/mine (guest)" {
			compared++
			if !c.Guest || c.Against != prompt || !(c.Estimate == 0) {
				t.Errorf("%s less %s in %s: %v, want 0", c.Row, c.Against, c.Column, c.Estimate)
			}
		}
	}
	if compared != 7 {
		t.Errorf("the guest is compared with the method in %d columns, want 7", compared)
	}
	verdicts := found.(*concealment.Results).VerdictTable()
	byName := map[string][]report.Cell{}
	for _, row := range verdicts.Rows {
		byName[row.Name] = row.Cells
	}
	seen := 0
	for name, got := range byName {
		for _, row := range verdicts.Rows {
			own := row.Levels[0] + "/mine (guest) of " + pair.Erasure.Paper
			if name == own && row.Levels[1] == pair.Method.Title+" of "+pair.Erasure.Paper {
				seen++
				if diff := cmp.Diff(row.Cells[:2], got[:2], cmpopts.EquateNaNs()); diff != "" {
					t.Errorf("%s: the verdict differs from the method's:\n%s", name, diff)
				}
			}
		}
	}
	if seen != 3 {
		t.Errorf("the guest has %d verdicts, want one for each part of the curve", seen)
	}
	if _, err := found.Table("1", true); err != nil {
		t.Error(err)
	}
	if _, err := found.(study.Tracer).Origin("1", prompt+"/mine (guest)", cells[0].Column); err != nil {
		t.Error(err)
	}
}
