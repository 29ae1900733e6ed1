package stat

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// series is a column, or the rows of a column selected by the flags.
type series struct {
	file, name string
	values     []float64
	blank      int      // number of empty cells at the end
	clusters   []string // label of each value; nil without clusters
	rows       []int    // row in the file for each value; nil if all rows are used
	ids        []string // id for each value; nil without --by
}

// place describes where a value is in its file, for errors.
func (s series) place(at int) string {
	switch {
	case s.ids != nil:
		return fmt.Sprintf("id %.80q", s.ids[at])
	case s.rows != nil:
		return fmt.Sprintf("row %d", s.rows[at]+1)
	}
	return fmt.Sprintf("row %d", at+1)
}

// omit removes the values at the indices in gone.
func (s *series) omit(gone map[int]bool) {
	if len(gone) == 0 {
		return
	}
	s.values, s.clusters = without(s.values, gone), without(s.clusters, gone)
	s.rows, s.ids = without(s.rows, gone), without(s.ids, gone)
}

func without[T any](all []T, gone map[int]bool) (kept []T) {
	for i, v := range all {
		if !gone[i] {
			kept = append(kept, v)
		}
	}
	return kept
}

// condition keeps the rows that have word in column.
type condition struct{ column, word string }

// conditions parses the values of --where.
func conditions(where []string) (all []condition, err error) {
	for _, text := range where {
		column, word, ok := strings.Cut(text, "=")
		if !ok || column == "" {
			return nil, cli.Usagef("--where %q: give COLUMN=VALUE", text)
		}
		all = append(all, condition{strings.TrimSpace(column), strings.TrimSpace(word)})
	}
	return all, nil
}

// columnReader reads columns and caches them, because comparisons can share them.
type columnReader struct {
	flags statFlags
	read  map[columnPlace]series
}

// series reads a column. With --by, it reads the values in the rows that have the given name in the column of --by.
func (r columnReader) series(at columnPlace, byRow bool) (series, error) {
	if s, ok := r.read[at]; ok {
		return s, nil
	}
	number := at.name
	if r.flags.by != "" {
		number = r.flags.value
	}
	var names []string
	if number != "" {
		names = []string{number}
	}
	frame, err := safefile.ReadNumbers(at.file, names...)
	if err != nil {
		return series{}, err
	}
	if len(frame.Columns) != 1 {
		return series{}, cli.Usagef("%s has %d columns: name one with --x", at.file, len(frame.Columns))
	}
	column := frame.Columns[0]
	s := series{file: at.file, name: column.Name, values: column.Values, blank: column.Blank}
	words, err := r.words(at.file, byRow)
	if err != nil {
		return s, err
	}
	if r.flags.clusters != "" {
		s.clusters = words[r.flags.clusters]
	}
	wanted := r.flags.conditions
	if r.flags.by != "" {
		s.name, wanted = at.name, append(slices.Clone(wanted), condition{r.flags.by, at.name})
	}
	if len(wanted) > 0 {
		if err := s.choose(wanted, words); err != nil {
			return s, err
		}
	}
	if r.flags.by != "" && byRow {
		if err := s.identify(words[r.flags.id]); err != nil {
			return s, err
		}
	}
	r.read[at] = s
	return s, nil
}

// words reads the text columns that the flags name, as a map by name. With --by, ids are read only if byRow is set.
func (r columnReader) words(file string, byRow bool) (map[string][]string, error) {
	needed := map[string]bool{}
	for _, c := range r.flags.conditions {
		needed[c.column] = true
	}
	if r.flags.clusters != "" {
		needed[r.flags.clusters] = true
	}
	if r.flags.by != "" {
		needed[r.flags.by] = true
		if byRow {
			needed[r.flags.id] = true
		}
	}
	if len(needed) == 0 {
		return nil, nil
	}
	names := slices.Sorted(maps.Keys(needed))
	frame, err := safefile.ReadWords(file, names...)
	if err != nil {
		return nil, err
	}
	words := map[string][]string{}
	for _, c := range frame.Columns {
		words[c.Name] = c.Texts
	}
	return words, nil
}

// choose keeps the rows that meet all conditions.
func (s *series) choose(wanted []condition, words map[string][]string) error {
	gone := map[int]bool{}
	s.rows = make([]int, len(s.values))
	for row := range s.values {
		s.rows[row] = row
		gone[row] = slices.ContainsFunc(wanted, func(c condition) bool { return words[c.column][row] != c.word })
		if !gone[row] {
			delete(gone, row)
		}
	}
	if len(gone) == len(s.values) {
		return s.nothing(wanted, words)
	}
	end := len(s.values) - s.blank
	s.omit(gone)
	s.blank = 0
	for i := len(s.rows); i > 0 && s.rows[i-1] >= end; i-- {
		s.blank++
	}
	return nil
}

// nothing returns the error for a selection without rows. It lists the words in the first column that does not have its
// word.
func (s *series) nothing(wanted []condition, words map[string][]string) error {
	for _, c := range wanted {
		if slices.Contains(words[c.column], c.word) {
			continue
		}
		has := slices.Compact(slices.Sorted(slices.Values(words[c.column])))
		more := ""
		if len(has) > 8 {
			has, more = has[:8], " …"
		}
		return fmt.Errorf("read %s: no row has %q in column %q; it has %.300s%s", s.file, c.word, c.column,
			strings.Join(has, ", "), more)
	}
	return fmt.Errorf("read %s: no row meets all of %.300v; remove a --where", s.file, wanted)
}

// identify sets the id of each value. An id may occur only once.
func (s *series) identify(ids []string) error {
	first := map[string]int{}
	for _, row := range s.rows {
		id := ids[row]
		if before, twice := first[id]; twice {
			return fmt.Errorf("read %s: rows %d and %d both have id %.80q of %q; select one by --where", s.file, before+1,
				row+1, id, s.name)
		}
		first[id] = row
		s.ids = append(s.ids, id)
	}
	return nil
}

// align gives all series the same ids in the same order. Values that a series lacks become NaN.
func align(all []series) {
	var ids []string
	known := map[string]bool{}
	clusters := map[string]string{}
	for _, s := range all {
		for i, id := range s.ids {
			if !known[id] {
				known[id], ids = true, append(ids, id)
			}
			if s.clusters != nil && clusters[id] == "" {
				clusters[id] = s.clusters[i]
			}
		}
	}
	for i := range all {
		s := &all[i]
		values := map[string]float64{}
		for at, id := range s.ids {
			values[id] = s.values[at]
		}
		clustered := s.clusters != nil
		s.values, s.clusters, s.rows, s.ids = nil, nil, nil, ids
		for _, id := range ids {
			value, has := values[id]
			if !has {
				value = math.NaN()
			}
			s.values = append(s.values, value)
			if clustered {
				s.clusters = append(s.clusters, clusters[id])
			}
		}
	}
}
