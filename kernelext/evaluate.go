package kernelext

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Evaluate judges an imported model as a study judges the paper's methods, and shows its row. from is the folder with
// the models of each world, or a file of scores; flags of unlearnlab evaluate may follow:
//
//	kx.Evaluate("salmu", "mine", "models")
//	kx.Evaluate("salmu", "mine", "scores.csv", "--world", "0")
//
// The tables of [Study] then include the row. The command does the computing, so a cell links no networks.
func Evaluate(paper, name, from string, flags ...string) {
	kind := "--models"
	if slices.Contains([]string{".csv", ".tsv", ".parquet"}, strings.ToLower(filepath.Ext(from))) {
		kind = "--scores"
	}
	if code := verb(append([]string{"evaluate", paper, "--name", name, kind, from}, flags...)); code != 0 {
		os.Exit(code)
	}
}
