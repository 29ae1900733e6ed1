package remem

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// A method without rates runs at its default rate.
func TestPreset_OwnMethod(t *testing.T) {
	mine := Method{Entry: catalogue.Entry{Name: "mine", Title: "Mine"}}
	one, all := Smoke().Only(mine), Smoke().With(mine)
	if len(one.Methods) != 1 || len(all.Methods) != len(Smoke().Methods)+1 {
		t.Fatalf("%d methods of one, %d with one more than %d", len(one.Methods), len(all.Methods), len(Smoke().Methods))
	}
	runs := 0
	for _, run := range NewPlan(one).Runs() {
		if spec, is := Unlearned.Spec(run); is {
			runs++
			if _, given := spec.Values["rate"]; spec.Method != "mine" || given {
				t.Errorf("%s: method %s, values %v; want mine without a rate", run.Title, spec.Method, spec.Values)
			}
		}
	}
	if runs == 0 {
		t.Error("no run unlearns by the method")
	}
}
