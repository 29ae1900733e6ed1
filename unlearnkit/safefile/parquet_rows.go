package safefile

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// A Cell is one value of a row. The reader owns its bytes, which are valid until the next row is read.
type Cell struct{ value parquet.Value }

// Null reports whether the cell has no value.
func (c Cell) Null() bool { return c.value.IsNull() }

// Bytes returns the content of a cell of bytes or text, or nil for other cells.
func (c Cell) Bytes() []byte {
	if c.value.Kind() != parquet.ByteArray && c.value.Kind() != parquet.FixedLenByteArray {
		return nil
	}
	return c.value.ByteArray()
}

// Text returns a copy of a cell of bytes or text, or a number's digits, or "" without a value. Whole numbers have the
// same text whether they are stored as integers or not.
func (c Cell) Text() string {
	if c.Null() {
		return ""
	}
	switch c.value.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return string(c.value.ByteArray())
	case parquet.Float, parquet.Double:
		number, err := parquetNumber(c.value)
		if err == nil && number == math.Trunc(number) && math.Abs(number) < 1<<53 {
			return strconv.FormatInt(int64(number), 10)
		}
	}
	return c.value.String()
}

// ParquetRows reads chosen columns of a Parquet file row by row, with one page of each column in memory. Fields of a
// struct are named with a dot: "image.bytes". It is not safe for concurrent use.
type ParquetRows struct {
	path    string
	source  *os.File
	file    *parquet.File
	names   []string
	columns []int
	group   int   // index of the next row group
	left    int64 // unread rows of the current row group
	at      int64 // index of the next row of the file
	cursors []*cursor
	cells   []Cell
}

// OpenParquet opens the named columns of a Parquet file, or all columns without names. Close it after use.
func OpenParquet(path string, names ...string) (rows *ParquetRows, err error) {
	source, size, err := openFile(path, math.MaxInt64)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	rows = &ParquetRows{path: path, source: source, names: names}
	if err := rows.guard(func() error { return rows.open(size) }); err != nil {
		source.Close()
		return nil, err
	}
	return rows, nil
}

func (r *ParquetRows) open(size int64) error {
	if err := checkParquetFooter(r.source, size); err != nil {
		return err
	}
	file, err := parquet.OpenFile(r.source, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("not a whole Parquet file: %s", oneLine(err.Error()))
	}
	r.file = file
	if err := checkParquetRows(file); err != nil {
		return err
	}
	if len(r.names) == 0 {
		r.names = r.Columns()
	}
	r.cells = make([]Cell, len(r.names))
	if r.columns, err = choose(r.Columns(), r.names); err != nil {
		return err
	}
	for _, column := range r.columns {
		if leaf, _ := file.Schema().Lookup(file.Schema().Columns()[column]...); leaf.MaxRepetitionLevel > 0 {
			return fmt.Errorf("column %q: lists inside cells are not read", strings.Join(leaf.Path, "."))
		}
	}
	return checkParquetCodecs(file)
}

// checkParquetRows returns an error if the footer's numbers of rows contradict each other.
func checkParquetRows(file *parquet.File) error {
	sum := int64(0)
	for _, group := range file.RowGroups() {
		if group.NumRows() < 0 || group.NumRows() > maxRows {
			return fmt.Errorf("a row group of %d rows, at most %d are read", group.NumRows(), maxRows)
		}
		sum += group.NumRows()
	}
	if sum != file.NumRows() || sum > maxRows {
		return fmt.Errorf("damaged Parquet file: %d rows in all, %d in its row groups", file.NumRows(), sum)
	}
	return nil
}

// guard adds the file to an error, and converts a panic of the library, which some damaged files cause, to an error.
func (r *ParquetRows) guard(do func() error) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("damaged Parquet file: %s", oneLine(fmt.Sprint(problem)))
		}
		if err != nil && err != io.EOF {
			err = fmt.Errorf("read %s: %w", r.path, err)
		}
	}()
	return do()
}

