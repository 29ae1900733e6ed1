package study

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRun_Roles(t *testing.T) {
	stage := Stage[named]{"study/labelled", 1}
	var p, q Plan
	first := stage.AddAs(Labels{"world": "0"}, &p, "once", 1, named{Name: "a"})
	again := stage.AddAs(Labels{"world": "0", "rate": "3"}, &p, "again", 1, named{Name: "a"})
	plain := stage.Add(&p, "plain", 1, named{Name: "b"})
	if first != again || len(p.Runs()) != 2 {
		t.Errorf("%d runs, want 2", len(p.Runs()))
	}
	if other := stage.Add(&q, "without labels", 1, named{Name: "a"}); other.Key() != first.Key() {
		t.Error("labels change the key")
	}
	if diff := cmp.Diff(Labels{"world": "0"}, first.Role()); diff != "" {
		t.Errorf("first role: (-want +got)\n%s", diff)
	}
	if got := first.Labelled("rate"); got != "3" {
		t.Errorf("rate %q, want 3", got)
	}
	if got := plain.Labelled("rate"); got != "" || plain.Role() != nil {
		t.Errorf("without labels: rate %q, role %v", got, plain.Role())
	}
	joined := q.Join(plain, first)
	joined[0].Label("lesson", "yes")
	if plain.Labelled("lesson") != "" || joined[0].Labelled("lesson") != "yes" {
		t.Error("a label of the joined run is one of the other plan's, or of none")
	}
}
