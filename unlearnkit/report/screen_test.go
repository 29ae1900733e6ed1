package report

import (
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestText_Width prints one wide table to files, which fit $COLUMNS, and to memory, where lines have no maximum.
func TestText_Width(t *testing.T) {
	table := &Table{Corner: "Method", Rows: []Row{{Name: "Finetuning"}}}
	for _, name := range []string{"general knowledge", "leak", "similarity", "fragile pairs"} {
		table.Columns = append(table.Columns, Column{Name: name})
		table.Rows[0].Cells = append(table.Rows[0].Cells, Number("0.123 [0.100, 0.200]", .123))
	}
	t.Setenv("COLUMNS", "50")
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Text(writer); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	file, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	var memory strings.Builder
	if err := table.Text(&memory); err != nil {
		t.Fatal(err)
	}
	if got := widest(string(file)); got > 50 {
		t.Errorf("lines of %d columns in a file, want at most 50:\n%s", got, file)
	}
	if got := widest(memory.String()); got < 90 {
		t.Errorf("lines of %d columns in memory, want all of the table:\n%s", got, memory.String())
	}
}

// widest returns the length of the longest line in characters.
func widest(text string) (most int) {
	for line := range strings.Lines(text) {
		most = max(most, utf8.RuneCountInString(strings.TrimSpace(line)))
	}
	return most
}
