package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// Choose returns the table with these columns alone, in this order, and the rows whose names have one of these words in
// them. A level of the headers names all columns below it. Cases do not matter; without columns or words there are all.
func (t *Table) Choose(columns, words []string) (*Table, error) {
	places, err := t.places(columns)
	if err != nil {
		return nil, err
	}
	chosen := *t
	chosen.Columns, chosen.Rows = nil, nil
	for _, at := range places {
		chosen.Columns = append(chosen.Columns, t.Columns[at])
	}
	for _, row := range t.Rows {
		if len(words) > 0 && !slices.ContainsFunc(words, row.named) {
			continue
		}
		cells := make([]Cell, len(places))
		for i, at := range places {
			cells[i] = row.Cells[at]
		}
		row.Cells = cells
		chosen.Rows = append(chosen.Rows, row)
	}
	for _, word := range words {
		if !slices.ContainsFunc(chosen.Rows, func(r Row) bool { return r.named(word) }) {
			return nil, fmt.Errorf("no row has %q in its name; the first is %q", word, t.first())
		}
	}
	return &chosen, nil
}

// named tells whether a word is in the row's name.
func (r Row) named(word string) bool {
	return strings.Contains(strings.ToLower(r.Name), strings.ToLower(word))
}

// first is the name of the first row.
func (t *Table) first() string {
	if len(t.Rows) == 0 {
		return ""
	}
	return t.Rows[0].Name
}

// places are those of columns, in the order asked for: of all without names.
func (t *Table) places(names []string) (places []int, err error) {
	var known []string
	for i, c := range t.Columns {
		known = append(known, c.Name)
		if len(names) == 0 {
			places = append(places, i)
		}
	}
	for _, name := range names {
		at := columnsNamed(known, name)
		if len(at) == 0 {
			return nil, fmt.Errorf("there is no column %q; there are %s", name, strings.Join(known, ", "))
		}
		places = append(places, at...)
	}
	return places, nil
}

// columnsNamed are the places of the column of a name, or of all that have it among the levels of their headers.
func columnsNamed(known []string, name string) (places []int) {
	if at := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) }); at >= 0 {
		return []int{at}
	}
	level := strings.ToLower("/" + name + "/")
	for i, k := range known {
		if strings.Contains(strings.ToLower("/"+k+"/"), level) {
			places = append(places, i)
		}
	}
	return places
}

// Methods returns the table with the rows of these methods alone, and those that all are compared with. A method is
// named in full, in capitals or not, as the rows have it between slashes; without methods there are all.
func (t *Table) Methods(names []string) (*Table, error) {
	if len(names) == 0 {
		return t, nil
	}
	var known []string
	for _, row := range t.Rows {
		for _, level := range row.levels() {
			if !row.Reference && !slices.Contains(known, level) {
				known = append(known, level)
			}
		}
	}
	wanted := map[string]bool{}
	for _, name := range names {
		at := spelling.Match(name, known)
		if at < 0 {
			if near := spelling.Nearest(name, known); near != "" {
				return nil, fmt.Errorf("there is no method %q; do you mean %s?", name, near)
			}
			return nil, fmt.Errorf("there is no method %q; rows are named by %s", name, strings.Join(known, ", "))
		}
		wanted[known[at]] = true
	}
	chosen := *t
	chosen.Rows = nil
	for _, row := range t.Rows {
		if row.Reference || slices.ContainsFunc(row.levels(), func(level string) bool { return wanted[level] }) {
			chosen.Rows = append(chosen.Rows, row)
		}
	}
	return &chosen, nil
}
