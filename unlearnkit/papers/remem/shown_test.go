package remem

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// A method that is added to the preset that ships, and not computed yet, is a missing row: every other cell and claim
// stays, and notes name the method. More methods than there are computed are a missing preset.
func TestShown_AddedMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads all that ships")
	}
	s, err := Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	with := func(names ...string) Preset {
		p := Mini()
		for _, name := range names {
			p.Methods = append(p.Methods, Method{Entry: catalogue.Answering.Entry(name),
				Rates: map[string]float64{"S": 1e-4, "L": 1e-4}})
		}
		return p
	}
	full := NewPlan(with("finetuning")).PresetPlan()
	missing, err := full.Missing(s)
	if err != nil || len(missing) == 0 {
		t.Fatalf("%d runs of the new method are missing: %v", len(missing), err)
	}
	shown, err := full.Shown(s)
	if err != nil {
		t.Fatal(err)
	}
	if none, err := shown.Missing(s); err != nil || len(none) > 0 || len(full.Runs()) <= len(shown.Runs()) {
		t.Fatalf("%d of the %d shown runs are missing: %v", len(none), len(shown.Runs()), err)
	}
	found, err := shown.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	before, err := Study.Open(t.TempDir(), "mini")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"2", "4", "verdicts"} {
		certified := table != "verdicts"
		own, err := found.Table(table, certified)
		if err != nil {
			t.Fatal(err)
		}
		want, err := before.Table(table, certified)
		if err != nil {
			t.Fatal(err)
		}
		const note = " Not shown, because not computed: finetuning ("
		if !strings.HasPrefix(own.Note, want.Note+note) {
			t.Errorf("table %s has the note %q", table, own.Note)
		}
		own.Note, want.Note = "", ""
		if diff := cmp.Diff(want, own, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("table %s: %s", table, diff)
		}
	}
	if diff := cmp.Diff(verdictsOf(before.(*Results)), verdictsOf(found.(*Results))); diff != "" {
		t.Error("claims", diff)
	}
	nothing := with("finetuning")
	nothing.Methods = nothing.Methods[5:] // one that is computed, and one that is not
	nothing.Methods = append(nothing.Methods, with("gradient-difference-alternating").Methods[6])
	plan := NewPlan(nothing).PresetPlan()
	if shown, err := plan.Shown(s); err != nil || shown != plan {
		t.Errorf("with two of three methods missing, the rest is shown: %v", err)
	}
}

func verdictsOf(r *Results) map[string]string {
	all := map[string]string{}
	for _, claim := range r.Claims() {
		all[claim.Claim] = string(claim.Verdict)
	}
	return all
}
