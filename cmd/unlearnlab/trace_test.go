package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
)

// traced holds the fields of the JSON object that the tests check.
type traced struct {
	Paper, Table, Preset, Plain, Certified, How string
	Cell                                        struct {
		Row, Column string
		Estimate    float64
		From        []struct{ Key, Title string }
	}
	Opened []struct {
		For     string
		Columns []string
		DuckDB  []string
		Runs    []struct {
			Key, Title, Backend, File string
			Repetition, Budget, Rows  int
			First                     []struct {
				Row    int
				Values map[string]any
			}
		}
	}
}

func traceJSON(t *testing.T, args ...string) (object traced) {
	t.Helper()
	output := cmd.Succeed(t, append(append([]string{"trace"}, args...), "--json")...)
	if err := json.Unmarshal([]byte(output), &object); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return object
}

func TestTrace_Store(t *testing.T) {
	home := madeup.Home(t, salmu.Study)
	object := traceJSON(t, "salmu", "5", "--row", "delete/5X", "--column", "fragsim", "--rows", "2", "--home", home)
	if object.Cell.Row != "DELETE/5x" || object.Cell.Column != "FragSim" || object.Preset != "smoke" ||
		len(object.Opened) != 3 || len(object.Cell.From) != 2 || object.Plain == "" || object.Certified == "" {
		t.Fatalf("%+v", object)
	}
	for i, use := range []string{"value", "target", "choice of rows"} {
		opened := object.Opened[i]
		run := opened.Runs[0]
		if opened.For != use || len(run.First) != 2 || run.Rows < 4 || len(opened.DuckDB) != 1 ||
			!strings.Contains(opened.DuckDB[0], run.File) {
			t.Errorf("got %+v, want For %v, length 2 of run.First, run.Rows at least 4, 1 DuckDB, %q in DuckDB[0]",
				opened, use, run.File)
		}
		if _, err := os.Stat(run.File); err != nil {
			t.Error(err)
		}
	}
	text := cmd.Succeed(t, "trace", "salmu", "5", "--row", "DELETE/5x", "--column", "FragSim", "--home", home)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(last, "unlearnlab verify "+object.Cell.From[0].Key[:12]) {
		t.Errorf("the last line is %s", last)
	}
}

func TestTrace_Shipped(t *testing.T) {
	home := t.TempDir()
	object := traceJSON(t, "concealment", "2", "--row", "r2d2", "--column", "ccs", "--preset", "mini", "--rows", "1000",
		"--home", home)
	if len(object.Opened) != 2 || len(object.Opened[0].Runs) != 5 || len(object.Cell.From) != 6 {
		t.Fatalf("got %+v, want 2 Opened, length 5 of Opened[0].Runs, length 6 of Cell.From", object)
	}
	const file = "data/results/concealment/mini/pictures/all.parquet"
	sum, count := 0.0, 0
	for _, run := range object.Opened[0].Runs {
		if run.File != file || run.Rows != len(run.First) ||
			!strings.Contains(object.Opened[0].DuckDB[0], run.Key[:12]) {
			t.Errorf("%s: %s, %d rows", run.Title, run.File, run.Rows)
		}
		for _, row := range run.First {
			sum += row.Values["full_triplet_probability"].(float64)
			count++
		}
	}
	if mean := sum / float64(count); mean-object.Cell.Estimate > 1e-9 || object.Cell.Estimate-mean > 1e-9 {
		t.Errorf("the mean of the rows is %v, the cell has %v", mean, object.Cell.Estimate)
	}
	if want := "from '" + file + "' where key[:12] in ('"; !strings.HasPrefix(object.Opened[0].DuckDB[0], want) ||
		!strings.HasSuffix(object.Opened[0].DuckDB[0], " and protocol = 'disjoint' and psi in ('.001', '.01', '.05', "+
			"'.15', '.25', '.35', '.45', '.55')") {
		t.Errorf("got %q, want %q at the beginning of [0], %q at the end of [0]",
			object.Opened[0].DuckDB, want,
			" and protocol = 'disjoint' and psi in ('.001', '.01', '.05', '.15', '.25', '.35', '.45', '.55')")
	}
}

func TestTrace_UnknownCells(t *testing.T) {
	home := madeup.Home(t, concealment.Study)
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, `table 1 has no row "Starry Nigth by Van Gogh"; do you mean "Starry Night by Van Gogh"?`,
			[]string{"concealment", "1", "--row", "Starry Nigth by Van Gogh", "--column", "CCS"}},
		{cli.ExitUsage, `table 1 has no column "CSS"; do you mean "CCS"?`,
			[]string{"concealment", "1", "--row", "Starry Night by Van Gogh", "--column", "CSS"}},
		{cli.ExitUsage, `concealment has no table "7" with cells to trace; the reproduced tables are salmu 4`,
			[]string{"concealment", "7", "--row", "a", "--column", "b"}},
		{cli.ExitUsage, `there is no paper "tofu"`, []string{"tofu", "1", "--row", "a", "--column", "b"}},
		{cli.ExitUsage, "--row: name a row of the table", []string{"concealment", "1", "--column", "CCS"}},
		{cli.ExitUsage, "--column: name a column of the table", []string{"concealment", "1", "--row", "a"}},
		{cli.ExitUsage, "--rows 1001: give a number of rows from 0 to 1000",
			[]string{"concealment", "1", "--row", "a", "--column", "b", "--rows", "1001"}},
		{cli.ExitUsage, "expected a paper and a table's number", []string{"concealment"}},
		{cli.ExitFailed, "the preset smoke has no prompt of table 3",
			[]string{"concealment", "3", "--row", "a", "--column", "b"}},
	} {
		cmd.Refused(t, test.code, test.says, append(append([]string{"trace"}, test.args...), "--home", home)...)
	}
}
