package notebook

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// full returns a notebook with all types of cells and outputs.
func full() *Notebook {
	return &Notebook{Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{"name": "unlearnlab"}},
		Cells: []*Cell{
			{ID: "prose", Type: Markdown, Source: "# Title\n\na < b & c\n", Metadata: map[string]any{},
				Attachments: map[string]any{"a.png": map[string]any{"image/png": "aGk="}}},
			{ID: "raw-1", Type: Raw, Source: "raw", Metadata: map[string]any{"tags": []any{"x"}}},
			{ID: "code_1", Type: Code, Source: "%%\nfmt.Println(1)", ExecutionCount: 3,
				Metadata: map[string]any{"name": "one"}, Outputs: []*Output{
					{Type: Stream, Name: "stdout", Text: "1\n2"},
					{Type: DisplayData, Data: map[string]any{"image/png": "aGk=", "text/plain": "two\nlines",
						"application/json": map[string]any{"a": "b"}},
						Metadata: map[string]any{"unlearnlab_volatile": true}},
					{Type: ExecuteResult, Data: map[string]any{"text/html": "<b>1</b>"}, Metadata: map[string]any{},
						ExecutionCount: 3},
					{Type: Failure, ErrorName: "ERROR", ErrorValue: "exit status 1", Traceback: []string{"a", "b"}},
				}},
			{ID: "empty", Type: Code, Metadata: map[string]any{}},
		}}
}

func TestRead_RoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "full.ipynb")
	if err := full().WriteFile(path); err != nil {
		t.Fatal(err)
	}
	again, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full(), again); diff != "" {
		t.Error(diff)
	}
	var first, second bytes.Buffer
	full().Write(&first)
	again.Write(&second)
	if diff := cmp.Diff(first.String(), second.String()); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(first.String(), `"a < b & c\n"`) {
		t.Errorf("text is not written as it is:\n%s", first.String())
	}
}

func TestRead_Refused(t *testing.T) {
	cells := func(list string) string {
		return `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[` + list + `]}`
	}
	tests := map[string]struct{ text, complaint string }{
		"nothing":     {"", "EOF"},
		"not JSON":    {"<html>", "invalid character"},
		"a list":      {"[]", "cannot unmarshal"},
		"nbformat 3":  {`{"nbformat":3,"worksheets":[]}`, "of nbformat 4 but of 3"},
		"no cells":    {`{"nbformat":4,"nbformat_minor":5}`, "no list of cells"},
		"text behind": {cells("") + "{}", "text after the end"},
		"too deep":    {strings.Repeat("[", maxDepth+1), "nested more than 64 deep"},
		"a bracket in a string": {cells(`{"id":"a","cell_type":"code","source":"` + strings.Repeat("[", 100) + `"}`),
			""},
		"too many cells":    {cells(strings.Repeat("0,", maxCells) + "0"), "at most 10000"},
		"unknown cell":      {cells(`{"id":"a","cell_type":"video"}`), `cell 1: cell_type "video"`},
		"a cell without id": {cells(`{"cell_type":"code"}`), `id ""`},
		"a hostile id":      {cells(`{"id":"\"><script>","cell_type":"code"}`), "cell 1: id"},
		"a source of numbers": {cells(`{"id":"a","cell_type":"code","source":[1]}`),
			"neither a string nor a list of strings"},
		"unknown output": {cells(`{"id":"a","cell_type":"code","outputs":[{"output_type":"virus"}]}`),
			`output_type "virus"`},
		"a picture of numbers": {cells(
			`{"id":"a","cell_type":"code","outputs":[{"output_type":"display_data","data":{"image/png":7}}]}`),
			"image/png"},
		"a null cell":      {cells(`null`), "cell_type"},
		"a negative minor": {`{"nbformat":4,"nbformat_minor":-1,"cells":[]}`, "minor version -1"},
	}
	for name, test := range tests {
		_, err := parse([]byte(test.text))
		if test.complaint == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, errRefused) || !strings.Contains(err.Error(), test.complaint) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q in one line", name, err, test.complaint)
		}
	}
}

func TestRead_TooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.ipynb")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(200 << 20); err != nil {
		t.Fatal(err)
	}
	file.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Read(path)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, errRefused) || !strings.Contains(err.Error(), "200 MB, at most 64") {
		t.Errorf("error %v", err)
	}
	if read := after.TotalAlloc - before.TotalAlloc; read > maxSize/2 {
		t.Errorf("%d bytes of memory are taken, want nothing read", read)
	}
	if _, err := Read(t.TempDir()); !errors.Is(err, errRefused) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Read(path + ".none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestRead_WithoutCellIDs(t *testing.T) {
	n, err := parse([]byte(
		`{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[{"cell_type":"code","source":["a\n","b"],
			"metadata":{},"outputs":[],"execution_count":null}]}`))
	if err != nil || n.Cells[0].Source != "a\nb" {
		t.Fatalf("%+v, %v", n, err)
	}
	var out bytes.Buffer
	if err := n.Write(&out); err != nil || strings.Contains(out.String(), `"id"`) {
		t.Errorf("an id in a format without ids:\n%s", out.String())
	}
}

func FuzzRead(f *testing.F) {
	var text bytes.Buffer
	if err := full().Write(&text); err != nil {
		f.Fatal(err)
	}
	f.Add(text.Bytes())
	f.Add([]byte(`{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[{"cell_type":"code","source":["a"],
		"outputs":[{"output_type":"display_data","data":{"a+json":[1e999]}}]}]}`))
	f.Add([]byte(`{"nbformat":4,"nbformat_minor":5,"cells":[{"id":"a","cell_type":"code",
		"outputs":[{"output_type":"stream","text":null}]}]}`))
	f.Add([]byte(`{"nbformat":4,"cells":[[[[[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := parse(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("an error of several lines: %q", err)
			}
			return
		}
		again, err := n.Clone()
		if err != nil {
			t.Fatalf("what was read is refused when written: %v", err)
		}
		if diff := cmp.Diff(n, again); diff != "" {
			t.Fatal(diff)
		}
		var page bytes.Buffer
		if err := n.HTML(&page, "fuzz"); err != nil {
			t.Fatal(err)
		}
	})
}
