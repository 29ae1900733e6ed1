package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// Choose returns the table with only the named columns, in the given order, and only the rows whose names contain one
// of the words. The name of a header level selects all columns below it. Case is ignored. Without columns or without
// words, all of them are selected.
func (t *Table) Choose(columns, words []string) (*Table, error) {
	places, err := t.columnIndices(columns)
	if err != nil {
		return nil, err
	}
	chosen := *t
	chosen.Columns, chosen.Rows = nil, nil
	for _, at := range places {
		chosen.Columns = append(chosen.Columns, t.Columns[at])
	}
	for _, row := range t.Rows {
		if len(words) > 0 && !slices.ContainsFunc(words, row.hasWord) {
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
		if !slices.ContainsFunc(chosen.Rows, func(r Row) bool { return r.hasWord(word) }) {
			return nil, fmt.Errorf("no row has %q in its name; the first is %q", word, t.first())
		}
	}
	return &chosen, nil
}

// hasWord reports whether the row's name contains a word.
func (r Row) hasWord(word string) bool {
	return strings.Contains(strings.ToLower(r.Name), strings.ToLower(word))
}

// first returns the name of the first row, or "" if there are no rows.
func (t *Table) first() string {
	if len(t.Rows) == 0 {
		return ""
	}
	return t.Rows[0].Name
}

// columnIndices returns the indices of the named columns in the given order. Without names, it returns the indices of
// all columns.
func (t *Table) columnIndices(names []string) (places []int, err error) {
	var known []string
	for i, c := range t.Columns {
		known = append(known, c.Name)
		if len(names) == 0 {
			places = append(places, i)
		}
	}
	for _, name := range names {
		at := columnsByName(known, name)
		if len(at) == 0 {
			return nil, fmt.Errorf("there is no column %q; there are %s", name, strings.Join(known, ", "))
		}
		places = append(places, at...)
	}
	return places, nil
}

// columnsByName returns the index of the column with a name. If none exists, it returns the indices of all columns
// below a header level with the name.
func columnsByName(known []string, name string) (places []int) {
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

// Methods returns the table with only the rows of the named methods and the reference rows. A method's name must equal
// a whole level of a row's name, ignoring case. Without names, Methods returns the table itself.
func (t *Table) Methods(names []string) (*Table, error) {
	if len(names) == 0 {
		return t, nil
	}
	var known []string
	for _, row := range t.Rows {
		for _, level := range Levels(row.Name, row.Levels) {
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
		named := slices.ContainsFunc(Levels(row.Name, row.Levels), func(level string) bool { return wanted[level] })
		if row.Reference || named {
			chosen.Rows = append(chosen.Rows, row)
		}
	}
	return &chosen, nil
}
