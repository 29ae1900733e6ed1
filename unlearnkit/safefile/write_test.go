package safefile

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestWrite_EveryFormat(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "rows")
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64(),
			rapid.SampledFrom([]float64{0, math.NaN(), math.Inf(1), 1. / 3})), n, n)
		columns := []Column{{Name: "a b", Values: values.Draw(t, "a")}, {Name: "c,d", Values: values.Draw(t, "c")}}
		flat := &Array{Shape: []int{n}, Values: columns[0].Values}
		for path, write := range map[string]func(string) error{
			"x.csv":     func(path string) error { return WriteCSV(path, columns) },
			"x.parquet": func(path string) error { return WriteParquet(path, columns) },
			"x.npy":     func(path string) error { return WriteNpy(path, flat) },
		} {
			path = filepath.Join(folder, path)
			if err := write(path); err != nil {
				t.Fatal(err)
			}
			frame, err := ReadNumbers(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range frame.Columns { // Blank depends on the file, not on what was written
				frame.Columns[i].Blank = 0
			}
			want := columns
			if strings.HasSuffix(path, "npy") {
				want = []Column{{Name: "0", Values: flat.Values}}
			}
			if diff := cmp.Diff(want, frame.Columns, cmpopts.EquateNaNs()); diff != "" {
				t.Fatalf("%s: mismatch (-want +got):\n%s", path, diff)
			}
		}
	})
}

func TestWrite_WordsAndNumbers(t *testing.T) {
	columns := []Column{{Name: "name", Texts: []string{"a", "b,\"c\""}}, {Name: "x", Values: []float64{1, 2}}}
	folder := t.TempDir()
	if err := WriteCSV(filepath.Join(folder, "x.csv"), columns); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(folder, "x.csv"))
	if err != nil || string(content) != "name,x\na,1\n\"b,\"\"c\"\"\",2\n" {
		t.Errorf("got %q %v, want string(content) %q", content, err, "name,x\na,1\n\"b,\"\"c\"\"\",2\n")
	}
	if err := WriteParquet(filepath.Join(folder, "x.parquet"), columns); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadNumbers(filepath.Join(folder, "x.parquet"), "name"); err == nil ||
		!strings.Contains(err.Error(), `column "name": row 1: "a" is not a number`) {
		t.Error(err)
	}
}

// A write that fails leaves the old file and nothing else.
func TestWrite_Failure(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "result.csv")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stopped half-way")
	err := WriteFile(path, func(target io.Writer) error {
		if _, err := target.Write(make([]byte, 1<<20)); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) || !strings.HasPrefix(err.Error(), "write "+path) {
		t.Error(err)
	}
	if content, _ := os.ReadFile(path); string(content) != "old" {
		t.Errorf("the old file is now %d bytes", len(content))
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v %v", entries, err)
	}
	if err := WriteFile(filepath.Join(folder, "none", "x"), nil); err == nil || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

func TestWrite_UnequalLengths(t *testing.T) {
	columns := []Column{{Name: "x", Values: []float64{1}}, {Name: "y", Values: []float64{1, 2}}}
	for _, write := range []func(string, []Column) error{WriteCSV, WriteParquet} {
		path := filepath.Join(t.TempDir(), "x")
		if err := write(path, columns); err == nil || !strings.Contains(err.Error(), `column "y" has 2 rows`) {
			t.Error(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a file was written")
		}
		if write(path, nil) == nil {
			t.Error("no columns were written")
		}
	}
}

func TestParquet_Words(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scores.parquet")
	want := []Column{{Name: "id", Texts: []string{"p001", "", "7"}}, {Name: "rank", Values: []float64{1, 2.5, -3}}}
	if err := WriteParquet(path, want); err != nil {
		t.Fatal(err)
	}
	frame, err := ReadParquet(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, frame.Columns); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
	if _, err := ReadParquet(path, "caption"); err == nil || !strings.Contains(err.Error(), "caption") ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("a column that is not there: %v", err)
	}
}
