package study

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

func TestDiffering(t *testing.T) {
	judged := func(verdicts map[string]certify.Verdict) (all []certify.Judged) {
		for _, name := range []string{"first", "second", "third", "guest"} {
			if verdict, has := verdicts[name]; has {
				all = append(all, certify.Judged{Claim: name, Verdict: verdict, Guest: name == "guest", Statistic: .5})
			}
		}
		return all
	}
	table, same := Differing("title",
		ClaimSet{"five", judged(map[string]certify.Verdict{"first": certify.Holds, "second": certify.Unresolved,
			"guest": certify.Holds})},
		ClaimSet{"ten", judged(map[string]certify.Verdict{"first": certify.Holds, "second": certify.Fails,
			"third": certify.Holds, "guest": certify.Fails})})
	if same != 1 || len(table.Rows) != 1 || table.Rows[0].Name != "second" {
		t.Fatalf("got %d claims with the same verdict and rows %+v, want one, and the row second", same, table.Rows)
	}
	if got, want := len(table.Rows[0].Cells), len(table.Columns); got != want {
		t.Errorf("the row has %d cells in %d columns", got, want)
	}
	if got := table.Rows[0].Cells[2].Text; got != NotSeen {
		t.Errorf("the verdict in ten worlds is %q, want %q", got, NotSeen)
	}
}
