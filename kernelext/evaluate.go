package kernelext

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Evaluate judges a model from elsewhere as a study judges the paper's methods, and shows its row. from is the folder
// with the models of each world, or a file or folder with scores; flags of unlearnlab evaluate may follow:
//
//	kx.Evaluate("salmu", "mine", "models")
//	kx.Evaluate("salmu", "mine", "scores.csv", "--world", "0")
//
// The tables of [Study] then include the row. The command does the computing, so a cell links no networks.
func Evaluate(paper, name, from string, flags ...string) {
	kind := "--models"
	if holdsScores(from) {
		kind = "--scores"
	}
	if code := verb(append([]string{"evaluate", paper, "--name", name, kind, from}, flags...)); code != 0 {
		os.Exit(code)
	}
}

// holdsScores reports whether a path is a file of scores, or a folder with such files.
func holdsScores(path string) bool {
	is := func(name string) bool {
		return slices.Contains([]string{".csv", ".tsv", ".parquet"}, strings.ToLower(filepath.Ext(name)))
	}
	entries, _ := os.ReadDir(path)
	return is(path) || slices.ContainsFunc(entries, func(entry os.DirEntry) bool { return is(entry.Name()) })
}
