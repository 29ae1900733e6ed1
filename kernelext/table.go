package kernelext

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// A Tabular is a value that provides its own table.
type Tabular interface{ Table() *report.Table }

// Table shows a [*report.Table], a [Tabular] such as [Columns], a slice of structs, or one struct such as a test
// result. A slice has a row for each element, but only the first mostRows are shown; a struct has a row for each field,
// below its sentence if it is a result. Columns and rows are named as Go selects the fields, so a name can be copied to
// the next cell.
func Table(t any) {
	table, err := tableOf(t)
	if err != nil {
		fail(err)
		return
	}
	var view report.View
	if !gonbui.IsNotebook {
		view = report.ViewOf(console())
	}
	var html, text strings.Builder
	if err := table.HTML(&html); err != nil {
		fail(fmt.Errorf("table: %w", err))
		return
	}
	if err := table.Show(&text, view); err != nil {
		fail(fmt.Errorf("table: %w", err))
		return
	}
	display{html: html.String(), text: strings.TrimRight(text.String(), "\n")}.show()
}

func tableOf(t any) (*report.Table, error) {
	switch t := t.(type) {
	case *report.Table:
		if t != nil {
			return t, nil
		}
	case report.Table:
		return &t, nil
	case Tabular:
		return t.Table(), nil
	}
	value := reflect.ValueOf(t)
	for value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	switch {
	case value.Kind() == reflect.Struct:
		return structTable(value), nil
	case isSlice(value) && structOf(value.Type().Elem()).Kind() == reflect.Struct:
		return sliceTable(value), nil
	}
	return nil, fmt.Errorf("table: a %T has no rows; give a table, a struct or a slice of structs", t)
}

func isSlice(value reflect.Value) bool {
	return value.Kind() == reflect.Slice || value.Kind() == reflect.Array
}

func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// structTable returns a table with a row for each field of a struct.
func structTable(value reflect.Value) *report.Table {
	table := &report.Table{Corner: value.Type().Name(), Columns: []report.Column{{Name: "value"}}}
	if value.CanInterface() && value.Type().Implements(stringer) {
		table.Title, table.Note, _ = strings.Cut(fmt.Sprint(value.Interface()), "\n")
	}
	for _, f := range fields(value.Type()) {
		table.Rows = append(table.Rows, report.Row{Name: f.name, Cells: []report.Cell{cellOf(fieldOf(value, f.index))}})
	}
	return table
}

// mostRows is the maximum number of rows shown of the user's own data; ten thousand rows would add megabytes to every
// copy of the notebook.
const mostRows = 300

// cutNote returns a note if not all rows are shown, otherwise "".
func cutNote(shown, rows int) string {
	if shown == rows {
		return ""
	}
	return fmt.Sprintf("The first %s of %s rows; slice them to see others, as in rows[%d:%d].", thousands(shown),
		thousands(rows), shown, min(rows, 2*shown))
}

// sliceTable returns a table with a row for each element, named by its index.
func sliceTable(values reflect.Value) *report.Table {
	table := &report.Table{}
	columns := fields(structOf(values.Type().Elem()))
	for _, f := range columns {
		table.Columns = append(table.Columns, report.Column{Name: f.name, Words: f.words})
	}
	n := min(values.Len(), mostRows)
	table.Note = cutNote(n, values.Len())
	for i := range n {
		row := report.Row{Name: strconv.Itoa(i)}
		element := values.Index(i)
		for _, f := range columns {
			row.Cells = append(row.Cells, cellOf(fieldOf(element, f.index)))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// field describes a column: its name, the index of its struct field, and whether it holds text.
type field struct {
	name  string
	index []int
	words bool
}

// fields returns the exported fields of a struct, without those omitted by a JSON tag. Fields of nested structs have
// their path as name.
func fields(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
			continue
		}
		if f.Type.Kind() == reflect.Struct && !describesItself(f.Type) {
			for _, inner := range fields(f.Type) {
				if !f.Anonymous {
					inner.name = f.Name + "." + inner.name
				}
				inner.index = append([]int{i}, inner.index...)
				all = append(all, inner)
			}
			continue
		}
		if f.IsExported() {
			all = append(all, field{f.Name, []int{i}, f.Type.Kind() == reflect.String})
		}
	}
	return all
}

var (
	stringer = reflect.TypeFor[fmt.Stringer]()
	// result is implemented by test results, whose fields tables show.
	result = reflect.TypeFor[interface {
		Sentence(adjusted float64, names ...string) string
	}]()
)

// describesItself reports whether a value of a type is shown as one cell with its text.
func describesItself(t reflect.Type) bool { return t.Implements(stringer) && !t.Implements(result) }

// fieldOf returns the field at index, or the zero Value if value is a nil pointer.
func fieldOf(value reflect.Value, index []int) reflect.Value {
	if value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return reflect.Value{}
		}
		value = value.Elem()
	}
	return value.FieldByIndex(index)
}

func cellOf(value reflect.Value) report.Cell {
	if !value.IsValid() {
		return report.Word("–")
	}
	if !value.CanInterface() {
		return report.Word(fmt.Sprint(value))
	}
	if describesItself(value.Type()) {
		return report.Word(fmt.Sprint(value.Interface()))
	}
	switch {
	case value.CanFloat():
		return report.Number(number(value.Float()), value.Float())
	case value.CanInt():
		return report.Number(strconv.FormatInt(value.Int(), 10), float64(value.Int()))
	case value.CanUint():
		return report.Number(strconv.FormatUint(value.Uint(), 10), float64(value.Uint()))
	}
	return report.Word(fmt.Sprint(value.Interface()))
}

// number formats a float with five significant digits, and NaN as a dash.
func number(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return strconv.FormatFloat(x, 'g', 5, 64)
}
