package train

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

func TestImport_OwnMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s := open(t)
	plan := made(t, s, small())
	size := plan.Preset.Sizes[0].Name
	unlearned, err := s.Local(plan.Worlds[0].Sizes[0].Methods[0][0].Model.Key())
	if err != nil {
		t.Fatal(err)
	}
	m := guest.Model{Path: unlearned.Dir}
	digest, err := m.Digest()
	if err != nil {
		t.Fatal(err)
	}
	lab := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil })
	lab.Guests = guest.Models{digest: m}
	g := guest.Guest{Name: "mine", Parts: []guest.Part{{Of: size, Model: digest, Whole: m.Whole()}}}
	runs, err := plan.PresetPlan().Host.Guest(g)
	if err != nil {
		t.Fatal(err)
	}
	if err := runs.Make(t.Context(), s, lab.Makers(), study.Options{}, runs.Own()...); err != nil {
		t.Fatal(err)
	}
	if err := guest.Save(s, "remem", g); err != nil {
		t.Fatal(err)
	}
	found, err := plan.PresetPlan().Read(s)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := found.Cells("2")
	if err != nil {
		t.Fatal(err)
	}
	byRow := map[string][]certify.Cell{}
	for _, c := range cells {
		byRow[c.Row] = append(byRow[c.Row], c)
	}
	method := size + "/" + plan.Preset.Methods[0].Title
	if len(byRow[method]) != 12 {
		t.Fatalf("%s has %d cells", method, len(byRow[method]))
	}
	if diff := cmp.Diff(byRow[method], byRow[size+"/mine (guest)"], cmpopts.EquateNaNs(), cmpopts.IgnoreFields(
		certify.Cell{}, "Row", "Levels", "Guest", "From", "Printed", "PAdjusted", "DifferenceAdjusted"),
		cmpopts.IgnoreFields(certify.Basis{}, "Tests")); diff != "" {
		t.Errorf("the guest differs from the method:\n%s", diff)
	}
	all, err := found.(study.Comparer).Against("2", method)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range all.All {
		if c.Guest {
			compared++
			if c.Row != size+"/mine (guest)" || c.Against != method || c.Estimate != 0 {
				t.Errorf("%s less %s in %s: %v, want 0", c.Row, c.Against, c.Column, c.Estimate)
			}
		}
	}
	if compared != 12 {
		t.Errorf("the guest is compared with the method in %d columns, want 12", compared)
	}
	verdicts, err := found.(*remem.Results).Table("verdicts", false)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string][]report.Cell{}
	for _, row := range verdicts.Rows {
		byName[row.Name] = row.Cells
	}
	if diff := cmp.Diff(byName[method], byName[size+"/mine (guest)"], cmpopts.EquateNaNs()); diff != "" ||
		len(byName[method]) == 0 {
		t.Errorf("the verdict on the guest differs from the method's:\n%s", diff)
	}
}
