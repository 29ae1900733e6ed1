package profilefolder

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// mostText is the maximum size of a JSON file in bytes. Questions about a few hundred people take a few megabytes.
const mostText = 1 << 30

// table is a file with one question or one person per row. Columns inside a struct have dotted names.
type table struct {
	path    string
	columns []string
	objects []map[string]json.RawMessage // rows of a JSON file, or nil for a Parquet file
}

// openTable reads a whole JSON file, or the column names of a Parquet file.
func openTable(path string) (*table, error) {
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		columns, err := columnsOf(path)
		return &table{path: path, columns: columns}, err
	}
	return readObjects(path, math.MaxInt)
}

// peekTable is like [openTable], but reads at most one row of a JSON file.
func peekTable(path string) (*table, error) {
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		return openTable(path)
	}
	return readObjects(path, 1)
}

// readObjects reads at most the given number of rows of a JSON file.
func readObjects(path string, most int) (*table, error) {
	t := &table{path: path, objects: []map[string]json.RawMessage{}}
	seen := map[string]bool{}
	err := eachObject(path, func(object map[string]json.RawMessage) error {
		for _, name := range slices.Collect(maps.Keys(object)) {
			var inner map[string]json.RawMessage
			if json.Unmarshal(object[name], &inner) == nil {
				for below, value := range inner {
					object[name+"."+below] = value
				}
			}
		}
		for name := range object {
			seen[name] = true
		}
		if t.objects = append(t.objects, object); len(t.objects) == most {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	t.columns = slices.Sorted(maps.Keys(seen))
	return t, err
}

// columnsOf returns the names of a Parquet file's columns.
func columnsOf(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	rows, err := safefile.OpenTable(path, file, info.Size())
	if err != nil {
		return nil, err
	}
	return rows.Columns(), nil
}

// eachObject calls do for each object in a file with a JSON list or JSON lines.
func eachObject(path string, do func(map[string]json.RawMessage) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && info.Size() > mostText {
		err = fmt.Errorf("%d bytes, at most %d are read", info.Size(), mostText)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	buffered := bufio.NewReader(file)
	listed, err := beginsList(buffered)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	decoder, whole := json.NewDecoder(buffered), 0
	if listed {
		_, err = decoder.Token()
	}
	for ; err == nil && decoder.More(); whole++ {
		var object map[string]json.RawMessage
		if err = decoder.Decode(&object); err != nil {
			break
		}
		if err := do(object); err != nil {
			return fmt.Errorf("read %s: record %d: %w", path, whole+1, err)
		}
	}
	if err == nil && listed {
		_, err = decoder.Token() // end of the list
	}
	if err == nil {
		if _, err = decoder.Token(); err == io.EOF {
			return nil
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the file is cut off")
	}
	return fmt.Errorf("read %s: after %d whole records: %v", path, whole, cmp.Or(err, errors.New("more follows")))
}

// beginsList reports whether a file begins with a JSON list.
func beginsList(source *bufio.Reader) (bool, error) {
	for {
		first, err := source.ReadByte()
		if err != nil {
			return false, errors.New("the file is empty")
		}
		if !bytes.ContainsRune([]byte(" \t\r\n"), rune(first)) {
			return first == '[', source.UnreadByte()
		}
	}
}

// column returns the first given name that is a column of the table, ignoring case, or "" if there is none.
func (t *table) column(names []string) string {
	for _, name := range names {
		if at := slices.IndexFunc(t.columns, func(has string) bool { return strings.EqualFold(has, name) }); at >= 0 {
			return t.columns[at]
		}
	}
	return ""
}

// each calls do for each row, counted from 0, with the cells of the named columns. For the name "", the cell is empty.
func (t *table) each(names []string, do func(row int, cells []string) error) error {
	if t.objects != nil {
		for row, object := range t.objects {
			cells := make([]string, len(names))
			for i, name := range names {
				cells[i] = textOf(object[name])
			}
			if err := do(row, cells); err != nil {
				return fmt.Errorf("read %s: record %d: %w", t.path, row+1, err)
			}
		}
		return nil
	}
	wanted := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	rows, err := safefile.OpenParquet(t.path, wanted...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Each(func(row int, cells []safefile.Cell) error {
		texts := make([]string, len(names))
		for i, name := range names {
			if at, is := slices.BinarySearch(wanted, name); is {
				texts[i] = cells[at].Text()
			}
		}
		if err := do(row, texts); err != nil {
			return fmt.Errorf("read %s: row %d: %w", t.path, row+1, err)
		}
		return nil
	})
}

// textOf returns a JSON string or number as text, null as "", and other values as JSON.
func textOf(value json.RawMessage) string {
	var text *string
	if json.Unmarshal(value, &text) == nil {
		if text == nil {
			return ""
		}
		return *text
	}
	return string(value)
}

// listOf returns the texts in a cell: the elements of a JSON list, or the cell itself.
func listOf(cell string) (list []string) {
	var values []json.RawMessage
	if json.Unmarshal([]byte(cell), &values) != nil {
		values = nil
		list = append(list, cell)
	}
	for _, value := range values {
		list = append(list, textOf(value))
	}
	return slices.DeleteFunc(list, func(text string) bool { return strings.TrimSpace(text) == "" })
}
