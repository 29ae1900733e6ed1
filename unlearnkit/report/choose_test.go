package report

import (
	"strings"
	"testing"
)

// Columns come in the order of the request, and rows are chosen by words in their names.
func TestChoose_ColumnsAndRows(t *testing.T) {
	whole := &Table{Title: "t", Columns: []Column{{Name: "A"}, {Name: "B"}, {Name: "C"}}, Rows: []Row{
		{Name: "DELETE/1x", Cells: []Cell{Word("a"), Word("b"), Word("c")}},
		{Name: "Finetuning/1x", Cells: []Cell{Word("d"), Word("e"), Word("f")}},
		{Name: "DELETE/5x", Cells: []Cell{Word("g"), Word("h"), Word("i")}},
	}}
	for _, c := range []struct{ columns, words, want string }{
		{"c,A", "delete", "DELETE/1x:c,a DELETE/5x:i,g"},
		{"", "1x", "DELETE/1x:a,b,c Finetuning/1x:d,e,f"},
		{"B", "", "DELETE/1x:b Finetuning/1x:e DELETE/5x:h"},
		{"", "5x,tuning", "Finetuning/1x:d,e,f DELETE/5x:g,h,i"},
		{"D", "", `there is no column "D"; there are A, B, C`},
		{"", "delete,NPO", `no row has "NPO" in its name; the first is "DELETE/1x"`},
	} {
		split := func(s string) []string {
			return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
		}
		chosen, err := whole.Choose(split(c.columns), split(c.words))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var rows []string
			for _, row := range chosen.Rows {
				var cells []string
				for _, cell := range row.Cells {
					cells = append(cells, cell.Text)
				}
				rows = append(rows, row.Name+":"+strings.Join(cells, ","))
			}
			got = strings.Join(rows, " ")
		}
		if got != c.want {
			t.Errorf("columns %q, words %q: %s, want %s", c.columns, c.words, got, c.want)
		}
	}
	if len(whole.Columns) != 3 || len(whole.Rows[0].Cells) != 3 {
		t.Error("the whole table has changed")
	}
}

func TestChoose_HeaderLevel(t *testing.T) {
	whole := &Table{Columns: []Column{{Name: "FSC/HuBERT/GUM"}, {Name: "FSC/HuBERT/MIA"}, {Name: "SLURP/HuBERT/GUM"}}}
	for name, want := range map[string]string{"gum": "FSC/HuBERT/GUM SLURP/HuBERT/GUM",
		"FSC": "FSC/HuBERT/GUM FSC/HuBERT/MIA", "hubert/mia": "FSC/HuBERT/MIA",
		"slurp/hubert/gum": "SLURP/HuBERT/GUM"} {
		chosen, err := whole.Choose([]string{name}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range chosen.Columns {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %s, want %v", name, got, want)
		}
	}
	if _, err := whole.Choose([]string{"UM"}, nil); err == nil {
		t.Error("part of a level is none")
	}
}
