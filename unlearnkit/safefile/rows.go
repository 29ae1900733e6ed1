package safefile

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Field is a column that a struct declares by a field and its tag.
type Field struct {
	Name  string
	Words bool // a column of words; otherwise one of numbers

	index []int // index of the field, through the embedded structs that contain the field
}

// FieldsOf returns the columns that the fields of T declare, in their order. The fields of embedded structs are fields
// of T. It panics if a field has a type that no column can have.
func FieldsOf[T any]() (fields []Field) {
	row := reflect.TypeFor[T]()
	for _, field := range reflect.VisibleFields(row) {
		name, _, _ := strings.Cut(field.Tag.Get("parquet"), ",")
		switch {
		case name == "-" || !field.IsExported() || field.Anonymous:
			continue
		case name == "":
			name = field.Name
		}
		of := field.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch of.Kind() {
		case reflect.String, reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
			fields = append(fields, Field{Name: name, Words: of.Kind() == reflect.String, index: field.Index})
		default:
			panic(fmt.Sprintf("safefile: field %s of %v has the type %v, which no column has", field.Name, row,
				field.Type))
		}
	}
	return fields
}

// ReadRows reads a Parquet file into structs. It is the inverse of [WriteRows]: the fields of T name the columns by
// their tags, and columns without a field are not read.
//
// A missing number is NaN in a field of type float32 or float64, and nil in a pointer. In a field of integers or of
// bool it is an error, as is a number that is not whole.
func ReadRows[T any](path string) ([]T, error) {
	var names []string
	for _, f := range FieldsOf[T]() {
		names = append(names, f.Name)
	}
	frame, err := ReadParquet(path, names...)
	if err != nil {
		return nil, err
	}
	return RowsOf[T](frame)
}

// RowsOf returns the rows of a frame as structs, as [ReadRows] does.
func RowsOf[T any](frame *Frame) ([]T, error) {
	fields := FieldsOf[T]()
	if err := frame.Check(fields...); err != nil {
		return nil, err
	}
	rows := make([]T, frame.Rows())
	into := reflect.ValueOf(rows)
	for _, f := range fields {
		column := frame.Column(f.Name)
		if row, err := column.fill(into, f.index); err != nil {
			return nil, fmt.Errorf("read %s, row %d, column %q: %w", frame.Path, row+1, f.Name, err)
		}
	}
	return rows, nil
}

// fill sets a field of all rows to the cells of the column.
func (c *Column) fill(rows reflect.Value, field []int) (row int, err error) {
	kind := rows.Type().Elem().FieldByIndex(field).Type
	optional := kind.Kind() == reflect.Pointer
	if optional {
		kind = kind.Elem()
	}
	for i := range c.Len() {
		at := rows.Index(i).FieldByIndex(field)
		if optional {
			if c.Texts == nil && math.IsNaN(c.Values[i]) {
				continue
			}
			at.Set(reflect.New(kind))
			at = at.Elem()
		}
		switch kind.Kind() {
		case reflect.String:
			at.SetString(c.Texts[i])
		case reflect.Float32, reflect.Float64:
			at.SetFloat(c.Values[i])
		case reflect.Bool:
			if c.Values[i] != 0 && c.Values[i] != 1 {
				return i, fmt.Errorf("%v is neither true nor false", c.Values[i])
			}
			at.SetBool(c.Values[i] == 1)
		default:
			value := c.Values[i]
			if value != math.Trunc(value) || at.OverflowInt(int64(value)) { // NaN differs from itself
				return i, fmt.Errorf("%v is no whole number of type %v", value, kind)
			}
			at.SetInt(int64(value))
		}
	}
	return 0, nil
}

// Check returns an error if the frame lacks a column or has words where a field has numbers, or the reverse. A column
// that is missing is usually one that the program writes only since a later version.
func (f *Frame) Check(fields ...Field) error {
	for _, field := range fields {
		if f.Column(field.Name) == nil {
			return fmt.Errorf("read %s: it was written without the column %q, which this version reads: use the version "+
				"that wrote the file or compute it again; to add a score, see \"A raw score\" in CONTRIBUTING.md", f.Path,
				field.Name)
		}
		var err error
		if field.Words {
			_, err = f.Words(field.Name)
		} else {
			_, err = f.Numbers(field.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// FrameOf returns rows as columns in memory: the frame that a file written by [WriteRows] would be read as, but without
// the rounding to the file's types.
func FrameOf[T any](rows []T) *Frame {
	frame := &Frame{Path: "memory"}
	for _, f := range FieldsOf[T]() {
		column := Column{Name: f.Name}
		if f.Words {
			column.Texts = make([]string, len(rows))
		} else {
			column.Values = make([]float64, len(rows))
		}
		for i := range rows {
			column.set(i, reflect.ValueOf(&rows[i]).Elem().FieldByIndex(f.index))
		}
		frame.Columns = append(frame.Columns, column)
	}
	return frame
}

// set sets the cell of a row from a field.
func (c *Column) set(row int, field reflect.Value) {
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			if c.Texts == nil {
				c.Values[row] = math.NaN()
			}
			return
		}
		field = field.Elem()
	}
	switch {
	case c.Texts != nil:
		c.Texts[row] = field.String()
	case field.CanFloat():
		c.Values[row] = field.Float()
	case field.Kind() == reflect.Bool:
		if field.Bool() {
			c.Values[row] = 1
		}
	default:
		c.Values[row] = float64(field.Int())
	}
}
