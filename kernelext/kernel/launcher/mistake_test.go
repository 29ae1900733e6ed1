package launcher

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// says returns the name and the text of the error box for a cell that is not valid.
func says(cell string) string {
	f := newNotebook().plan(cell).failure
	if m, found := findMistake(cell); f == nil && found {
		f = m.box(cell, 1)
	}
	if f == nil {
		return "no mistake"
	}
	return f.Name + ": " + f.Value
}

// Each cell in the file is followed by a line with what the kernel says.
func TestMistakes_Table(t *testing.T) {
	for _, b := range brokenCells(t) {
		if got := says(b.cell); got != b.says {
			t.Errorf("%s\ngot  %s\nwant %s", b.cell, got, b.says)
		}
	}
}

type brokenCell struct{ cell, says string }

func brokenCells(t *testing.T) (all []brokenCell) {
	t.Helper()
	text, err := os.ReadFile("testdata/broken_cells.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch said, ok := strings.CutPrefix(line, "→ "); {
		case ok:
			all, lines = append(all, brokenCell{strings.Join(lines, "\n"), said}), nil
		case line != "" || len(lines) > 0:
			lines = append(lines, line)
		}
	}
	return all
}

// The box shows the line with a caret, whatever the line's characters and tabs.
func TestMistake_Box(t *testing.T) {
	const cell = "%%\nfor range 3 {\n\té := \"é\"; f(é))\n}"
	m, found := findMistake(cell)
	if !found {
		t.Fatal("no mistake")
	}
	const says = "one ) too many"
	want := &failure{Name: "syntax error", Value: "Cell [7] line 3, column 16: " + says,
		Traceback: []string{"Cell [7] line 3, column 16: " + red(says), "     é := \"é\"; f(é))", "                   ^"}}
	if diff := cmp.Diff(want, m.box(cell, 7)); diff != "" {
		t.Error(diff)
	}
}

func TestMistake_ValidCells(t *testing.T) {
	for _, cell := range []string{"", "1 + 1", "%%\nx := 1", "func f() {}\nf()", "%%bash\nls (", "!ls (", "%unlearn help",
		"// (", "import \"fmt\"\nfmt.Println()", "%exec f\nfunc f() {}", "x := `(`", "%writefile"} {
		if m, found := findMistake(cell); found {
			t.Errorf("%q: %s", cell, m.message)
		}
	}
}

func FuzzFindMistake(f *testing.F) {
	for _, cell := range []string{"%%\nfmt.Println(`", "func f() {\n%unlearn help \\", "//line x:999\nf(", "a\r\n)",
		"é(’", "x := 3 - ", "{ f)"} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		if m, found := findMistake(cell); found && m.box(cell, 1).Value == "" {
			t.Errorf("%q: no text", cell)
		}
	})
}
