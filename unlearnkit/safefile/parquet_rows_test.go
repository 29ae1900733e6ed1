package safefile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rowsOf reads all rows of a file as texts.
func rowsOf(t *testing.T, path string, names ...string) [][]string {
	t.Helper()
	rows, err := OpenParquet(path, names...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all [][]string
	err = rows.Each(func(row int, cells []Cell) error {
		if row != len(all) {
			t.Errorf("%s: row %d after %d", path, row, len(all))
		}
		var texts []string
		for _, cell := range cells {
			texts = append(texts, cell.Text())
		}
		all = append(all, texts)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != rows.Rows() {
		t.Errorf("%s: %d rows of %d", path, len(all), rows.Rows())
	}
	return all
}

func TestParquetRows_EqualColumns(t *testing.T) {
	for path, column := range map[string]string{"testdata/pandas.parquet": "maybe", "testdata/gzip.parquet": "half",
		"testdata/groups.parquet": "x"} {
		frame, err := ReadNumbers(path, column)
		if err != nil {
			t.Fatal(err)
		}
		rows := rowsOf(t, path, column)
		for i, want := range frame.Columns[0].Values {
			got, err := parseNumber(rows[i][0])
			if err != nil || got != want && got == got {
				t.Errorf("%s: row %d is %q, want %g: %v", path, i+1, rows[i][0], want, err)
			}
		}
		// Rows that are read in any order have the same cells.
		reader, err := OpenParquet(path, column)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		for i := range min(len(rows), 200) {
			at := (i*7919 + 5) % len(rows)
			if err := reader.Seek(at); err != nil {
				t.Fatal(err)
			}
			for at := at; at < min(at+3, len(rows)); at++ {
				cells, err := reader.Next()
				if err != nil || cells[0].Text() != rows[at][0] {
					t.Fatalf("%s: row %d is %q after a jump, want %q: %v", path, at+1, cells[0].Text(), rows[at][0],
						err)
				}
			}
		}
		for _, nowhere := range []int{-1, len(rows)} {
			if err := reader.Seek(nowhere); err == nil || !strings.Contains(err.Error(), path+": there is no row") {
				t.Errorf("row %d: %v", nowhere, err)
			}
		}
	}
}

func TestParquetRows_Cells(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := WriteParquet(path, []Column{{Name: "word", Texts: []string{"é", ""}},
		{Name: "number", Values: []float64{7, 0.5}}}); err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(t, path, "word", "number"); got[0][0] != "é" || got[0][1] != "7" || got[1][0] != "" ||
		got[1][1] != "0.5" {
		t.Errorf(`got %q, want [0][0] "é", [0][1] "7", [1][0] "", [1][1] "0.5"`, got)
	}
	if got := rowsOf(t, path); len(got) != 2 || len(got[0]) != 2 {
		t.Errorf("all columns: %q", got)
	}
	if c := (Cell{}); !c.Null() || c.Text() != "" || c.Bytes() != nil {
		t.Error("a cell without a value has one")
	}
}

func TestParquetRows_Refused(t *testing.T) {
	whole, err := os.ReadFile("testdata/pandas.parquet")
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(t.TempDir(), "half.parquet")
	if err := os.WriteFile(half, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, column, says string }{
		{"testdata/pandas.parquet", "z", `pandas.parquet: no column "z"; it has`},
		{"testdata/lists.parquet", "", "lists inside cells are not read"},
		{half, "x", "not a whole Parquet file"},
		{"testdata/absent.parquet", "x", "no such file"},
	}
	for _, test := range tests {
		var names []string
		if test.column != "" {
			names = []string{test.column}
		}
		rows, err := OpenParquet(test.path, names...)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, %v, want an error with %q", test.path, rows, err, test.says)
		}
	}
}

func FuzzParquetRows(f *testing.F) {
	addFixtures(f, ".parquet")
	path := filepath.Join(f.TempDir(), "x.parquet")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		rows, err := OpenParquet(path)
		for err == nil {
			_, err = rows.Next()
		}
		if !errors.Is(err, io.EOF) && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
		if rows != nil {
			rows.Close()
		}
	})
}

// Flipping any byte of a file gives other rows or an error of one line, never a panic.
func TestParquetRows_FlippedBytes(t *testing.T) {
	whole, err := os.ReadFile("testdata/groups.parquet")
	if err != nil {
		t.Fatal(err)
	}
	path, refused := filepath.Join(t.TempDir(), "x.parquet"), 0
	for i := 0; i < len(whole); i += 1 + len(whole)/200 {
		content := bytes.Clone(whole)
		content[i] ^= 0xff
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		rows, err := OpenParquet(path)
		for err == nil {
			_, err = rows.Next()
		}
		if err != io.EOF {
			refused++
			if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
				t.Errorf("byte %d: %q", i, err)
			}
		}
		if rows != nil {
			rows.Close()
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
}
