package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// speech returns a part of UnSLU-BENCH's Table 1. For F1 and MIA, the value nearest to the gold model's is best. For
// GUM, the largest is best.
func speech() *Table {
	t := &Table{
		Title:  "Unlearning on FSC",
		Note:   "Best: nearest to Gold; for GUM the largest.",
		Corner: "Method",
		Columns: []Column{
			{Name: "wav2vec 2.0/F1_T", Better: Nearest, Target: .993},
			{Name: "wav2vec 2.0/GUM", Better: Higher},
			{Name: "HuBERT/F1_T", Better: Nearest, Target: .991},
			{Name: "HuBERT/GUM", Better: Higher},
		},
	}
	add := func(name string, reference bool, values ...float64) {
		row := Row{Name: name, Reference: reference}
		for _, v := range values {
			row.Cells = append(row.Cells, Number(strings.TrimPrefix(fmt.Sprintf("%.3f", v), "0"), v))
		}
		t.Rows = append(t.Rows, row)
	}
	add("Gold", true, .993, 0, .991, 0)
	add("FT", false, .993, .517, .979, .514)
	add("NG", false, .987, .816, .992, 0)
	add("NG+", false, .994, 0, .979, .336)
	add("CF-k", false, .994, .606, .993, .642)
	t.Rank()
	return t
}

func ExampleTable_Text() {
	speech().Text(os.Stdout)
	// Output:
	// Unlearning on FSC
	//         wav2vec 2.0    HuBERT
	// Method   F1_T    GUM   F1_T    GUM
	// ──────────────────────────────────
	// Gold     .993   .000   .991   .000
	// FT      .993*   .517   .979  .514_
	// NG       .987  .816*  .992*   .000
	// NG+     .994_   .000   .979   .336
	// CF-k    .994_  .606_  .993_  .642*
	// *: best, _: second.
	// Best: nearest to Gold; for GUM the largest.
}

func ExampleTable_Markdown() {
	speech().Markdown(os.Stdout)
	// Output:
	// **Unlearning on FSC**
	//
	// | Method | wav2vec 2.0 F1_T | wav2vec 2.0 GUM | HuBERT F1_T | HuBERT GUM |
	// |---|--:|--:|--:|--:|
	// | Gold | .993 | .000 | .991 | .000 |
	// | FT | **.993** | .517 | .979 | <u>.514</u> |
	// | NG | .987 | **.816** | **.992** | .000 |
	// | NG+ | <u>.994</u> | .000 | .979 | .336 |
	// | CF-k | <u>.994</u> | <u>.606</u> | <u>.993</u> | **.642** |
	//
	// Bold: best, underlined: second. Best: nearest to Gold; for GUM the largest.
}

func ExampleTable_LaTeX() {
	speech().LaTeX(os.Stdout)
	// Output:
	// \begin{table}
	// \centering
	// \caption{Unlearning on FSC}
	// \begin{tabular}{lrrrr}
	// \toprule
	//  & \multicolumn{2}{c}{wav2vec 2.0} & \multicolumn{2}{c}{HuBERT} \\\cmidrule(lr){2-3}\cmidrule(lr){4-5}
	// Method & F1\_T & GUM & F1\_T & GUM \\
	// \midrule
	// Gold & .993 & .000 & .991 & .000 \\
	// \midrule
	// FT & \textbf{.993} & .517 & .979 & \underline{.514} \\
	// NG & .987 & \textbf{.816} & \textbf{.992} & .000 \\
	// NG+ & \underline{.994} & .000 & .979 & .336 \\
	// CF-k & \underline{.994} & \underline{.606} & \underline{.993} & \textbf{.642} \\
	// \bottomrule
	// \end{tabular}
	// \\[2pt]{\footnotesize Bold: best, underlined: second. Best: nearest to Gold; for GUM the largest.}
	// \end{table}
}

