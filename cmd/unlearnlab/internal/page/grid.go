package page

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

const (
	longWord = 20 // text cells longer than this are set as words
	longText = 60 // text cells longer than this need extra width
)

// mostRows is the maximum number of rows of a table on the page; the command shows all of them.
const mostRows = 150

// grid is a table as the page shows it, in its own scrolling box with a fixed header and first column.
type grid struct {
	ID, Caption string
	Corner      string
	Head        [][]head // header rows, without the corner cell
	Rows        []row
	Notes       []string
	More        string // note about omitted rows
}

type head struct {
	Text  string
	Width int
	Words bool
}

type row struct {
	ID, Class  string
	Again, Own string // the part of the name that repeats the row above, and the rest
	Cells      []cell
}

type cell struct {
	Lines   []string
	Mark    report.Mark
	Words   bool
	Long    bool
	Sign    *Sign
	Judged  bool     // the sign adds a verdict to the cell's text
	Printed string   // the paper's value
	Links   []string // keys of runs
}

// Class returns the cell's CSS classes.
func (c cell) Class() string {
	var names []string
	if c.Sign != nil {
		names = append(names, c.Sign.Tone)
	}
	for name, is := range map[string]bool{"words": c.Words, "long": c.Long, "lines": len(c.Lines) > 1,
		"keys": len(c.Links) > 0} {
		if is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Best reports whether the cell is the best of its column.
func (c cell) Best() bool { return c.Mark == report.Best }

// Second reports whether the cell is the second-best of its column.
func (c cell) Second() bool { return c.Mark == report.Second }

// newGrid converts a table to a grid. If rows are omitted, the grid mentions whole, the command that shows all of them.
func newGrid(id, caption string, t *report.Table, whole string) *grid {
	g := &grid{ID: id, Caption: caption, Corner: strings.Join(t.Heads(), ", ")}
	at := 0
	for _, level := range t.Header() {
		var line []head
		at = 0
		for _, s := range level {
			line = append(line, head{s.Text, s.Width, s.Width == 1 && t.Columns[at].Words})
			at += s.Width
		}
		g.Head = append(g.Head, line)
	}
	if t.Note != "" {
		g.Notes = strings.Split(t.Note, "\n")
	}
	labels, rows := t.Labels(), t.Rows
	if len(rows) > mostRows {
		g.More = fmt.Sprintf("%s more rows: %s", thousands(len(rows)-mostRows), whole)
		rows = rows[:mostRows]
	}
	for i, r := range rows {
		line := row{Again: labels[i].Again, Own: labels[i].Own}
		switch {
		case r.Guest:
			line.Class = "guest"
		case r.Reference:
			line.Class = "reference"
		}
		for k, c := range r.Cells {
			text := strings.Split(c.Text, "\n")
			length := utf8.RuneCountInString(c.Text)
			line.Cells = append(line.Cells, cell{Lines: text, Mark: c.Mark, Sign: signOf(text[len(text)-1]),
				Words: t.Columns[k].Words || length > longWord && len(text) == 1, Long: length > longText})
		}
		g.Rows = append(g.Rows, line)
	}
	return g
}

// judge adds the verdicts and printed values of certified cells to the grid of the same table. It reports whether it
// added any verdict and any printed value.
func (g *grid) judge(t *report.Table, cells []certify.Cell) (judged, printed bool) {
	rows, columns := map[string]int{}, map[string]int{}
	for i, r := range t.Rows[:len(g.Rows)] {
		rows[r.Name] = i
	}
	for k, c := range t.Columns {
		columns[c.Name] = k
	}
	for _, c := range cells {
		i, there := rows[c.Row]
		k, also := columns[c.Column]
		if !there || !also {
			continue
		}
		shown := &g.Rows[i].Cells[k]
		shown.Printed = c.Printed
		printed = printed || c.Printed != ""
		if !t.Rows[i].Reference {
			shown.Sign = signOf(string(c.Verdict))
			shown.Judged = shown.Sign != nil
			judged = judged || shown.Judged
		}
	}
	return judged, printed
}
