package safefile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// addFixtures seeds a fuzz target with the fixtures that end in ending, whole and cut in half.
func addFixtures(f *testing.F, ending string) {
	paths, err := filepath.Glob("testdata/*" + ending)
	if err != nil || len(paths) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
		f.Add(content[:len(content)/2])
	}
}

// checkFrame checks what must be true of every frame that a reader accepts.
func checkFrame(t *testing.T, frame *Frame, err error) {
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
		return
	}
	for _, column := range frame.Columns {
		if column.Len() != frame.Rows() || column.Len() == 0 {
			t.Errorf("column %q has %d rows of %d", column.Name, column.Len(), frame.Rows())
		}
	}
}

func FuzzCSV(f *testing.F) {
	addFixtures(f, ".csv")
	f.Add([]byte("\xef\xbb\xbfx\n1\n"))
	f.Add([]byte("x\n\"\n\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, words := range []bool{false, true} {
			frame, err := parseCSV(bytes.NewReader(content), false, nil, words)
			checkFrame(t, frame, err)
		}
	})
}

func FuzzParquet(f *testing.F) {
	addFixtures(f, ".parquet")
	f.Fuzz(func(t *testing.T, content []byte) {
		frame, err := parseParquet(bytes.NewReader(content), int64(len(content)), nil, false)
		checkFrame(t, frame, err)
	})
}

func FuzzNpy(f *testing.F) {
	addFixtures(f, ".npy")
	f.Add([]byte(npyMagic + "\x01\x00\xff\xff{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627775, " +
		"1099511627775), }"))
	f.Fuzz(func(t *testing.T, content []byte) {
		array, err := ReadNpy(bytes.NewReader(content), int64(len(content)))
		if err == nil {
			count := 1
			for _, n := range array.Shape {
				count *= n
			}
			if count != len(array.Values) {
				t.Errorf("shape %v, %d values", array.Shape, len(array.Values))
			}
		}
	})
}