func TestText_RepeatedLabel(t *testing.T) {
	table := &Table{Corners: []string{"Method", "Budget"}, Columns: []Column{{Name: "x"}}}
	for _, name := range [][]string{{"Generic", "1x"}, {"Generic", "5x"}, {"Shuffled", "5x"}, {"Descent"}} {
		table.Rows = append(table.Rows, Named(name...).With(Word("-")))
	}
	var out strings.Builder
	if err := table.CSV(&out); err != nil || !strings.Contains(out.String(), "\nGeneric/5x,-\n") {
		t.Errorf("the CSV form lost a name: %q %v", out.String(), err)
	}
	out.Reset()
	if err := table.Markdown(&out); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"| Generic | 1x | - |", "|  | 5x | - |", "| Shuffled | 5x | - |",
		"| Descent |  | - |"} {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
}

func TestRank_References(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "x", Better: Lower}}, Rows: []Row{
		{Reference: true, Cells: []Cell{Number("0", 0)}}, {Cells: []Cell{Word("?")}}, {Cells: []Cell{Number("3", 3)}},
		{Cells: []Cell{Number("3", 3)}}, {Cells: []Cell{Number("4", 4)}}, {},
	}}
	table.Rank()
	want := []Mark{Plain, Plain, Best, Best, Second}
	for i, mark := range want {
		if got := table.Rows[i].Cells[0].Mark; got != mark {
			t.Errorf("row %d: mark %d, want %d", i, got, mark)
		}
	}
}

func TestHTML_Escapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~é×]{0,12}`)
		table := &Table{Title: text.Draw(t, "title"), Note: text.Draw(t, "note"), Corners: []string{"a", "b"},
			Columns: []Column{{Name: text.Draw(t, "column")}, {Name: "g/h", Words: true}}}
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			table.Rows = append(table.Rows,
				Row{Name: text.Draw(t, "row"),
					Cells: []Cell{{Text: text.Draw(t, "cell"), Value: math.NaN(), Mark: Best}, Word("")}})
		}
		var fragment bytes.Buffer
		if err := table.HTML(&fragment); err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(strings.NewReader("<r>" + fragment.String() + "</r>"))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in\n%s", err, fragment.String())
			}
		}
	})
}

func TestWrite_DataFormats(t *testing.T) {
	table := speech()
	var out bytes.Buffer
	if err := table.Write(&out, "csv"); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != 6 || lines[3][2] != "0.816" {
		t.Errorf(`got %v %v, want 6 lines, [3][2] "0.816"`, lines, err)
	}
	out.Reset()
	if err := table.Write(&out, "json"); err != nil {
		t.Fatal(err)
	}
	var got struct{ Rows []cellRecord }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if c := got.Rows[9]; len(got.Rows) != 20 || c.Row != "NG" || c.Column != "wav2vec 2.0/GUM" || *c.Estimate != .816 ||
		c.Mark != "best" {
		t.Errorf("%d cells, %+v", len(got.Rows), c)
	}
	if err := table.Write(&out, "docx"); err == nil || !strings.Contains(err.Error(), "text, md, html") {
		t.Error(err)
	}
}

// The LaTeX output compiles, if pdflatex is installed.
func TestLaTeXCompiles(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("needs pdflatex")
	}
	table := speech()
	table.Title += ` 100 % & <ψ> {x} \y ~ ^ # $`
	folder := t.TempDir()
	var out bytes.Buffer
	out.WriteString("\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n")
	if err := table.LaTeX(&out); err != nil {
		t.Fatal(err)
	}
	out.WriteString("\\end{document}\n")
	if err := os.WriteFile(filepath.Join(folder, "t.tex"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(latex, "-interaction=nonstopmode", "-halt-on-error", "t.tex")
	command.Dir = folder
	if log, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
}

// A line break in a cell is a break in HTML and a space in the other formats. CSV has only the number.
func TestText_LineBreak(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "RetFail"}},
		Rows: []Row{{Name: "NG", Cells: []Cell{Number(".009\n[.008, .010]", .009)}}}}
	for _, format := range Formats {
		var out strings.Builder
		if err := table.Write(&out, format); err != nil {
			t.Fatal(err)
		}
		want := ".009 [.008, .010]"
		switch format {
		case "html":
			want = ".009<br/>[.008, .010]"
		case "csv":
			want = "NG,0.009\n"
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: no %q in %s", format, want, out.String())
		}
	}
}

