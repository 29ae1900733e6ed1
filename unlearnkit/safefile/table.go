package safefile

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// Table is a Parquet file, from any source, that is read in parts. Several goroutines may use it.
type Table struct {
	name string
	file *parquet.File

	mu      sync.Mutex
	decoded map[int]Column // last decoded group, by column index
	group   map[int]int    // index of that group
}

// OpenTable reads the footer of a Parquet file. name is for messages. The source must remain valid as long as the
// table.
func OpenTable(name string, source io.ReaderAt, size int64) (*Table, error) {
	t := &Table{name: name, decoded: map[int]Column{}, group: map[int]int{}}
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

// Rows returns the number of rows according to the file's footer.
func (t *Table) Rows() int { return int(t.file.NumRows()) }

// Read reads the named columns of some rows, or all columns without names. It decodes only the row groups of these
// rows, and keeps the last group of each column, so that consecutive parts are decoded once. Frames share the kept
// groups and must not be changed.
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

// column returns rows of a column, joined across row groups.
func (t *Table) column(name string, at, first, rows int) (joined Column, err error) {
	begins := 0
	for i, group := range t.file.RowGroups() {
		ends := begins + int(group.NumRows())
		if ends > first && begins < first+rows {
			if t.decoded[at].Len() == 0 || t.group[at] != i {
				if t.decoded[at], err = t.decode(name, begins, ends-begins); err != nil {
					return joined, err
				}
				t.group[at] = i
			}
			part := t.decoded[at].slice(max(0, first-begins), min(ends, first+rows)-begins)
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

// slice returns some rows of a column. Appending to it does not change the column.
func (c Column) slice(from, to int) Column {
	if c.Texts != nil {
		c.Texts = c.Texts[from:to:to]
	} else {
		c.Values = c.Values[from:to:to]
	}
	return c
}

// Note returns a note that was written into the file, or "".
func (t *Table) Note(name string) string {
	value, _ := t.file.Lookup(name)
	return value
}

// Columns returns the names of all columns.
func (t *Table) Columns() []string {
	var names []string
	for _, path := range t.file.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	return names
}
