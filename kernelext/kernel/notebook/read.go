package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// Limits on what [Read] accepts. Notebooks with figures have some hundred kilobytes, and a browser fails long before
// maxSize.
const (
	maxSize  = 64 << 20 // bytes
	maxDepth = 64       // nested lists and objects
	maxCells = 10_000
)

// errRefused reports that a file is not an acceptable notebook. All errors of [Read] except file system errors wrap it.
var errRefused = errors.New("not a notebook")

// Read reads a notebook from a file. It rejects a file larger than maxSize without reading it.
func Read(path string) (*Notebook, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("notebook %s: %w: not a regular file", path, errRefused)
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("notebook %s: %w: %d MB, at most %d are accepted; clear its outputs", path, errRefused,
			info.Size()>>20, maxSize>>20)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	n, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("notebook %s: %w", path, err)
	}
	return n, nil
}

// text is a string that nbformat also allows as a list of lines.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var whole string
	if json.Unmarshal(data, &whole) == nil {
		*t = text(whole)
		return nil
	}
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		return errors.New("a text is neither a string nor a list of strings")
	}
	*t = text(strings.Join(list, ""))
	return nil
}

// Types of the file format.
type fileCell struct {
	ID             string         `json:"id"`
	Type           CellType       `json:"cell_type"`
	Metadata       map[string]any `json:"metadata"`
	Source         text           `json:"source"`
	Attachments    map[string]any `json:"attachments"`
	Outputs        []fileOutput   `json:"outputs"`
	ExecutionCount *int           `json:"execution_count"`
}

type fileOutput struct {
	Type           OutputType                 `json:"output_type"`
	Name           string                     `json:"name"`
	Text           text                       `json:"text"`
	Data           map[string]json.RawMessage `json:"data"`
	Metadata       map[string]any             `json:"metadata"`
	ExecutionCount *int                       `json:"execution_count"`
	ErrorName      string                     `json:"ename"`
	ErrorValue     string                     `json:"evalue"`
	Traceback      []string                   `json:"traceback"`
}

func parse(data []byte) (*Notebook, error) {
	if len(data) > maxSize {
		return nil, fmt.Errorf("%w: more than %d MB", errRefused, maxSize>>20)
	}
	if depth := depthOf(data); depth > maxDepth {
		return nil, fmt.Errorf("%w: lists and objects are nested more than %d deep", errRefused, maxDepth)
	}
	var file struct {
		Major    int               `json:"nbformat"`
		Minor    int               `json:"nbformat_minor"`
		Metadata map[string]any    `json:"metadata"`
		Cells    []json.RawMessage `json:"cells"`
	}
	if err := decode(data, &file); err != nil {
		return nil, rejected("", err)
	}
	switch {
	case file.Major != 4:
		return nil, fmt.Errorf("%w of nbformat 4 but of %d; convert it with jupyter nbconvert --to notebook",
			errRefused, file.Major)
	case file.Cells == nil:
		return nil, fmt.Errorf("%w: it has no list of cells", errRefused)
	case len(file.Cells) > maxCells:
		return nil, fmt.Errorf("%w: %d cells, at most %d are accepted", errRefused, len(file.Cells), maxCells)
	case file.Minor < 0 || file.Minor > 100:
		return nil, fmt.Errorf("%w: minor version %d", errRefused, file.Minor)
	}
	n := &Notebook{Metadata: notNil(file.Metadata), Minor: file.Minor, Cells: make([]*Cell, len(file.Cells))}
	for i, raw := range file.Cells {
		c, err := parseCell(raw, file.Minor)
		if err != nil {
			return nil, rejected(fmt.Sprintf("cell %d: ", i+1), err)
		}
		n.Cells[i] = c
	}
	return n, nil
}

// rejected turns a decoder's error into one line and wraps errRefused.
func rejected(where string, err error) error {
	return fmt.Errorf("%w: %s%s", errRefused, where, strings.Join(strings.Fields(err.Error()), " "))
}

// decode decodes one JSON value, with numbers as json.Number.
func decode(data []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(v); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("text after the end of the notebook")
	}
	return nil
}

// cellID matches the cell IDs of nbformat 4.5.
var cellID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func parseCell(raw []byte, minor int) (*Cell, error) {
	var f fileCell
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	if f.Type != Code && f.Type != Markdown && f.Type != Raw {
		return nil, fmt.Errorf("cell_type %.40q is not code, markdown or raw", string(f.Type))
	}
	if minor < 5 {
		f.ID = "" // the format has no IDs
	} else if !cellID.MatchString(f.ID) {
		return nil, fmt.Errorf("id %.80q is not 1 to 64 letters, digits, - and _", f.ID)
	}
	c := &Cell{ID: f.ID, Type: f.Type, Metadata: notNil(f.Metadata), Source: string(f.Source),
		Attachments: f.Attachments}
	if f.Type != Code {
		return c, nil
	}
	if f.ExecutionCount != nil {
		c.ExecutionCount = *f.ExecutionCount
	}
	for _, fo := range f.Outputs {
		o, err := fo.output()
		if err != nil {
			return nil, err
		}
		c.Outputs = append(c.Outputs, o)
	}
	return c, nil
}

func (f fileOutput) output() (*Output, error) {
	o := &Output{Type: f.Type}
	switch f.Type {
	case Stream:
		o.Name, o.Text = f.Name, string(f.Text)
	case Failure:
		o.ErrorName, o.ErrorValue, o.Traceback = f.ErrorName, f.ErrorValue, f.Traceback
	case DisplayData, ExecuteResult:
		o.Metadata, o.Data = notNil(f.Metadata), map[string]any{}
		if f.ExecutionCount != nil && f.Type == ExecuteResult {
			o.ExecutionCount = *f.ExecutionCount
		}
		for kind, raw := range f.Data {
			value, err := parseForm(kind, raw)
			if err != nil {
				return nil, fmt.Errorf("output %.80q: %w", kind, err)
			}
			o.Data[kind] = value
		}
	default:
		return nil, fmt.Errorf("output_type %.40q is unknown", string(f.Type))
	}
	return o, nil
}

// parseForm parses an output's content for one MIME type. JSON stays JSON, anything else becomes text.
func parseForm(kind string, raw []byte) (any, error) {
	if kind == "application/json" || strings.HasSuffix(kind, "+json") {
		var value any
		err := decode(raw, &value)
		return value, err
	}
	var t text
	err := json.Unmarshal(raw, &t)
	return string(t), err
}

// depthOf returns the nesting depth of brackets outside strings. It protects recursive parsers from deep nesting.
func depthOf(data []byte) int {
	depth, deepest := 0, 0
	quoted := false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '{':
			depth++
			deepest = max(deepest, depth)
		case b == ']' || b == '}':
			depth--
		}
	}
	return deepest
}
