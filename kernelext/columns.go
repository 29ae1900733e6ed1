package kernelext

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Columns holds the columns of a file. [Table] shows them, and [Rows] converts them to structs.
type Columns struct{ frame *safefile.Frame }

// ReadCSV reads a table whose first line holds the column names. Cells are separated by commas, or by tabs if the file
// name ends in .tsv. A column is numeric if each of its cells is a number or empty. A path is relative to the
// notebook's folder.
//
//	scores := kx.ReadCSV("scores.csv")
//	kx.Table(stat.Wilcoxon(scores.Numbers("ours"), scores.Numbers("gold")))
func ReadCSV(path string) Columns { return Must(readColumns(path)) }

// ReadParquet reads a Parquet file. Apart from the format, it is like [ReadCSV].
func ReadParquet(path string) Columns { return Must(readColumns(path)) }

func readColumns(path string) (Columns, error) {
	frame, err := safefile.ReadWords(path)
	if err != nil {
		return Columns{}, err
	}
	var numeric []string
	for _, column := range frame.Columns {
		if !slices.ContainsFunc(column.Texts, isWord) {
			numeric = append(numeric, column.Name)
		}
	}
	if len(numeric) == 0 {
		return Columns{frame}, nil
	}
	numbers, err := safefile.ReadNumbers(path, numeric...)
	if err != nil {
		return Columns{}, err
	}
	for _, column := range numbers.Columns {
		*frame.Column(column.Name) = column
	}
	return Columns{frame}, nil
}

// isWord reports whether a cell is neither a number nor empty.
func isWord(cell string) bool {
	_, err := strconv.ParseFloat(cell, 64)
	return err != nil && cell != ""
}

// Names returns the names of the columns in the order of the file.
func (c Columns) Names() []string {
	var names []string
	for _, column := range c.columns() {
		names = append(names, column.Name)
	}
	return names
}

func (c Columns) columns() []safefile.Column {
	if c.frame == nil {
		return nil
	}
	return c.frame.Columns
}

// Len returns the number of rows.
func (c Columns) Len() int {
	if c.frame == nil {
		return 0
	}
	return c.frame.Rows()
}

// Numbers returns the values of a numeric column, with NaN for missing values. If there is no such column, it ends the
// cell.
func (c Columns) Numbers(name string) []float64 {
	column, err := c.find(name)
	if err == nil && column.Values == nil && column.Len() > 0 {
		err = fmt.Errorf("%s: the column %q holds words such as %.40q; read it with Words", c.frame.Path, column.Name,
			column.Texts[slices.IndexFunc(column.Texts, isWord)])
	}
	if err != nil {
		fail(err)
		return nil
	}
	return column.Values
}

// Words returns a column's values as texts; numbers are formatted. If there is no such column, it ends the cell.
func (c Columns) Words(name string) []string {
	column, err := c.find(name)
	if err != nil {
		fail(err)
		return nil
	}
	words := make([]string, column.Len())
	for i := range words {
		words[i] = textAt(column, i)
	}
	return words
}

// find returns the column with a name, regardless of case.
func (c Columns) find(name string) (safefile.Column, error) {
	names := c.Names()
	if at := spelling.Match(name, names); at >= 0 {
		return c.frame.Columns[at], nil
	}
	guess := ""
	if near := spelling.Nearest(name, names); near != "" {
		guess = fmt.Sprintf("; did you mean %q?", near)
	}
	path := "these columns"
	if c.frame != nil {
		path = c.frame.Path
	}
	return safefile.Column{}, fmt.Errorf("%s: there is no column %q; the columns are %s%s", path, name,
		strings.Join(names, ", "), guess)
}

func textAt(c safefile.Column, row int) string {
	switch {
	case c.Texts != nil:
		return c.Texts[row]
	case math.IsNaN(c.Values[row]):
		return ""
	}
	return strconv.FormatFloat(c.Values[row], 'g', -1, 64)
}

// Table returns a table of the first rows, at most mostRows.
func (c Columns) Table() *report.Table {
	table := &report.Table{}
	n := min(c.Len(), mostRows)
	if n < c.Len() {
		table.Note = fmt.Sprintf("The first %s of %s rows.", thousands(n), thousands(c.Len()))
	}
	for i := range n {
		table.Rows = append(table.Rows, report.Row{Name: strconv.Itoa(i)})
	}
	for _, column := range c.columns() {
		table.Columns = append(table.Columns, report.Column{Name: column.Name, Words: column.Texts != nil})
		for i := range n {
			cell := report.Word(textAt(column, i))
			if column.Texts == nil {
				cell = report.Number(number(column.Values[i]), column.Values[i])
			}
			table.Rows[i].Cells = append(table.Rows[i].Cells, cell)
		}
	}
	return table
}

// Rows converts each row to a struct. A field reads the column with its name, regardless of case, or the column named
// by its tag. A field with the tag "-" is skipped. If a cell does not fit its field, Rows ends the notebook's cell with
// a box that names the row and column.
//
//	type run struct {
//		Method string
//		Score  float64 `column:"score (%)"`
//	}
//	runs := kx.Rows[run](kx.ReadCSV("runs.csv"))
func Rows[T any](c Columns) []T {
	rows := make([]T, c.Len())
	into := reflect.ValueOf(rows)
	if err := fill(into, c); err != nil {
		fail(fmt.Errorf("kx.Rows: %w", err))
		return nil
	}
	return rows
}

// fill sets the fields of a slice of structs from the columns.
func fill(rows reflect.Value, c Columns) error {
	t := rows.Type().Elem()
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("a row is a struct with a field for each column; %s is not a struct", t)
	}
	for _, f := range reflect.VisibleFields(t) {
		name := f.Tag.Get("column")
		if !f.IsExported() || f.Anonymous || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		column, err := c.find(name)
		if err != nil {
			return err
		}
		for i := range rows.Len() {
			if err := set(rows.Index(i).FieldByIndex(f.Index), column, i); err != nil {
				return fmt.Errorf("%s: column %q, row %d: %w", c.frame.Path, column.Name, i+1, err)
			}
		}
	}
	return nil
}

// set stores a cell in a field.
func set(field reflect.Value, c safefile.Column, row int) error {
	if field.Kind() == reflect.String {
		field.SetString(textAt(c, row))
		return nil
	}
	if c.Texts != nil {
		return fmt.Errorf("%.40q is not a %s", c.Texts[row], field.Type())
	}
	x := c.Values[row]
	switch {
	case field.CanFloat():
		field.SetFloat(x)
	case field.CanInt() && x == math.Trunc(x) && !field.OverflowInt(int64(x)):
		field.SetInt(int64(x))
	case field.CanUint() && x == math.Trunc(x) && x >= 0 && !field.OverflowUint(uint64(x)):
		field.SetUint(uint64(x))
	case field.Kind() == reflect.Bool && slices.Contains([]float64{0, 1}, x):
		field.SetBool(x == 1)
	case math.IsNaN(x):
		return fmt.Errorf("the cell is empty, which a %s cannot represent; float64 can, as NaN", field.Type())
	default:
		return fmt.Errorf("%v is not a %s", x, field.Type())
	}
	return nil
}
