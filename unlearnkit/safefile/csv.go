package safefile

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// readCSV reads comma-separated columns with a header line, or tab-separated ones if the name ends in .tsv.
func readCSV(file *os.File, names []string, words bool) (*Frame, error) {
	return parseCSV(file, strings.EqualFold(filepath.Ext(file.Name()), ".tsv"), names, words)
}

// parseCSV reads columns like readCSV, from any source.
func parseCSV(source io.Reader, tabs bool, names []string, words bool) (*Frame, error) {
	reader := csv.NewReader(skipByteOrderMark(source))
	reader.ReuseRecord = true
	if tabs {
		reader.Comma = '\t'
	}
	header, err := reader.Read()
	if err != nil {
		return nil, csvError(err)
	}
	has := make([]string, len(header))
	for i, name := range header {
		has[i] = strings.TrimSpace(name)
	}
	positions, err := choose(has, names)
	if err != nil {
		if len(has) == 1 && strings.Contains(has[0], ";") {
			err = fmt.Errorf("%w; separated by ;? write commas, or tabs into a .tsv file", err)
		}
		return nil, err
	}
	frame := &Frame{Columns: make([]Column, len(positions))}
	for i, at := range positions {
		if frame.Columns[i].Name = has[at]; words {
			frame.Columns[i].Texts = []string{}
		} else {
			frame.Columns[i].Values = []float64{}
		}
	}
	for row := 1; ; row++ {
		record, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, csvError(err)
		}
		for i, at := range positions {
			if words {
				frame.Columns[i].Texts = append(frame.Columns[i].Texts, strings.TrimSpace(record[at]))
				continue
			}
			value, err := parseNumber(record[at])
			if err != nil {
				line, _ := reader.FieldPos(at)
				return nil, fmt.Errorf("row %d (line %d), column %q: %w", row, line, has[at], err)
			}
			frame.Columns[i].Values = append(frame.Columns[i].Values, value)
			if frame.Columns[i].Blank++; strings.TrimSpace(record[at]) != "" {
				frame.Columns[i].Blank = 0
			}
		}
	}
	if frame.Rows() == 0 {
		if slices.ContainsFunc(header, func(name string) bool { return strings.Contains(name, "\r") }) {
			return nil, errors.New("its lines end with CR alone; save it with LF or CRLF line ends")
		}
		return nil, errors.New("it has a header and no rows")
	}
	return frame, nil
}

// parseNumber reads a cell; an empty one and the usual words for a missing value are NaN.
func parseNumber(cell string) (float64, error) {
	cell = strings.TrimSpace(cell)
	switch strings.ToLower(cell) {
	case "", "na", "n/a", "nan", "null", "none":
		return math.NaN(), nil
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	value, err := strconv.ParseFloat(cell, 64)
	if errors.Is(err, strconv.ErrRange) && math.IsInf(value, 0) {
		return 0, fmt.Errorf("%.40q is not a number that fits: the largest is 1.8e308", cell)
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.40q is not a number", cell)
	}
	return value, nil
}

// csvError rewords an error from encoding/csv in the style of the other readers' errors.
func csvError(err error) error {
	if err == io.EOF {
		return errors.New("it has no header line")
	}
	if e, ok := err.(*csv.ParseError); ok {
		return fmt.Errorf("line %d: %w", e.Line, e.Err)
	}
	return err
}

// skipByteOrderMark skips the mark that spreadsheets write before UTF-8.
func skipByteOrderMark(source io.Reader) io.Reader {
	buffered := bufio.NewReader(source)
	if start, err := buffered.Peek(3); err == nil && string(start) == "\ufeff" {
		buffered.Discard(3) //nolint:errcheck // three bytes were just seen
	}
	return buffered
}

// WriteCSV writes columns of equal length with a header line. Numbers are written so that reading them gives the same
// bits; NaN becomes an empty cell.
func WriteCSV(path string, columns []Column) error {
	if err := sameLength(columns); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return WriteFile(path, func(target io.Writer) error {
		writer := csv.NewWriter(target)
		record := make([]string, len(columns))
		for i, column := range columns {
			record[i] = column.Name
		}
		if err := writer.Write(record); err != nil {
			return err
		}
		for row := range columns[0].Len() {
			for i, column := range columns {
				record[i] = cellText(column, row)
			}
			if err := writer.Write(record); err != nil {
				return err
			}
		}
		writer.Flush()
		return writer.Error()
	})
}

func cellText(column Column, row int) string {
	if column.Texts != nil {
		return column.Texts[row]
	}
	if math.IsNaN(column.Values[row]) {
		return ""
	}
	return strconv.FormatFloat(column.Values[row], 'g', -1, 64)
}

// sameLength returns an error unless there are columns, all of the same length.
func sameLength(columns []Column) error {
	if len(columns) == 0 {
		return errors.New("no columns")
	}
	for _, column := range columns {
		if column.Len() != columns[0].Len() {
			return fmt.Errorf("column %q has %d rows, column %q has %d", column.Name, column.Len(), columns[0].Name,
				columns[0].Len())
		}
	}
	return nil
}
