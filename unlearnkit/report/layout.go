package report

import "strings"

// Span is a name above one or more adjacent columns.
type Span struct {
	Text  string
	Width int
}

// Header returns the column names by level, the top level first. Adjacent columns with the same upper name share a
// span.
func (t *Table) Header() (levels [][]Span) {
	for _, spans := range t.header() {
		level := make([]Span, len(spans))
		for i, s := range spans {
			level[i] = Span{s.text, s.width}
		}
		levels = append(levels, level)
	}
	return levels
}

// Label is the name of a row, split into the levels that repeat the row above and the remaining ones.
type Label struct{ Again, Own string }

// Labels returns the names of the rows. Commas separate levels.
func (t *Table) Labels() []Label {
	labels := make([]Label, len(t.Rows))
	var above []string
	for i, row := range t.Rows {
		parts := Levels(row.Name, row.Levels)
		same := 0
		for same < min(len(parts), len(above))-1 && parts[same] == above[same] {
			same++
		}
		labels[i].Own = strings.Join(parts[same:], ", ")
		if same > 0 {
			labels[i].Again = strings.Join(parts[:same], ", ") + ","
		}
		above = parts
	}
	return labels
}
