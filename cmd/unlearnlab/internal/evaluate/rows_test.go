package evaluate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

func TestShownRows(t *testing.T) {
	all := []report.Row{{Name: "S/Gold", Reference: true}, {Name: "S/NPO"}, {Name: "S/mine (guest)"},
		{Name: "M/Gold", Reference: true}, {Name: "M/NPO"}, {Name: "Clean", Reference: true}}
	for _, test := range []struct{ names, parts, want []string }{
		{[]string{"S/mine (guest)"}, []string{"S", "M"}, []string{"S/Gold", "S/mine (guest)"}},
		{[]string{"S/NPO", "M/NPO"}, []string{"S", "M"}, []string{"S/Gold", "S/NPO", "M/Gold", "M/NPO"}},
		{[]string{"M/NPO"}, nil, []string{"S/Gold", "M/Gold", "M/NPO", "Clean"}}, // a study without parts
	} {
		var got []string
		for _, row := range shownRows(all, test.names, test.parts) {
			got = append(got, row.Name)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v of %v:\n%s", test.names, test.parts, diff)
		}
	}
}
