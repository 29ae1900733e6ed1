package notebook

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext"
)

// drawing returns a grey PNG in base64, width pixels wide and 40 high. Its first changed pixels are lighter by
// difference.
func drawing(t *testing.T, width, changed int, difference uint8) string {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, width, 40))
	for i := range picture.Pix {
		picture.Pix[i] = 100
	}
	for i := range changed {
		picture.SetGray(i%width, i/width, color.Gray{100 + difference})
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// ran returns a notebook whose only cell has the given outputs.
func ran(outputs ...*Output) *Notebook {
	return &Notebook{Minor: 5, Cells: []*Cell{{ID: "a", Type: Code, Source: "%%\nshow()", Metadata: map[string]any{},
		ExecutionCount: 1, Outputs: outputs}}}
}

func displayed(kind, value string) *Output {
	return &Output{Type: DisplayData, Data: map[string]any{kind: value}, Metadata: map[string]any{}}
}

func printed(text string) *Output { return &Output{Type: Stream, Name: "stdout", Text: text} }

func TestCheck_Outputs(t *testing.T) {
	volatile := displayed("text/plain", "0.1 s")
	volatile.Metadata[kernelext.VolatileOutput] = true
	tests := map[string]struct {
		before, after []*Output
		complaint     string
	}{
		"nothing changed": {[]*Output{printed("1\n")}, []*Output{printed("1\n")}, ""},
		"streams come in pieces": {[]*Output{printed("1\n"), displayed("text/plain", "x"), printed("2\n")},
			[]*Output{displayed("text/plain", "x"), printed("1\n2\n")}, ""},
		"a printed line": {[]*Output{printed("1\n2\n")}, []*Output{printed("1\n3\n")},
			`stdout line 2 was "2", is "3"`},
		"a line less": {[]*Output{printed("1\n2")}, []*Output{printed("1")},
			`stdout line 2 was "2", is nothing`},
		"a table": {[]*Output{displayed("text/html", "<b>1</b>")},
			[]*Output{displayed("text/html", "<b>2</b>")}, "output 1: text/html line 1"},
		"an output more": {nil, []*Output{displayed("text/plain", "x")}, "shows 1 outputs, 0 were committed"},
		"another form": {[]*Output{displayed("text/plain", "x")}, []*Output{displayed("text/html", "x")},
			"no longer has text/plain"},
		"an error": {[]*Output{displayed("text/plain", "x")},
			[]*Output{{Type: Failure, ErrorValue: "exit status 1"}}, "is error exit status 1"},
		"a bar": {[]*Output{volatile}, nil, ""},
		"the same figure": {[]*Output{displayed("image/png", drawing(t, 40, 0, 0))},
			[]*Output{displayed("image/png", drawing(t, 40, 0, 0))}, ""},
		"a figure a shade off": {[]*Output{displayed("image/png", drawing(t, 40, 0, 0))},
			[]*Output{displayed("image/png", drawing(t, 40, 1600, 32))}, ""},
		"a pixel": {[]*Output{displayed("image/png", drawing(t, 40, 0, 0))},
			[]*Output{displayed("image/png", drawing(t, 40, 1, 150))}, ""},
		"two pixels of 1600": {[]*Output{displayed("image/png", drawing(t, 40, 0, 0))},
			[]*Output{displayed("image/png", drawing(t, 40, 2, 33))}, "the figure differs in 2 of 1600 pixels"},
		"a larger figure": {[]*Output{displayed("image/png", drawing(t, 40, 0, 0))},
			[]*Output{displayed("image/png", drawing(t, 41, 0, 0))}, "was (40,40), is (41,40)"},
		"a figure that is damaged": {[]*Output{displayed("image/png", "????")},
			[]*Output{displayed("image/png", drawing(t, 40, 0, 0))}, "the committed figure cannot be read"},
	}
	for name, test := range tests {
		found := Changed(ran(test.before...), ran(test.after...))
		if test.complaint == "" {
			if len(found) > 0 {
				t.Errorf("%s: %v", name, found)
			}
			continue
		}
		if len(found) != 1 || !strings.Contains(found[0].String(), test.complaint) ||
			!strings.HasPrefix(found[0].String(), "cell 1 (show()): ") {
			t.Errorf("%s: %v, want %q", name, found, test.complaint)
		}
	}
}

func TestCheck_Volatile(t *testing.T) {
	before, after := ran(printed("1")), ran(printed("2"))
	for _, n := range []*Notebook{before, after} {
		n.Cells[0].Metadata[optionsKey] = map[string]any{volatileKey: true}
	}
	if found := Changed(before, after); len(found) > 0 {
		t.Error(found)
	}
	if found := Changed(before, &Notebook{}); len(found) != 1 {
		t.Errorf("a notebook without cells: %v", found)
	}
}

func TestCheck_Stale(t *testing.T) {
	const text = "# A\n```go name=n timeout=5s\n1\n```\n"
	tests := map[string]struct {
		source, complaint string
		change            func(*Notebook)
	}{
		"as committed": {text, "", func(*Notebook) {}},
		"prose changed": {strings.Replace(text, "# A", "# B", 1), "cell 1 (# B): differs from its source",
			func(*Notebook) {}},
		"code changed":   {strings.Replace(text, "\n1\n", "\n2\n", 1), "cell 2 (n): differs", func(*Notebook) {}},
		"option changed": {strings.Replace(text, "5s", "6s", 1), "cell 2 (n): differs", func(*Notebook) {}},
		"a cell more":    {text + "# C\n", "cell 3 (# C): is missing", func(*Notebook) {}},
		"a cell less":    {"# A\n", "cell 2 (n): is not in the source", func(*Notebook) {}},
		"not run":        {text, "cell 2 (n): is not executed", func(n *Notebook) { n.Cells[1].ExecutionCount = 0 }},
		"with an error": {text, "cell 2 (n): is committed with an error: exit status 1", func(n *Notebook) {
			n.Cells[1].Outputs = []*Output{{Type: Failure, ErrorValue: "exit\nstatus 1"}}
		}},
		"edited by hand": {text, "cell 2 (n): differs", func(n *Notebook) { n.Cells[1].Source = "3" }},
		"read from disk": {text, "", func(n *Notebook) { again, _ := n.Clone(); *n = *again }},
	}
	for name, test := range tests {
		original, err := ParseSource("x", text)
		if err != nil {
			t.Fatal(err)
		}
		committed := original.Notebook()
		committed.Cells[1].ExecutionCount = 1
		test.change(committed)
		source, err := ParseSource("x", test.source)
		if err != nil {
			t.Fatal(err)
		}
		found := Stale(committed, source)
		if test.complaint == "" && len(found) > 0 || test.complaint != "" &&
			(len(found) != 1 || !strings.HasPrefix(found[0].String(), test.complaint)) {
			t.Errorf("%s: %v, want %q", name, found, test.complaint)
		}
	}
}
