package study_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// atLoss returns a model's evaluations in three repetitions, with losses close to value.
func atLoss(value float64) (all []*study.Evaluation) {
	for i := range 3 {
		loss := value + .001*float64(i)
		all = append(all, of([4]float64{}, [4]float64{loss, loss, loss, loss}))
	}
	return all
}

// meanLoss is a metric whose margin is a tenth of the distance between two references.
var meanLoss = study.Metric{Name: "loss", Score: study.Mean("loss"), Unit: "speaker",
	Family: certify.Family{Name: "speakers"}, Target: "gold", Margin: study.Margin{Share: .1, From: "gold",
		To: "original"}}

// lossRows returns the rows of gold, of the original, of a copy of gold, and of a model whose loss differs from gold's
// in the other direction. It also returns the references of each repetition.
func lossRows(gold, original float64) (rows []study.Row, refs []study.References) {
	golds, originals := atLoss(gold), atLoss(original)
	for i := range golds {
		refs = append(refs, study.References{"gold": golds[i], "original": originals[i]})
	}
	return []study.Row{study.RowOf([]string{"Gold"}, true, golds...),
		study.RowOf([]string{"Original"}, false, originals...), study.RowOf([]string{"Same"}, false, golds...),
		study.RowOf([]string{"Beyond"}, false, atLoss(2*gold-original)...)}, refs
}

// Knowledge of the forgotten data raises some metrics and lowers others.
func TestGrid_Direction(t *testing.T) {
	for name, original := range map[string]float64{"rises": 3, "falls": 1} {
		t.Run(name, func(t *testing.T) {
			rows, refs := lossRows(2, original)
			want := map[string]certify.Verdict{"Gold": "", "Original": certify.UnderForgotten, "Same": certify.Matched,
				"Beyond": certify.OverForgotten}
			columns := study.Columns([]study.Metric{meanLoss}, refs)
			for _, cell := range (study.Grid{Repetitions: runs}).Cells(rows, columns) {
				if cell.Verdict != want[cell.Row] {
					t.Errorf("%s: got %q, want %q", cell.Row, cell.Verdict, want[cell.Row])
				}
			}
		})
	}
}

// A cell is traced to its margin's references, whether its score is a mean or one number.
func TestGrid_Readings(t *testing.T) {
	rows, refs := lossRows(2, 3)
	plan := &study.Plan{}
	for i, row := range rows {
		for repetition, e := range row.Scores {
			if e.Run == nil {
				e.Run = modelStage.Add(plan, fmt.Sprintf("%s %d", row.Name, repetition), 1, modelSpec{10*i + repetition})
				e.For = study.ForValue
			}
		}
	}
	one := meanLoss
	one.Unit = ""
	one.Score = study.Number("the first loss", func(rows study.Rows) float64 { return rows.Numbers("loss")[0] }, "loss")
	for name, m := range map[string]study.Metric{"mean": meanLoss, "number": one} {
		var got []string
		for _, reading := range (study.Grid{Repetitions: runs}).Readings(rows[0], m.Column(refs)) {
			got = append(got, reading.Run.Title+" for "+string(reading.For))
		}
		slices.Sort(got)
		want := []string{"Gold 0 for value", "Gold 1 for value", "Gold 2 for value", "Original 0 for margin",
			"Original 1 for margin", "Original 2 for margin"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestGrid_Table(t *testing.T) {
	rows, refs := lossRows(2, 3)
	columns := study.Columns([]study.Metric{meanLoss}, refs)
	got := study.Grid{Repetitions: runs}.Table("Losses", "Model", rows, columns, true)
	for i, want := range []string{"2.001", "3.001*\n[2.999, 3.003]\nunder-forgotten", "2.001\n[1.999, 2.003]\nmatched",
		"1.001*\n[0.999, 1.003]\nover-forgotten"} {
		if row := got.Rows[i]; row.Cells[0].Text != want || row.Reference != (row.Name == "Gold") {
			t.Errorf("%s, a reference: %v: got %q, want %q", row.Name, row.Reference, row.Cells[0].Text, want)
		}
	}
	if got.Title != "Losses" || got.Corner != "Model" ||
		!strings.HasPrefix(got.Note, "n: 3 seeds. A value matches its target within 0.1 (loss). A star: ") {
		t.Errorf("got the title %q, the corner %q and the note %q", got.Title, got.Corner, got.Note)
	}
}