// Columns returns the names of all columns of the file.
func (r *ParquetRows) Columns() []string {
	var names []string
	for _, path := range r.file.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	return names
}

// Rows returns the number of rows according to the file's footer.
func (r *ParquetRows) Rows() int { return int(r.file.NumRows()) }

// Next returns the next row with a cell for each requested column, or [io.EOF] after the last row. The next call reuses
// the slice.
func (r *ParquetRows) Next() ([]Cell, error) {
	err := r.guard(func() error {
		for r.left == 0 {
			if r.group == len(r.file.RowGroups()) {
				return io.EOF
			}
			if err := r.enter(r.group, 0); err != nil {
				return err
			}
		}
		for i, c := range r.cursors {
			value, err := c.next()
			if err == io.EOF {
				err = fmt.Errorf("the row group has %d rows more by its footer", r.left)
			}
			if err != nil {
				return fmt.Errorf("row %d, column %q: damaged data: %s", r.at+1, r.names[i], oneLine(err.Error()))
			}
			r.cells[i] = Cell{value}
		}
		r.left--
		r.at++
		return nil
	})
	return r.cells, err
}

// Each calls do for the remaining rows, counted from 0, until do fails.
func (r *ParquetRows) Each(do func(row int, cells []Cell) error) error {
	for {
		row := int(r.at)
		cells, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := do(row, cells); err != nil {
			return err
		}
	}
}

// Seek makes row, counted from 0, the next row.
func (r *ParquetRows) Seek(row int) error {
	return r.guard(func() error {
		first := int64(0)
		for i, group := range r.file.RowGroups() {
			if local := int64(row) - first; row >= 0 && local < group.NumRows() {
				r.at = int64(row)
				return r.enter(i, local)
			}
			first += group.NumRows()
		}
		return fmt.Errorf("there is no row %d, it has %d", row+1, r.Rows())
	})
}

// enter starts reading a row group at one of its rows.
func (r *ParquetRows) enter(group int, row int64) error {
	r.leave()
	chosen := r.file.RowGroups()[group]
	chunks := chosen.ColumnChunks()
	for i, column := range r.columns {
		c := &cursor{pages: chunks[column].Pages(), buffer: make([]parquet.Value, 64)}
		r.cursors = append(r.cursors, c)
		if row > 0 {
			if err := c.pages.SeekToRow(row); err != nil {
				return fmt.Errorf("column %q: row %d: damaged data: %s", r.names[i], row+1, oneLine(err.Error()))
			}
		}
	}
	r.group, r.left = group+1, chosen.NumRows()-row
	return nil
}

func (r *ParquetRows) leave() {
	for _, c := range r.cursors {
		c.close()
	}
	r.cursors, r.left = r.cursors[:0], 0
}

// Close closes the file.
func (r *ParquetRows) Close() error {
	r.leave()
	return r.source.Close()
}

// cursor reads the values of one column of a row group.
type cursor struct {
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buffer []parquet.Value
	ready  []parquet.Value // unread part of buffer
}

func (c *cursor) next() (parquet.Value, error) {
	for len(c.ready) == 0 {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				return parquet.Value{}, err
			}
			c.page, c.values = page, page.Values()
		}
		n, err := c.values.ReadValues(c.buffer)
		c.ready = c.buffer[:n]
		switch {
		case n > 0: // an error is returned again
		case err == io.EOF:
			c.endPage()
		case err != nil:
			return parquet.Value{}, err
		default:
			return parquet.Value{}, fmt.Errorf("a page without values")
		}
	}
	value := c.ready[0]
	c.ready = c.ready[1:]
	return value, nil
}

func (c *cursor) endPage() {
	parquet.Release(c.page)
	c.page, c.values = nil, nil
}

func (c *cursor) close() {
	if c.page != nil {
		c.endPage()
	}
	c.pages.Close()
}
