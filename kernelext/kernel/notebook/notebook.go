package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// A Notebook is a document of nbformat 4.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any
	Minor    int // minor version of the format; cells have IDs from 5 on
}

// CellType is the kind of a cell.
type CellType string

// Cell types of nbformat 4.
const (
	Code     CellType = "code"
	Markdown CellType = "markdown"
	Raw      CellType = "raw"
)

// A Cell is a cell of a notebook.
type Cell struct {
	ID             string
	Type           CellType
	Metadata       map[string]any
	Source         string
	Attachments    map[string]any
	Outputs        []*Output // outputs of a code cell
	ExecutionCount int       // 0 if the cell has not run
}

// OutputType is the type of an output.
type OutputType string

// Output types of nbformat 4.
const (
	Stream        OutputType = "stream"
	DisplayData   OutputType = "display_data"
	ExecuteResult OutputType = "execute_result"
	Failure       OutputType = "error"
)

// An Output is an output of a code cell.
type Output struct {
	Type           OutputType
	Name           string         // stream name: stdout or stderr
	Text           string         // text of a stream
	Data           map[string]any // content by MIME type: strings, pictures in base64, or JSON
	Metadata       map[string]any
	ExecutionCount int    // for an execute_result
	ErrorName      string // error name; this and the next two fields are for an error
	ErrorValue     string
	Traceback      []string
}

// Name returns the cell's name in the source, or "".
func (c *Cell) Name() string {
	name, _ := c.Metadata["name"].(string)
	return name
}

// Label identifies a cell by its number, counted from 1, and its name or else its first line.
func (n *Notebook) Label(c *Cell) string {
	what := c.Name()
	if what == "" {
		what, _, _ = strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.Source), "%%")), "\n")
		if runes := []rune(what); len(runes) > 48 {
			what = string(runes[:47]) + "…"
		}
	}
	return fmt.Sprintf("cell %d (%s)", slices.Index(n.Cells, c)+1, what)
}

// Write writes the notebook as Jupyter does, with sorted keys, an indent of one space, and long texts as lists of
// lines, so versions can be compared line by line.
func (n *Notebook) Write(w io.Writer) error {
	cells := make([]any, len(n.Cells))
	for i, c := range n.Cells {
		cells[i] = c.document(n.Minor)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(map[string]any{"cells": cells, "metadata": notNil(n.Metadata), "nbformat": 4,
		"nbformat_minor": n.Minor})
}

// WriteFile writes the notebook to path atomically.
func (n *Notebook) WriteFile(path string) error { return safefile.WriteFile(path, n.Write) }

func (c *Cell) document(minor int) map[string]any {
	d := map[string]any{"cell_type": c.Type, "metadata": notNil(c.Metadata), "source": lines(c.Source)}
	if minor >= 5 {
		d["id"] = c.ID
	}
	if c.Attachments != nil {
		d["attachments"] = c.Attachments
	}
	if c.Type == Code {
		outputs := make([]any, len(c.Outputs))
		for i, o := range c.Outputs {
			outputs[i] = o.document()
		}
		d["outputs"], d["execution_count"] = outputs, count(c.ExecutionCount)
	}
	return d
}

func (o *Output) document() map[string]any {
	d := map[string]any{"output_type": o.Type}
	switch o.Type {
	case Stream:
		d["name"], d["text"] = o.Name, lines(o.Text)
	case Failure:
		d["ename"], d["evalue"], d["traceback"] = o.ErrorName, o.ErrorValue, append([]string{}, o.Traceback...)
	default:
		data := maps.Clone(notNil(o.Data))
		for kind, value := range data {
			if text, ok := value.(string); ok && splits(kind) {
				data[kind] = lines(text)
			}
		}
		d["data"], d["metadata"] = data, notNil(o.Metadata)
		if o.Type == ExecuteResult {
			d["execution_count"] = count(o.ExecutionCount)
		}
	}
	return d
}

// splits reports whether content of a MIME type is written as a list of lines.
func splits(kind string) bool {
	return strings.HasPrefix(kind, "text/") || kind == "image/svg+xml" || kind == "application/javascript"
}

func notNil(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func count(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// lines splits a text after every newline.
func lines(text string) []string {
	all := slices.Collect(strings.Lines(text))
	if all == nil {
		return []string{}
	}
	return all
}

// Clone returns a notebook that shares nothing with n.
func (n *Notebook) Clone() (*Notebook, error) {
	var text bytes.Buffer
	if err := n.Write(&text); err != nil {
		return nil, err
	}
	return parse(text.Bytes())
}
