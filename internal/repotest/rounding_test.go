package repotest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// measuredRow collects the largest differences measured for a stage and method on a device.
type measuredRow struct {
	stage, method, device                    string
	first, farthest, mean, weights, labelled float64
	cells, verdicts                          float64
}

func (r *measuredRow) add(m verify.Measurement) {
	switch {
	case m.File == verify.Tables && m.Column == verify.Cells:
		r.cells = max(r.cells, m.Largest)
	case m.File == verify.Tables:
		r.verdicts = max(r.verdicts, m.Largest)
	case m.File == verify.StepsFile:
		if m.Column == "loss, first steps" {
			r.first = max(r.first, m.Largest)
		}
	case path.Ext(m.File) == ".safetensors":
		r.weights = max(r.weights, m.Mean)
	case m.Whole:
		r.labelled = max(r.labelled, m.Share)
	case path.Ext(m.File) == ".parquet":
		r.farthest, r.mean = max(r.farthest, m.Largest), max(r.mean, m.Mean)
	}
}

func (r *measuredRow) String() string {
	number := func(x float64) string {
		if x == 0 {
			return "–"
		}
		return strings.Replace(fmt.Sprintf("%.1g", x), "e-0", "e-", 1)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %.0f |\n", r.stage, r.method, r.device,
		number(r.first), number(r.farthest), number(r.mean), number(r.weights), number(r.labelled), number(r.cells),
		r.verdicts)
}

func TestRounding_Table(t *testing.T) {
	var table strings.Builder
	table.WriteString("| stage | method | made again on | first losses | a score | all scores | weights | labels " +
		"| a cell | verdicts |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	stages := 0
	for _, s := range papers.All {
		var rows []measuredRow
		for _, m := range s.Rounding() {
			same := func(r measuredRow) bool {
				return r.stage == m.Stage && r.method == m.Method && r.device == m.Device
			}
			i := slices.IndexFunc(rows, same)
			if i < 0 {
				rows = append(rows, measuredRow{stage: m.Stage, method: m.Method, device: m.Device})
				i = len(rows) - 1
			}
			rows[i].add(m)
		}
		slices.SortFunc(rows, func(a, b measuredRow) int {
			return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(a.method, b.method),
				cmp.Compare(a.device, b.device))
		})
		for _, row := range rows {
			table.WriteString(row.String())
		}
		stages += len(rows)
	}
	if stages == 0 {
		t.Fatal("nothing was measured")
	}
	shows(t, "docs/verification.md", "Rounding", table.String())
}
