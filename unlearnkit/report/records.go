package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// Records is a result for other programs: one record per row, and what all rows share.
type Records struct {
	Paper  string `json:"paper,omitempty"`
	Table  string `json:"table,omitempty"`
	Preset string `json:"preset,omitempty"`
	Seeds  int    `json:"seeds,omitempty"` // number of repetitions
	Title  string `json:"title,omitempty"`
	Note   string `json:"note,omitempty"`
	Rows   any    `json:"rows"` // a slice of structs or maps that encoding/json can encode
}

// Write writes the records as csv or json.
func (r Records) Write(w io.Writer, format string) error {
	if format == "csv" {
		return r.CSV(w)
	}
	return r.JSON(w)
}

// JSON writes one indented JSON object.
func (r Records) JSON(w io.Writer) error {
	if reflect.ValueOf(r.Rows).Len() == 0 {
		r.Rows = []any{} // not null
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

// CSV writes the rows with the names of the JSON fields as the header. It leaves out fields that contain objects or
// lists. A field that a row lacks, and null, are empty.
func (r Records) CSV(w io.Writer) error {
	var names []string
	rows := reflect.ValueOf(r.Rows)
	fields := make([]map[string]string, rows.Len())
	if len(fields) == 0 { // the header of a record without values
		own, err := scalars(reflect.Zero(rows.Type().Elem()).Interface())
		if err != nil {
			return err
		}
		for _, f := range own {
			names = append(names, f.name)
		}
	}
	for i := range fields {
		own, err := scalars(rows.Index(i).Interface())
		if err != nil {
			return err
		}
		fields[i] = map[string]string{}
		at := 0 // a name that is new is inserted below the one before it
		for _, f := range own {
			fields[i][f.name] = f.text
			if known := slices.Index(names, f.name); known >= 0 {
				at = known + 1
			} else {
				names = slices.Insert(names, at, f.name)
				at++
			}
		}
	}
	writer := csv.NewWriter(w)
	if err := writer.Write(names); err != nil {
		return err
	}
	line := make([]string, len(names))
	for _, row := range fields {
		for i, name := range names {
			line[i] = row[name]
		}
		if err := writer.Write(line); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// field is a named value as CSV has it.
type field struct{ name, text string }

// scalars returns the fields of a record that are no objects and no lists, in the order of its JSON.
func scalars(record any) (fields []field, err error) {
	text, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		f := field{name: fmt.Sprint(name)}
		switch value := value.(type) {
		case nil:
		case []any, map[string]any:
			continue
		case string:
			f.text = strings.ReplaceAll(value, "\n", " ")
		default:
			f.text = fmt.Sprint(value)
		}
		fields = append(fields, f)
	}
	return fields, nil
}
