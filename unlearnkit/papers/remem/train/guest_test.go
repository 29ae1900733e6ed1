package train

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/guesttest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

func TestImport_OwnMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s := open(t, shared)
	plan := made(t, s, small())
	size := plan.Preset.Sizes[0].Name
	unlearned, err := s.Local(plan.Worlds[0].Sizes[0].Methods[0][0].Model.Key())
	if err != nil {
		t.Fatal(err)
	}
	lab := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil })
	lab.Guests = guest.Models{}
	host := guesttest.Host{Paper: "remem", Store: s, Plan: plan.PresetPlan(), Makers: lab.Makers(), Models: lab.Guests}
	found, _ := host.Read(t, "2")
	before := found.Claims()
	if err := host.Evaluate(t, "mine", size, guest.Model{Path: unlearned.Dir}); err != nil {
		t.Fatal(err)
	}
	found, cells := host.Read(t, "2")
	method, own := size+"/"+plan.Preset.Methods[0].Title, size+"/mine (guest)"
	if len(cells[method]) != 12 {
		t.Fatalf("%s has %d cells, want 12", method, len(cells[method]))
	}
	guesttest.Shown(t, remem.Study, found, "mine", before, 8, "exposure")
	guesttest.Equal(t, own, cells[method], cells[own], 0)
	guesttest.Against(t, found, "2", own, method, 12)
	verdicts, err := found.(*remem.Results).Table("verdicts", false)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string][]report.Cell{}
	for _, row := range verdicts.Rows {
		byName[row.Name] = row.Cells
	}
	if diff := cmp.Diff(byName[method], byName[own], cmpopts.EquateNaNs()); diff != "" ||
		len(byName[method]) == 0 {
		t.Errorf("the verdict on the guest differs from the method's:\n%s", diff)
	}
}
