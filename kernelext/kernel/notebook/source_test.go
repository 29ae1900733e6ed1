package notebook

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const tour = `---
title: A tour
---
# First

Some prose.

` + "```text\n# no heading\n```" + `

` + "```go name=one timeout=90s volatile\n%%\nfmt.Println(1)\n```" + `
after the code

---
- a list
## Second
` + "~~~go\nx := 1\n~~~\n```go prose\nfunc f()\n```\n````go\n```\n````\n"

func TestParseSource_Cells(t *testing.T) {
	got, err := ParseSource("tour", tour)
	if err != nil {
		t.Fatal(err)
	}
	want := &Source{Name: "tour", Title: "A tour", Cells: []SourceCell{
		{Line: 4, Type: Markdown, Text: "# First\n\nSome prose.\n\n```text\n# no heading\n```"},
		{Line: 12, Type: Code, Text: "%%\nfmt.Println(1)", Name: "one", Timeout: 90 * time.Second, Volatile: true},
		{Line: 16, Type: Markdown, Text: "after the code"},
		{Line: 19, Type: Markdown, Text: "- a list"},
		{Line: 20, Type: Markdown, Text: "## Second"},
		{Line: 21, Type: Code, Text: "x := 1"},
		{Line: 24, Type: Markdown, Text: "```go\nfunc f()\n```"},
		{Line: 27, Type: Code, Text: "```"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseSource_Mistakes(t *testing.T) {
	tests := map[string]struct{ text, complaint string }{
		"an open fence":      {"a\n```go\nb", "2: the fence does not end"},
		"an open text fence": {"```text\nb", "1: the fence does not end"},
		"open front matter":  {"---\ntitle: x", "1: front matter does not end"},
		"an unknown key":     {"---\nauthor: x\n---", "2: front matter has one key"},
		"an unknown option":  {"```go nmae=x\n```", `1: option "nmae=x" is not name=`},
		"a bad name":         {"```go name=a/b\n```", `1: name "a/b"`},
		"a bad time":         {"```go timeout=soon\n```", `1: timeout "soon"`},
		"a time before now":  {"```go timeout=-1s\n```", `1: timeout "-1s"`},
		"the same name again": {"```go name=a\n```\n```go name=a\n```",
			`3: the cell at line 1 has the name "a" too`},
		"two cells with no name": {"```go\n```\n```go\n```", ""},
	}
	for name, test := range tests {
		_, err := ParseSource("x", test.text)
		if test.complaint == "" && err != nil || test.complaint != "" &&
			(err == nil || !strings.HasPrefix(err.Error(), test.complaint)) {
			t.Errorf("%s: %v, want %q", name, err, test.complaint)
		}
	}
}

// ids returns the IDs of a source's cells by text, and checks that they are valid.
func ids(t *testing.T, name, text string) map[string]string {
	t.Helper()
	s, err := ParseSource(name, text)
	if err != nil {
		t.Fatal(err)
	}
	byText := map[string]string{}
	for _, c := range s.Notebook().Cells {
		if !cellID.MatchString(c.ID) {
			t.Errorf("id %q", c.ID)
		}
		byText[c.Source] = c.ID
	}
	return byText
}

// A cell keeps its ID if other cells are added, or if its text changes but not its name.
func TestParseSource_IDs(t *testing.T) {
	before := ids(t, "x", "# A\n```go name=n\n1\n```\n```go\nu\n```\n")
	after := ids(t, "x", "# New\n```go\nother\n```\n# A\n```go\nu\n```\n```go name=n\n2\n```\n")
	for _, pair := range [][2]string{{"# A", "# A"}, {"1", "2"}, {"u", "u"}} {
		if before[pair[0]] != after[pair[1]] {
			t.Errorf("%q: id %s became %s", pair[0], before[pair[0]], after[pair[1]])
		}
	}
	if other := ids(t, "y", "# A\n"); other["# A"] == before["# A"] {
		t.Error("cells of two notebooks share an id")
	}
	s, err := ParseSource("x", "```go\nsame\n```\n```go\nsame\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	if cells := s.Notebook().Cells; cells[0].ID == cells[1].ID {
		t.Error("two equal cells of one notebook share an id")
	}
}

func TestBuild_KeepsOutputs(t *testing.T) {
	folder := t.TempDir()
	source := filepath.Join(folder, "src", "x.md")
	write := func(text string) {
		if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := Path(source)
	if path != filepath.Join(folder, "x.ipynb") {
		t.Errorf("the notebook belongs to %s", path)
	}
	write("```go name=a\n1\n```\n```go name=b\n2\n```\n")
	n, err := Build(source, path)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range n.Cells {
		c.ExecutionCount, c.Outputs = i+1, []*Output{{Type: Stream, Name: "stdout", Text: c.Name()}}
	}
	if err := n.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	write("# New\n```go name=b\n2\n```\n```go name=a\nchanged\n```\n")
	again, err := Build(source, path)
	if err != nil {
		t.Fatal(err)
	}
	if b := again.Cells[1]; b.ExecutionCount != 2 || len(b.Outputs) != 1 {
		t.Errorf("the cell that stayed: %+v", b)
	}
	if a := again.Cells[2]; a.ExecutionCount != 0 || len(a.Outputs) != 0 {
		t.Errorf("the cell that changed: %+v", a)
	}
	if _, err := Build(filepath.Join(folder, "none.md"), path); err == nil {
		t.Error("a source that is not there was built")
	}
}

func FuzzParseSource(f *testing.F) {
	f.Add(tour)
	f.Add("---\n---\n```")
	f.Add("```go name=\n```")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSource("fuzz", text)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		n := s.Notebook()
		for _, c := range n.Cells {
			if seen[c.ID] {
				t.Fatalf("id %s twice", c.ID)
			}
			seen[c.ID] = true
		}
		var out bytes.Buffer
		if err := n.Write(&out); err != nil {
			t.Fatal(err)
		}
		if out.Len() < maxSize {
			if _, err := parse(out.Bytes()); err != nil {
				t.Fatalf("a built notebook is refused: %v", err)
			}
		}
	})
}
