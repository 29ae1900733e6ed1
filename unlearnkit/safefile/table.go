package safefile

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// Table is a Parquet file of which parts are read, wherever it lies. It may be used by several goroutines.
type Table struct {
	name string
	file *parquet.File

	mu    sync.Mutex
	kept  map[int]Column // by the place of the column, its last group
	group map[int]int    // which group that is
}

// OpenTable reads the footer of a Parquet file; name is what messages call it. The source has to last as long as the
// table.
func OpenTable(name string, source io.ReaderAt, size int64) (*Table, error) {
	t := &Table{name: name, kept: map[int]Column{}, group: map[int]int{}}
	err := guardParquet(func() (err error) {
		if t.file, err = openParquet(source, size); err == nil {
			err = checkParquetRows(t.file)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return t, nil
}

// Rows is the number of rows that the file says it has.
func (t *Table) Rows() int { return int(t.file.NumRows()) }

// Read reads the named columns of some rows, or all columns where none is named. Only the groups of rows with these are
// looked at, and the last group of each column is kept, so that parts which are read in their order are decoded once.
// Frames share what is kept: nothing in them may be changed.
func (t *Table) Read(first, rows int, names ...string) (frame *Frame, err error) {
	if first < 0 || rows < 1 || rows > t.Rows()-first {
		return nil, fmt.Errorf("read %s: it has %d rows and not %d from row %d on", t.name, t.Rows(), rows, first)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	err = guardParquet(func() (err error) {
		frame, err = t.read(first, rows, names)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s, rows %d to %d: %w", t.name, first+1, first+rows, err)
	}
	return frame, nil
}

func (t *Table) read(first, rows int, names []string) (*Frame, error) {
	has := t.Columns()
	if len(names) == 0 {
		names = has
	}
	positions, err := choose(has, names)
	if err != nil {
		return nil, err
	}
	frame := &Frame{Path: t.name, Columns: make([]Column, len(names))}
	for i, at := range positions {
		if frame.Columns[i], err = t.column(has[at], at, first, rows); err != nil {
			return nil, err
		}
		if frame.Columns[i].Len() != rows {
			return nil, fmt.Errorf("column %q has %d values", has[at], frame.Columns[i].Len())
		}
	}
	return frame, nil
}

// column joins what groups have of some rows.
func (t *Table) column(name string, at, first, rows int) (joined Column, err error) {
	begins := 0
	for i, group := range t.file.RowGroups() {
		ends := begins + int(group.NumRows())
		if ends > first && begins < first+rows {
			if t.kept[at].Len() == 0 || t.group[at] != i {
				if t.kept[at], err = t.decode(name, begins, ends-begins); err != nil {
					return joined, err
				}
				t.group[at] = i
			}
			part := t.kept[at].slice(max(0, first-begins), min(ends, first+rows)-begins)
			if joined.Len() == 0 {
				joined = part
			} else {
				joined.Values, joined.Texts = append(joined.Values, part.Values...), append(joined.Texts, part.Texts...)
			}
		}
		begins = ends
	}
	return joined, nil
}

func (t *Table) decode(name string, first, rows int) (Column, error) {
	frame, err := readColumns(t.file, span{int64(first), int64(rows)}, []string{name}, true)
	if err != nil {
		return Column{}, err
	}
	if frame.Rows() != rows {
		return Column{}, fmt.Errorf("column %q has %d values in a group of %d rows", name, frame.Rows(), rows)
	}
	return frame.Columns[0], nil
}

// slice is some rows of a column. What is appended to it goes elsewhere.
func (c Column) slice(from, to int) Column {
	if c.Texts != nil {
		c.Texts = c.Texts[from:to:to]
	} else {
		c.Values = c.Values[from:to:to]
	}
	return c
}

// Note is what was written into the file beside its rows, "" for nothing.
func (t *Table) Note(name string) string {
	value, _ := t.file.Lookup(name)
	return value
}

// Columns are the names of all columns.
func (t *Table) Columns() []string {
	var names []string
	for _, path := range t.file.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	return names
}
