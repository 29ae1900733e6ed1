package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Thresholds are the bounds, as shares, that decide the verdict on a method.
type Thresholds struct {
	Left float64 // largest share of erased knowledge that may remain
	Kept float64 // smallest share of other knowledge that an undamaged model retains
	Gain float64 // largest share of erased knowledge that an attack may recover
}

// others returns the thresholds that [SensitivityTable] tries, each with one bound changed, and their names. The name
// of the first bound is the text left.
func (t Thresholds) others(left string) (names []string, all []Thresholds) {
	add := func(name string, value float64, changed Thresholds) {
		names = append(names, name+" "+strings.TrimPrefix(fmt.Sprint(value), "0"))
		all = append(all, changed)
	}
	for _, v := range []float64{.1, .3} {
		add(left, v, Thresholds{v, t.Kept, t.Gain})
	}
	for _, v := range []float64{.7, .9} {
		add("kept", v, Thresholds{t.Left, v, t.Gain})
	}
	for _, v := range []float64{.02, .1} {
		add("gain", v, Thresholds{t.Left, t.Kept, v})
	}
	return names, all
}

// SensitivityTable returns a table that counts the verdicts of each kind at the thresholds in use and at six others,
// and names the verdicts that change. The function verdicts returns names and verdicts at given thresholds, always in
// the same order. The text left names the first bound.
func SensitivityTable(used Thresholds, left string, verdicts func(t Thresholds) ([]string, []certify.Verdict),
) *report.Table {
	names, own := verdicts(used)
	labels, all := []string{"as used"}, [][]certify.Verdict{own}
	others, thresholds := used.others(left)
	for i, t := range thresholds {
		_, changed := verdicts(t)
		labels, all = append(labels, others[i]), append(all, changed)
	}
	kinds := slices.Concat(all...)
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	t := &report.Table{Corner: "Thresholds", Note: "Verdicts that differ from those that are used are named."}
	for _, kind := range kinds {
		t.Columns = append(t.Columns, report.Column{Name: string(kind)})
	}
	t.Columns = append(t.Columns, report.Column{Name: "Other verdicts", Words: true})
	for i, row := range all {
		t.Rows = append(t.Rows, report.Row{Name: labels[i], Cells: append(countKinds(row, kinds),
			report.Word(changes(names, own, row)))})
	}
	return t
}

// countKinds counts the verdicts of each kind.
func countKinds(verdicts, kinds []certify.Verdict) (cells []report.Cell) {
	for _, kind := range kinds {
		n := 0
		for _, v := range verdicts {
			if v == kind {
				n++
			}
		}
		cells = append(cells, report.Number(fmt.Sprint(n), float64(n)))
	}
	return cells
}

// changes lists the verdicts in row that differ from the verdicts at the thresholds in use.
func changes(names []string, own, row []certify.Verdict) string {
	var others []string
	for i, v := range row {
		if v != own[i] {
			others = append(others, fmt.Sprintf("%s: %s", names[i], v))
		}
	}
	return strings.Join(others, "; ")
}
