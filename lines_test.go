package unlearnlab

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/notebook"
)

const (
	lineLimit = 120
	cellLimit = 110 // of a notebook's cell, beside JupyterLab's list of files
	tabWidth  = 4
)

// widerLines are files whose long lines cannot be broken, and why.
var widerLines = map[string]string{
	"unlearnkit/metric/judge_prompt.go":  "the prompt of a paper, word by word",
	"unlearnkit/study/store/canonical_test.go": "an example of RFC 8785, byte by byte",
}

// outputBegins is the comment of an example from which on each line is what the example prints.
var outputBegins = regexp.MustCompile(`^\s*// (?:Unordered output|Output):`)

// longLines returns the numbers of the lines that end beyond a limit, without what examples print.
func longLines(source string, limit int) []int {
	var numbers []int
	output := false
	for i, line := range strings.Split(source, "\n") {
		comment := strings.HasPrefix(strings.TrimSpace(line), "//")
		output = comment && (output || outputBegins.MatchString(line))
		width := utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
		if width > limit && !output {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

func TestLinesOfGoEndByColumn120(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != ".":
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		seen++
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		numbers, excuse := longLines(string(content), lineLimit), widerLines[name]
		if excuse == "" {
			for _, number := range numbers {
				t.Errorf("%s:%d ends beyond column %d", name, number, lineLimit)
			}
		} else if len(numbers) == 0 {
			t.Errorf("%s has no long line any more; take it off the list of those that do", name)
		}
		return nil
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files seen: %v", seen, err)
	}
}

func TestCellsOfNotebooksAreReadWithoutScrolling(t *testing.T) {
	files, err := filepath.Glob("notebooks/*.ipynb")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d notebooks: %v", len(files), err)
	}
	for _, file := range files {
		read, err := notebook.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, cell := range read.Cells {
			if cell.Type != notebook.Code {
				continue
			}
			for _, line := range longLines(cell.Source, cellLimit) {
				t.Errorf("%s: line %d of cell %d ends beyond column %d", file, line, i+1, cellLimit)
			}
		}
	}
}

func TestLongLinesAreFound(t *testing.T) {
	long := strings.Repeat("é", lineLimit+1)
	for source, want := range map[string]int{
		strings.Repeat("é", lineLimit):       0,
		long:                                 1,
		"\t" + strings.Repeat("a", 117):      1,
		"// Output:\n// " + long:             0,
		"// Output:\n// a\n}\n// " + long:    1,
		"// Unordered output:\n\t// " + long: 0,
	} {
		if got := len(longLines(source, lineLimit)); got != want {
			t.Errorf("%q: %d long lines, want %d", source, got, want)
		}
	}
}
