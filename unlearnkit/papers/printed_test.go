package papers_test

import (
	"os"
	"strings"
	"testing"

	data "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

func ExampleOf() {
	table, err := papers.Of("remem").Printed.Table("table4")
	if err != nil {
		panic(err)
	}
	table.Text(os.Stdout)
	// Output:
	// ReMem, Table 4 as printed
	// Method      LLaVA-1.5-7B  LLaVA-1.5-13B
	// ───────────────────────────────────────
	// Base Model         71.30          73.99
	// GA                 69.60         73.74*
	// GD                70.71*          73.43
	// KL                70.18_          73.64
	// DPO                69.65          73.27
	// NPO                68.72         73.67_
	// *: best, _: second.
}

func TestLayouts_LoseNoCell(t *testing.T) {
	for _, item := range data.List() {
		table, err := papers.Of(item.Paper).Printed.Table(item.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		cells, err := data.Open(item.Paper, item.Name)
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for _, row := range table.Rows {
			for _, cell := range row.Cells {
				if cell.Text != "" {
					shown++
				}
			}
		}
		want := len(cells)
		if !strings.HasPrefix(item.Name, "table") {
			want *= 3
		} else if papers.Of(item.Paper).Printed.Layouts[item.Name].Corners == nil {
			t.Errorf("%s %s: no layout", item.Paper, item.Name)
		}
		if shown != want {
			t.Errorf("%s %s: %d cells shown, %d transcribed", item.Paper, item.Name, shown, want)
		}
	}
}

func mark(t *testing.T, table *report.Table, row, column string) report.Mark {
	for _, r := range table.Rows {
		for i, cell := range r.Cells {
			if r.Name == row && table.Columns[i].Name == column {
				return cell.Mark
			}
		}
	}
	t.Fatalf("no cell %s, %s", row, column)
	return report.Plain
}

func TestMarks_ReMem(t *testing.T) {
	table, err := papers.Of("remem").Printed.Table("table2")
	if err != nil {
		t.Fatal(err)
	}
	marks, err := data.Marks()
	if err != nil || len(marks) == 0 {
		t.Fatalf("got %v, %v, want length other than 0 of marks", len(marks), err)
	}
	for _, m := range marks {
		if got := mark(t, table, m.Row, m.Column); got != report.Second {
			t.Errorf("%s, %s is underlined in the paper, here its mark is %d", m.Row, m.Column, got)
		}
	}
}

// Where the paper ranks by the distance to a target, the best value is the nearest.
func TestMarks_NearestToTarget(t *testing.T) {
	tests := []struct {
		paper, item, row, column string
		want                     report.Mark
	}{
		{"unslu", "table1", "NG", "FSC/wav2vec 2.0/GUM", report.Best},
		{"unslu", "table1", "CF-k", "FSC/wav2vec 2.0/GUM", report.Second},
		{"unslu", "table1", "FT", "FSC/wav2vec 2.0/MIA", report.Best},
		{"unslu", "table1", "NG", "FSC/wav2vec 2.0/MIA", report.Second},
		{"unslu", "table1", "Gold", "FSC/wav2vec 2.0/MIA", report.Plain},
		{"unslu", "table2", "NG", "SLURP*/wav2vec 2.0/Speedup", report.Best},
		{"salmu", "table5", "Direct Similarity Minimization/5x", "RetFail", report.Best},
		{"salmu", "table5", "Shuffled Captions/5x", "ACS", report.Best},
		{"salmu", "table5", "Negative Gradient/20x", "IdZSC", report.Plain},
		{"salmu", "table6", "Generic Captions/5x", "AssocStr", report.Best},
		{"remem", "table2", "LLaVA-1.5-7B/NPO", "Single-hop/EM_f", report.Best},
		{"remem", "table2", "LLaVA-1.5-13B/NPO", "Single-hop/EM_f", report.Best},
	}
	for _, test := range tests {
		table, err := papers.Of(test.paper).Printed.Table(test.item)
		if err != nil {
			t.Fatal(err)
		}
		if got := mark(t, table, test.row, test.column); got != test.want {
			t.Errorf("%s %s, %s, %s: mark %d, want %d", test.paper, test.item, test.row, test.column, got, test.want)
		}
	}
}

func TestTable_Unknown(t *testing.T) {
	for _, request := range []string{"table99", "../remem/table2"} {
		if _, err := papers.Of("salmu").Printed.Table(request); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v", request, err)
		}
	}
}
