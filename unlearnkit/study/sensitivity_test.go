package study

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

func TestSensitivityTable(t *testing.T) {
	used := Thresholds{.2, .8, .05}
	verdicts := func(t Thresholds) ([]string, []certify.Verdict) {
		a, b := certify.Verdict("erased"), certify.Verdict("erased")
		if t.Left == .1 {
			a = "left"
		}
		if t.Kept == .9 {
			b = "damaged"
		}
		return []string{"GA", "KL"}, []certify.Verdict{a, b}
	}
	table := SensitivityTable(used, "alone", verdicts)
	var columns, rows []string
	for _, c := range table.Columns {
		columns = append(columns, c.Name)
	}
	for _, r := range table.Rows {
		line := r.Name
		for _, c := range r.Cells {
			line += "|" + c.Text
		}
		rows = append(rows, line)
	}
	for i, want := range []string{"damaged", "erased", "left", "Other verdicts"} {
		if columns[i] != want {
			t.Errorf("got the column %q, want %q", columns[i], want)
		}
	}
	for i, want := range []string{"as used|0|2|0|", "alone .1|0|1|1|GA: left", "alone .3|0|2|0|", "kept .7|0|2|0|",
		"kept .9|1|1|0|KL: damaged", "gain .02|0|2|0|", "gain .1|0|2|0|"} {
		if rows[i] != want {
			t.Errorf("got the row %q, want %q", rows[i], want)
		}
	}
}
