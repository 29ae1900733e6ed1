package publish

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Names of the tables of a publication. Those that end in .gz are compressed by gzip.
const (
	RunsFile   = "runs.csv.gz"
	FilesFile  = "files.csv.gz"
	BuildsFile = "builds.csv"
)

// Record describes a published run and how it was made.
type Record struct {
	Title      string
	Method     string // unlearning method; "" for none
	Version    int    // version of the method
	Repetition int    // number of the world or of the training seed; -1 for none
	Budgets    []int  // numbers of training passes after which the model was judged
	Manifest   store.Manifest

	build string // ID of the program's list of modules in builds.csv
}

// field is a column of a table, with functions that write and parse its cell in a row.
type field[T any] struct {
	name  string
	write func(row *T) string
	read  func(row *T, text string) error
}

// text returns a text field.
func text[T any](name string, of func(row *T) *string) field[T] {
	return field[T]{name, func(row *T) string { return *of(row) }, func(row *T, value string) error {
		*of(row) = value
		return nil
	}}
}

// integer returns a field of integers. A number that equals none is written as an empty cell.
func integer[T any, N int | int64](name string, none N, of func(row *T) *N) field[T] {
	return field[T]{name, func(row *T) string {
		if *of(row) == none {
			return ""
		}
		return strconv.FormatInt(int64(*of(row)), 10)
	}, func(row *T, value string) error {
		if *of(row) = none; value == "" {
			return nil
		}
		number, err := strconv.ParseInt(value, 10, 64)
		*of(row) = N(number)
		return err
	}}
}

// noBlank is passed as none for fields that are never empty. It never occurs as a value.
const noBlank = -1 << 30

func seconds(name string, of func(row *Record) *float64) field[Record] {
	return field[Record]{name, func(row *Record) string { return strconv.FormatFloat(*of(row), 'f', -1, 64) },
		func(row *Record, value string) (err error) {
			*of(row), err = strconv.ParseFloat(value, 64)
			return err
		}}
}

// facts returns a field that holds a manifest's notes as JSON.
func facts(name string, of func(row *Record) *map[string]json.RawMessage) field[Record] {
	return field[Record]{name, func(row *Record) string {
		canonical, err := store.Canonical(*of(row))
		if err != nil {
			return "{}" // cannot happen: a manifest's notes are canonical
		}
		return string(canonical)
	}, func(row *Record, value string) error { return json.Unmarshal([]byte(value), of(row)) }}
}

var runFields = []field[Record]{
	text("key", func(r *Record) *string { return (*string)(&r.Manifest.Key) }),
	text("title", func(r *Record) *string { return &r.Title }),
	text("method", func(r *Record) *string { return &r.Method }),
	integer("method_version", 0, func(r *Record) *int { return &r.Version }),
	integer("repetition", -1, func(r *Record) *int { return &r.Repetition }),
	{"budgets", func(r *Record) string { return join(r.Budgets, strconv.Itoa) }, func(r *Record, value string) error {
		for _, word := range strings.Fields(value) {
			number, err := strconv.Atoi(word)
			if err != nil {
				return err
			}
			r.Budgets = append(r.Budgets, number)
		}
		return nil
	}},
	text("stage", func(r *Record) *string { return &r.Manifest.Stage }),
	integer("stage_version", noBlank, func(r *Record) *int { return &r.Manifest.Version }),
	text("backend", func(r *Record) *string { return &r.Manifest.Backend }),
	text("simd", func(r *Record) *string { return &r.Manifest.SIMD }),
	text("processor", func(r *Record) *string { return &r.Manifest.Processor }),
	text("revision", func(r *Record) *string { return &r.Manifest.Revision }),
	text("go", func(r *Record) *string { return &r.Manifest.Go }),
	text("system", func(r *Record) *string { return &r.Manifest.System }),
	text("build", func(r *Record) *string { return &r.build }),
	{"started", func(r *Record) string { return r.Manifest.Started.Format(time.RFC3339Nano) },
		func(r *Record, value string) (err error) {
			r.Manifest.Started, err = time.Parse(time.RFC3339Nano, value)
			return err
		}},
	seconds("wall_seconds", func(r *Record) *float64 { return &r.Manifest.Wall }),
	seconds("cpu_seconds", func(r *Record) *float64 { return &r.Manifest.CPU }),
	integer("peak_memory_bytes", noBlank, func(r *Record) *int64 { return &r.Manifest.PeakMemory }),
	{"inputs", func(r *Record) string {
		return join(r.Manifest.Inputs, func(key store.Key) string { return string(key) })
	}, func(r *Record, value string) error {
		r.Manifest.Inputs = []store.Key{}
		for _, key := range strings.Fields(value) {
			r.Manifest.Inputs = append(r.Manifest.Inputs, store.Key(key))
		}
		return nil
	}},
	facts("notes", func(r *Record) *map[string]json.RawMessage { return &r.Manifest.Notes }),
	facts("measured", func(r *Record) *map[string]json.RawMessage { return &r.Manifest.Measured }),
	{"spec", func(r *Record) string { return string(r.Manifest.Spec) }, func(r *Record, value string) error {
		r.Manifest.Spec = json.RawMessage(value)
		return nil
	}},
}

func join[T any](all []T, write func(one T) string) string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = write(one)
	}
	return strings.Join(words, " ")
}

// part is a file of a run and where the publication stores it.
type part struct {
	key    store.Key
	name   string
	stored store.File
	file   string // path in the publication
	member string // name inside that file, if it is a zip
	first  int    // index of its first row in that file, if it is a table
	rows   int    // number of rows; 0 if it is not a table
	values string // digest of the table's values, see the function digest
}

var partFields = []field[part]{
	text("key", func(p *part) *string { return (*string)(&p.key) }),
	text("name", func(p *part) *string { return &p.name }),
	text("file", func(p *part) *string { return &p.file }),
	text("member", func(p *part) *string { return &p.member }),
	integer("first_row", noBlank, func(p *part) *int { return &p.first }),
	integer("rows", 0, func(p *part) *int { return &p.rows }),
	integer("size", noBlank, func(p *part) *int64 { return &p.stored.Size }),
	text("sha256", func(p *part) *string { return &p.stored.SHA256 }),
	text("values_sha256", func(p *part) *string { return &p.values }),
}

// module is a module of a program that made runs.
type module struct{ build, path, version string }

var moduleFields = []field[module]{
	text("build", func(m *module) *string { return &m.build }),
	text("module", func(m *module) *string { return &m.path }),
	text("version", func(m *module) *string { return &m.version }),
}

// writeTable writes rows as CSV.
func writeTable[T any](target io.Writer, fields []field[T], rows []T) error {
	writer := csv.NewWriter(target)
	line := make([]string, len(fields))
	for i, f := range fields {
		line[i] = f.name
	}
	if err := writer.Write(line); err != nil {
		return err
	}
	for i := range rows {
		for k, f := range fields {
			line[k] = f.write(&rows[i])
		}
		if err := writer.Write(line); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// readTable reads a table that writeTable has written.
func readTable[T any](source io.Reader, fields []field[T]) ([]T, error) {
	reader := csv.NewReader(source)
	reader.ReuseRecord = true
	head, err := reader.Read()
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(head, fields, func(name string, f field[T]) bool { return name == f.name }) {
		return nil, errors.New("its columns are not the columns of a publication")
	}
	var rows []T
	for {
		line, err := reader.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		var row T
		for k, f := range fields {
			if err := f.read(&row, line[k]); err != nil {
				return nil, fmt.Errorf("row %d, %s: %w", len(rows)+1, f.name, err)
			}
		}
		rows = append(rows, row)
	}
}
