package train

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/guesttest"
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
	l.Guests = guest.Models{}
	if err := plan.Execute(t.Context(), s, l.Makers(), study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	pair := plan.Pairs[0]
	erased, err := s.Local(pair.Models[0].Run.Key())
	if err != nil {
		t.Fatal(err)
	}
	host := guesttest.Host{Paper: "concealment", Store: s, Plan: plan.PresetPlan(), Makers: l.Makers(),
		Models: l.Guests}
	found, _ := host.Read(t, "1")
	before := found.Claims()
	if err := host.Evaluate(t, "mine", pair.Erasure.Paper, guest.Model{Path: erased.Dir}); err != nil {
		t.Fatal(err)
	}
	found, cells := host.Read(t, "1")
	const prompt, own = "Starry Night by Van Gogh", "Starry Night by Van Gogh/mine (guest)"
	if len(cells[prompt]) == 0 {
		t.Fatalf("table 1 has no row %s", prompt)
	}
	guesttest.Shown(t, concealment.Study, found, "mine", before, 3, "recovery")
	guesttest.Equal(t, own, cells[prompt], cells[own], 0)
	guesttest.Against(t, found, "1", own, prompt, 7)
	verdicts, err := found.(*concealment.Results).VerdictTable()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string][]report.Cell{}
	for _, row := range verdicts.Rows {
		byName[row.Name] = row.Cells
	}
	seen := 0
	for name, got := range byName {
		for _, row := range verdicts.Rows {
			guests := row.Levels[0] + "/mine (guest) of " + pair.Erasure.Paper
			if name == guests && row.Levels[1] == pair.Method.Title+" of "+pair.Erasure.Paper {
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
	if _, err := found.(study.Tracer).Origin("1", own, cells[prompt][0].Column); err != nil {
		t.Error(err)
	}
}
