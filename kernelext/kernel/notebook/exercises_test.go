package notebook

import (
	"slices"
	"testing"
)

func checked(source string, outputs ...string) *Cell {
	c := &Cell{Type: Code, Source: source}
	for _, text := range outputs {
		c.Outputs = append(c.Outputs, &Output{Type: DisplayData, Data: map[string]any{"text/plain": text}})
	}
	return c
}

func TestAttempts(t *testing.T) {
	stream := checked("%%\nkx.Check( \"b/two\", answer)")
	stream.Outputs = []*Output{{Type: Stream, Name: "stdout", Text: "a line\n✗ b/two: not yet. Think.\n"}}
	n := &Notebook{Cells: []*Cell{
		checked("%%\nanswer := .5\nkx.Check(\"a/one\", answer)", "✓ a/one: right."),
		{Type: Markdown, Source: `kx.Check("a/text", 1)`},
		stream,
		checked(`kx.Check("b/three", "x")`, "? b/three: the answer is a number, not x"),
		checked(`kx.Check("c/four", 0.0)`, "– c/four: not answered yet."),
		checked(`kx.Check("c/five", 0.0)`),
		checked(`fmt.Println("✓ c/five: right.")`, "✓ c/five: right."), // not checked by this cell
		checked(`kx.Check("a/one", 2)`, "✗ a/one: not yet."),           // tried again
	}}
	want := []Attempt{{"a/one", Solved, "right."}, {"b/two", Tried, "not yet. Think."},
		{"b/three", Tried, "the answer is a number, not x"}, {"c/four", Unanswered, "not answered yet."},
		{"c/five", NotRun, ""}}
	if got := n.Attempts(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
