package safefile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Column is a named column. It has Values for numbers, or Texts for words.
type Column struct {
	Name   string
	Values []float64
	Texts  []string
	Type   NumberType // storage of the numbers in a Parquet file
	Blank  int        // number of empty cells at the end, in text files, whose columns all have the same length
}

// NumberType is the storage type of numbers.
type NumberType int

const (
	AsDouble NumberType = iota
	AsFloat             // float32
	// AsOptionalFloat is a float32, or null for NaN.
	AsOptionalFloat
	AsInteger // 32 bits
	AsTruth   // true for 1, false for 0
)

// Len returns the number of rows.
func (c Column) Len() int {
	if c.Texts != nil {
		return len(c.Texts)
	}
	return len(c.Values)
}

// Frame holds columns of equal length.
type Frame struct {
	Path    string // path of the file, for messages
	Columns []Column
}

// Column returns the named column, or nil.
func (f *Frame) Column(name string) *Column {
	for i := range f.Columns {
		if f.Columns[i].Name == name {
			return &f.Columns[i]
		}
	}
	return nil
}

// Numbers returns the values of a column, which must hold numbers.
func (f *Frame) Numbers(name string) ([]float64, error) {
	if column := f.Column(name); column != nil && column.Values != nil {
		return column.Values, nil
	}
	return nil, fmt.Errorf("read %s: it has no column %q of numbers", f.Path, name)
}

// Words returns the texts of a column, which must hold words.
func (f *Frame) Words(name string) ([]string, error) {
	if column := f.Column(name); column != nil && column.Texts != nil {
		return column.Texts, nil
	}
	return nil, fmt.Errorf("read %s: it has no column %q of words", f.Path, name)
}

// Rows returns the number of rows.
func (f *Frame) Rows() int {
	if len(f.Columns) == 0 {
		return 0
	}
	return f.Columns[0].Len()
}

// maxFileBytes limits a file of columns: 60 million rows of two numbers in CSV.
const maxFileBytes = 2 << 30

// ReadNumbers reads the named columns as numbers, or all columns if no names are given. Missing values are NaN. The
// file's ending determines its format: .csv and .tsv, .parquet, .npy. True and false are 1 and 0.
func ReadNumbers(path string, names ...string) (*Frame, error) { return readFrame(path, names, false) }

// ReadWords reads columns as [ReadNumbers] does, but as words: trimmed cells of CSV, and numbers of other formats as
// WriteCSV writes them. Missing values are empty.
func ReadWords(path string, names ...string) (*Frame, error) {
	frame, err := readFrame(path, names, true)
	if err != nil {
		return nil, err
	}
	for i, column := range frame.Columns {
		if column.Texts != nil {
			continue
		}
		texts := make([]string, column.Len())
		for row := range texts {
			texts[row] = cellText(column, row)
		}
		frame.Columns[i] = Column{Name: column.Name, Texts: texts}
	}
	return frame, nil
}

// readFrame reads columns as numbers. If words is set, it keeps text: all columns of CSV and TSV, the string columns of
// Parquet.
func readFrame(path string, names []string, words bool) (*Frame, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, WithoutPath(err))
	case info.IsDir():
		return nil, fmt.Errorf("read %s: it is a folder, a file of columns was expected", path)
	case info.Size() == 0:
		return nil, fmt.Errorf("read %s: the file is empty", path)
	case info.Size() > maxFileBytes:
		return nil, fmt.Errorf("read %s: %d bytes, at most %d are read", path, info.Size(), maxFileBytes)
	}
	read := map[string]func(*os.File, []string, bool) (*Frame, error){
		".csv": readCSV, ".tsv": readCSV, ".parquet": readParquet, ".npy": readNpyColumns,
	}[strings.ToLower(filepath.Ext(path))]
	if read == nil {
		return nil, fmt.Errorf("read %s: its ending must be .csv, .tsv, .parquet or .npy", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, WithoutPath(err))
	}
	defer file.Close()
	frame, err := read(file, names, words)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	frame.Path = path
	return frame, nil
}

// choose returns the positions of names in has, in the order of names, or all positions if names is empty.
func choose(has, names []string) ([]int, error) {
	if len(names) == 0 {
		names = has
	}
	positions := make([]int, 0, len(names))
	for _, name := range names {
		at := -1
		for i, h := range has {
			if h != name {
				continue
			}
			if at >= 0 {
				return nil, fmt.Errorf("two columns are named %q", name)
			}
			at = i
		}
		if at < 0 {
			return nil, fmt.Errorf("no column %q; it has %s", name, quotedList(has))
		}
		positions = append(positions, at)
	}
	return positions, nil
}

// quotedList formats up to eight names.
func quotedList(names []string) string {
	shown := names[:min(len(names), 8)]
	quoted := make([]string, len(shown))
	for i, name := range shown {
		quoted[i] = fmt.Sprintf("%.40q", name)
	}
	list := strings.Join(quoted, ", ")
	if more := len(names) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// WithoutPath returns a system error without its operation and path, for callers that add the path themselves.
func WithoutPath(err error) error {
	if e, ok := err.(*os.PathError); ok {
		return e.Err
	}
	return err
}
