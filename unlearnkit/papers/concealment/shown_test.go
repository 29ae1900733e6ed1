package concealment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// A method that is not computed yet is a missing row: the table of verdicts stays, and its note names the method.
func TestShown_AddedMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads what ships")
	}
	s, err := Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := Mini()
	added := p.Methods[0]
	added.Title, added.Variant = "Another", "twice"
	added.Budgets = []int{2 * added.Budgets[len(added.Budgets)-1]}
	for _, prompt := range p.Prompts {
		if prompt.Method == p.Methods[0].Title {
			prompt.Method = added.Title
			p.Prompts = append(p.Prompts, prompt)
		}
	}
	p.Methods = append(p.Methods, added)
	full := NewPlan(p).PresetPlan()
	if missing, err := full.Missing(s); err != nil || len(missing) == 0 {
		t.Fatalf("%d runs of the new method are missing: %v", len(missing), err)
	}
	shown, err := full.Shown(s)
	if err != nil || shown == full {
		t.Fatalf("the preset is hidden: %v", err)
	}
	found, err := shown.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	before, err := study.OpenAs[*Results](Study, t.TempDir(), "mini")
	if err != nil {
		t.Fatal(err)
	}
	own, err := found.Table("verdicts", false)
	if err != nil {
		t.Fatal(err)
	}
	want, err := before.Table("verdicts", false)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(own.Note, want.Note+" Not shown, because not computed: Another (") {
		t.Errorf("the note is %q", own.Note)
	}
	own.Note, want.Note = "", ""
	if diff := cmp.Diff(want, own, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}