// A row without competitors in its group is not marked.
func TestRank_Alone(t *testing.T) {
	table := Table{Columns: []Column{{Name: "a", Better: Higher}}, Rows: []Row{
		{Name: "alone", Group: "once", Cells: []Cell{{Value: 1}}},
		{Name: "beside a reference", Group: "1x", Cells: []Cell{{Value: 1}}},
		{Name: "reference", Group: "1x", Reference: true, Cells: []Cell{{Value: 2}}},
		{Name: "diverged", Group: "1x", Cells: []Cell{{Value: math.NaN()}}},
	}}
	table.Rank()
	for _, row := range table.Rows {
		if row.Cells[0].Mark != 0 {
			t.Errorf("%s is marked", row.Name)
		}
	}
}

func TestHTML_NoteLines(t *testing.T) {
	var page strings.Builder
	note := &Table{Corner: "a", Note: "one < two\nthree"}
	if err := note.HTML(&page); err != nil || !strings.Contains(page.String(), "one &lt; two<br/>three</p>") {
		t.Errorf(`got %v: %s, want "one &lt; two<br/>three</p>" in it`, err, page.String())
	}
}

// Long texts get a minimum width, and numbers with exponents are not broken.
func TestHTML_Prose(t *testing.T) {
	const prose = "to know what it shows alone beyond gold nearer than this"
	table := &Table{Corner: "row", Columns: []Column{{Name: "p", Words: true}, {Name: "why", Words: true}},
		Rows: []Row{{Name: "a", Cells: []Cell{Word("≤ 3.6e-11"), Word(prose)}},
			{Name: "b", Cells: []Cell{Word("1.6e-07"), Word("0.05")}}}}
	var out strings.Builder
	if err := table.HTML(&out); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"≤ 3.6e-11": "white-space:nowrap", "1.6e-07": "white-space:nowrap",
		prose: "min-width:16em", "0.05": ""} {
		before, _, _ := strings.Cut(out.String(), ">"+text+"<")
		style := before[strings.LastIndex(before, "<td"):]
		given := strings.Contains(style, "white-space") || strings.Contains(style, "min-width")
		if given != (want != "") || !strings.Contains(style, want) {
			t.Errorf("%s has %s>", text, style)
		}
	}
}

func TestCSV_IntervalsHaveColumns(t *testing.T) {
	table := &Table{Corner: "Method", Columns: []Column{{Name: "gain"}, {Name: "left"}, {Name: "n"}}, Rows: []Row{
		{Name: "a", Cells: []Cell{Interval("%.2f", .125, .1, .15), {Text: "0.3*\nhigh", Value: .3, Judged: &Judged{
			Verdict: "high", Lo: .2, Hi: .4}}, Number("3", 3)}},
		{Name: "b", Cells: []Cell{Interval("%.2f", math.NaN(), 0, 0), Number("0.1", .1), Word("–")}},
		{Name: "c", Cells: []Cell{Interval("%.1f", 2, math.NaN(), math.NaN()), Number("0.1", .1), Word("–")}},
	}}
	var out strings.Builder
	if err := table.CSV(&out); err != nil {
		t.Fatal(err)
	}
	want := "Method,gain,gain low,gain high,left,left low,left high,left verdict,n\n" +
		"a,0.125,0.1,0.15,0.3,0.2,0.4,high,3\nb,,,,0.1,,,,\nc,2,,,0.1,,,,\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestShow_LongTables(t *testing.T) {
	table := &Table{Corners: []string{"Method", "Budget"}, Columns: []Column{{Name: "x"}}}
	for _, name := range [][]string{{"Generic", "1x"}, {"Generic", "5x"}, {"Generic", "9x"}, {"Descent", "1x"}} {
		table.Rows = append(table.Rows, Named(name...).With(Word("-")))
	}
	var out strings.Builder
	if err := table.Show(&out, View{Height: 4}); err != nil {
		t.Fatal(err)
	}
	want := `Method   Budget  x
──────────────────
Generic  1x      -
         5x      -

Method   Budget  x
──────────────────
Generic  9x      -

Method   Budget  x
──────────────────
Descent  1x      -
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
