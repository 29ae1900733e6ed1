package report

import (
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// certified returns a table of two metrics with every value of Standing.
func certified() *Table {
	t := &Table{Title: "Table 5. Methods (smoke)", Corner: "Method", Note: "n: 5 worlds.",
		Columns: []Column{{Name: "RetFail"}, {Name: "GenKnow"}}}
	nan := math.NaN()
	t.Rows = append(t.Rows, Row{Name: "Target", Reference: true, Cells: []Cell{Number("0.10", .1), Number("0.70", .7)}})
	add := func(method string, cells ...Cell) { t.Rows = append(t.Rows, Named(method, "1x").With(cells...)) }
	cell := func(text string, value float64, s Standing, verdict string, differs bool, lo, hi, target float64) Cell {
		c := Number(text, value)
		c.Judged = &Judged{s, verdict, differs, lo, hi, target}
		return c
	}
	add("Finetuning",
		cell("0.50*\n[0.40, 0.60]\nunder-forgotten", .5, Above, "under-forgotten", true, .4, .6, .1),
		cell("0.70\n[0.60, 0.80]\nmatched", .7, Matched, "matched", false, .6, .8, .7))
	add("DELETE", cell("0.12\n[0.02, 0.30]\nunresolved", .12, Open, "unresolved", false, .02, .3, .1),
		cell("0.20*\n[0.10, 0.30]\nover-forgotten", .2, Below, "over-forgotten", true, .1, .3, .7))
	add("Nothing", cell("0.30", .3, Unjudged, "", false, nan, nan, nan), Word("–"))
	return t
}

func ExampleTable_Show() {
	certified().Show(os.Stdout, View{})
	// Output:
	// Table 5. Methods (smoke)
	// Method         RetFail  GenKnow
	// ───────────────────────────────
	// Target         0.10     0.70
	// Finetuning/1x  ▲*       =
	// DELETE/1x      ?        ▼*
	// Nothing/1x     ·        –
	// = matched, ▲ under-forgotten, ▼ over-forgotten, ? unresolved, · no verdict, * differs from the target, corrected for all tests of the table
	// n: 5 worlds.
}

func ExampleView_numbers() {
	certified().Show(os.Stdout, View{Numbers: true, Width: 76})
	// Output:
	// Table 5. Methods (smoke)
	// Method               RetFail        GenKnow
	// ───────────────────────────────────────────
	// Target                  0.10           0.70
	// Finetuning/1x        ▲ 0.50*         = 0.70
	//                 [0.40, 0.60]   [0.60, 0.80]
	//                  ┊     ├─●─┤           ├●─┤
	// DELETE/1x             ? 0.12        ▼ 0.20*
	//                 [0.02, 0.30]   [0.10, 0.30]
	//                ├─●───┤        ├─●┤      ┊
	// Nothing/1x            · 0.30              –
	//                      ●
	// = matched, ▲ under-forgotten, ▼ over-forgotten, ? unresolved, · no verdict,
	// * differs from the target, corrected for all tests of the table
	// ├●┤ value and 95 % interval, ┊ target, on one scale a column
	// n: 5 worlds.
}

func show(t *testing.T, table *Table, v View) string {
	t.Helper()
	var out strings.Builder
	if err := table.Show(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// wide returns a certified table with the given number of columns, which have long names.
func wide(columns int) *Table {
	t := &Table{Corner: "Method", Columns: []Column{{Name: "Concept", Words: true}}}
	row := Row{Name: "Direct Similarity Minimization/10x", Cells: []Cell{Word("a starry night by Van Gogh")}}
	plain := Row{Name: "Target Scores", Reference: true, Cells: []Cell{Word("")}}
	for i := range columns {
		t.Columns = append(t.Columns, Column{Name: fmt.Sprintf("Similarity%d", i)})
		c := Number("0.12*\n[0.02, 0.30]\nunder-forgotten", .12)
		c.Judged = &Judged{Above, "under-forgotten", true, .02, .3, .1}
		row.Cells, plain.Cells = append(row.Cells, c), append(plain.Cells, Number("0.10", .1))
	}
	t.Rows = []Row{plain, row}
	return t
}

func TestShow_TerminalWidth(t *testing.T) {
	plain := wide(10)
	for i := range plain.Rows {
		for j := range plain.Rows[i].Cells {
			plain.Rows[i].Cells[j].Judged = nil
		}
	}
	plain.Note = strings.Repeat("a long note ", 30)
	for name, table := range map[string]*Table{"certified": wide(10), "plain": plain} {
		for _, width := range []int{60, 80, 100, 200} {
			for _, numbers := range []bool{false, true} {
				text := show(t, table, View{Width: width, Numbers: numbers})
				for line := range strings.Lines(text) {
					if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
						t.Errorf("%s at %d: a line of %d:\n%s", name, width, n, text)
					}
				}
				if got := strings.Count(text, "▲"); name == "certified" && got != 11 { // and one in the legend
					t.Errorf("%d: %d signs:\n%s", width, got, text)
				}
			}
		}
	}
}

// Names that do not fit are written above the table, with lines down to their columns.
func TestShow_LongNames(t *testing.T) {
	got := show(t, wide(4), View{Width: 60})
	for _, want := range []string{" │  │  Similarity2\n", "│  │  │  Similarity3\n", "▲* ▲* ▲* ▲*\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Target") {
		t.Errorf("a row of which nothing is judged:\n%s", got)
	}
}

func TestShow_SpannedHeader(t *testing.T) {
	table := &Table{Corner: "Method", Rows: []Row{{Name: "FT"}}}
	for _, set := range []string{"SLURP", "ITALIC"} {
		for i := range 6 {
			table.Columns = append(table.Columns, Column{Name: fmt.Sprintf("%s/measure%d", set, i)})
			table.Rows[0].Cells = append(table.Rows[0].Cells, Number("0.123", .123))
		}
	}
	got := show(t, table, View{Width: 60})
	if parts := strings.Split(got, "\n\n"); len(parts) != 3 ||
		!strings.HasPrefix(strings.TrimSpace(parts[1]), "SLURP") ||
		!strings.Contains(parts[1], "ITALIC") || !strings.HasPrefix(strings.TrimSpace(parts[2]), "ITALIC") {
		t.Errorf("got \n%s, want 3 parts, \"SLURP\" at its beginning, \"ITALIC\" in parts[1], \"ITALIC\" at its "+
			"beginning",
			got)
	}
}

// Colours are added on request only, and the signs do not depend on them.
func TestShow_Colours(t *testing.T) {
	plain, coloured := show(t, certified(), View{}), show(t, certified(), View{Colour: true})
	if plain == coloured || colourCodes.ReplaceAllString(coloured, "") != plain {
		t.Errorf("got %s\n%q, want plain other than %v, colourCodes.ReplaceAllString(coloured, \"\") %v",
			plain, coloured, coloured, plain)
	}
	if !strings.Contains(coloured, colours[Below]+"▼*"+plainColour) {
		t.Errorf("got %q, want %q in it", coloured, colours[Below]+"▼*"+plainColour)
	}
}

func TestLegend(t *testing.T) {
	table := certified()
	table.Rows = table.Rows[:2] // a value above with a star, and a matched value
	got := show(t, table, View{})
	if !strings.Contains(got, "= matched, ▲ under-forgotten, * differs") || strings.Contains(got, "unresolved") {
		t.Errorf(`got %v, want "= matched, ▲ under-forgotten, * differs" in it, no "unresolved"`, got)
	}
	table.Rows[1].Cells[0].Judged.Differs = false
	if got = show(t, table, View{}); strings.Contains(got, "*") {
		t.Errorf(`got %v, want no "*"`, got)
	}
	ranked := speech()
	if got := show(t, ranked, View{}); !strings.Contains(got, "\n*: best, _: second.\n") {
		t.Errorf("got %v, want %q in it", got, "\n*: best, _: second.\n")
	}
	for i := range ranked.Rows {
		for j := range ranked.Rows[i].Cells {
			ranked.Rows[i].Cells[j].Mark = Plain
		}
	}
	if got := show(t, ranked, View{}); strings.Contains(got, "second") {
		t.Errorf(`got %v, want no "second"`, got)
	}
}

func TestHTML_KeepsHeader(t *testing.T) {
	var out strings.Builder
	if err := certified().HTML(&out); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, want := range []string{"position:sticky;top:0px", "position:sticky;left:0", "overflow:auto", "<details>",
		"var(--jp-layout-color0,canvas)", `title="0.50* [0.40, 0.60] under-forgotten, target 0.1"`, ">▲*</td>",
		`role="region" tabindex="0"`, "<b>▼ 0.20*</b>", "n: 5 worlds."} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	glance, numbers, _ := strings.Cut(page, "<details>")
	if strings.Contains(glance, "<img") || strings.Count(numbers, "<img") != 5 {
		t.Errorf("%d pictures of intervals", strings.Count(numbers, "<img"))
	}
	checkPicture(t, numbers)
}

// checkPicture checks the positions in the first picture: an interval from .4 to .6, the value .5 and the target .1, on
// a scale from .02 to .6.
func checkPicture(t *testing.T, page string) {
	t.Helper()
	encoded := regexp.MustCompile(`base64,([^"]+)"`).FindStringSubmatch(page)
	svg, err := base64.StdEncoding.DecodeString(encoded[1])
	if err != nil {
		t.Fatal(err)
	}
	place := func(x float64) int { return 4 + int(math.Round((x-.02)/.58*88)) }
	for _, want := range []string{fmt.Sprintf("M%d 6H%d", place(.4), place(.6)), fmt.Sprintf(`cx="%d"`, place(.5)),
		fmt.Sprintf("M%d 0v12", place(.1))} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
}

// Choosing methods by name keeps the reference rows.
func TestChoose_Methods(t *testing.T) {
	names := func(table *Table) (all []string) {
		for _, row := range table.Rows {
			all = append(all, row.Name)
		}
		return all
	}
	chosen, err := certified().Methods([]string{"delete"})
	if err != nil || strings.Join(names(chosen), " ") != "Target DELETE/1x" {
		t.Errorf("%v, %v", chosen, err)
	}
	for name, want := range map[string]string{"delte": "do you mean DELETE?",
		"xyzzyxy": "rows are named by Finetuning"} {
		if _, err := certified().Methods([]string{name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got the error %v, want one with %q", name, err, want)
		}
	}
	if all, err := certified().Methods(nil); err != nil || len(all.Rows) != 4 {
		t.Errorf("got %v, %v, want 4 Rows", all, err)
	}
}
