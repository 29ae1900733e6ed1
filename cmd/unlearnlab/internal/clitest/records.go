package clitest

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Records returns the rows of one JSON object. It fails if the text has anything else, if a key occurs twice in an
// object, or if the rows are no list of objects.
func Records(t *testing.T, text string) []map[string]any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	if err := once(decoder); err != nil {
		t.Fatalf("%v in\n%.2000s", err, text)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Fatalf("more than one JSON document in\n%.2000s", text)
	}
	var found struct{ Rows []map[string]any }
	if err := json.Unmarshal([]byte(text), &found); err != nil || found.Rows == nil {
		t.Fatalf("no rows (%v) in\n%.2000s", err, text)
	}
	return found.Rows
}

// once reads a JSON value and returns an error if an object in it has a key twice.
func once(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	opening, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	keys := map[any]bool{}
	for decoder.More() {
		if opening == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			if keys[key] {
				return fmt.Errorf("the key %q occurs twice", key)
			}
			keys[key] = true
		}
		if err := once(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}

// noNumber matches numbers as tables for readers have them, but not CSV.
var noNumber = regexp.MustCompile(`^(–|[<>≤≥] ?[.\d].*|\d{1,3}(,\d{3})+)$`)

// Lines returns the rows of a CSV file by column. It fails if the file is not rectangular, if a name of a column occurs
// twice, or if a cell has a number as readers see it, such as "< .001".
func Lines(t *testing.T, text string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) == 0 {
		t.Fatalf("no rectangular table (%v):\n%.2000s", err, text)
	}
	names := slices.Clone(all[0])
	slices.Sort(names)
	if len(slices.Compact(names)) < len(all[0]) {
		t.Fatalf("a column occurs twice in %q", all[0])
	}
	rows := []map[string]string{}
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			if row[name] = line[i]; noNumber.MatchString(line[i]) {
				t.Fatalf("column %q has %q", name, line[i])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Numbers returns an error unless the cells of the named columns are numbers or empty. Columns that do not exist are
// left out.
func Numbers(rows []map[string]string, names ...string) error {
	var problems []error
	for _, row := range rows {
		for _, name := range names {
			if text := row[name]; text != "" {
				if _, err := strconv.ParseFloat(text, 64); err != nil {
					problems = append(problems, fmt.Errorf("column %q has %q", name, text))
				}
			}
		}
	}
	return errors.Join(problems...)
}
