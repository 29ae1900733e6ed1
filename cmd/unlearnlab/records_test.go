package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Every verb with rows prints one JSON object and one rectangular CSV table, whose number columns have only numbers.
func TestRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	scores := clitest.File(t, "scores.csv", "a,b,c\n1,2,3\n2,2.5,1\n4,3,9\n5,9,2\n7,8,3\n")
	p := clitest.File(t, "p.csv", "p\n.04\n.01\n")
	logs := t.TempDir()
	for name, value := range map[string]string{"mine": ".5", "theirs": ".25"} {
		clitest.Put(t, logs, name+".csv", "id,metric,value,group\nq1,recall,"+value+",Ada\nq2,recall,.75,Bruno\nq1,alone,1,Ada\n")
	}
	lines := [][]string{{"claims"}, {"audit"},
		{"stat", "wilcoxon", scores, "--x", "a", "--y", "b"}, {"stat", "welch", scores, "--x", "a,b", "--y", "c"},
		{"stat", "bootstrap", scores, "--x", "a"}, {"stat", "friedman", scores, "--columns", "a,b,c"}, {"stat", "holm", p},
		{"compare", filepath.Join(logs, "mine.csv"), filepath.Join(logs, "theirs.csv")}}
	for _, s := range papers.All {
		for _, verb := range []string{"claims", "audit"} {
			lines = append(lines, []string{verb, s.Paper})
		}
		lines = append(lines, []string{"evaluate", s.Paper, "--list"}, []string{"evaluate", s.Paper, "--schema"})
		for _, item := range s.Tables {
			lines = append(lines, []string{"table", s.Paper, item.Name}, []string{"table", s.Paper, item.Name, "--certified"})
		}
		for _, item := range studies.FurtherTables(s) {
			lines = append(lines, []string{"table", s.Paper, item.Name})
		}
		for _, item := range paperdata.ItemsOf(s.Paper) {
			lines = append(lines, []string{"table", s.Paper, strings.TrimPrefix(item, "table"), "--printed"})
		}
	}
	for _, line := range lines {
		t.Run(strings.ReplaceAll(strings.Join(line, " "), "/", "|"), func(t *testing.T) {
			code, text, lacks := cmd.Run(append(slices.Clone(line), "--json")...)
			if code == cli.ExitFailed && strings.Contains(lacks, "the preset smoke ") { // the study lacks the table
				cmd.Refused(t, cli.ExitFailed, strings.TrimSpace(lacks), line...)
				return
			}
			rows := clitest.Records(t, text)
			if again := cmd.Succeed(t, append(slices.Clone(line), "--format", "json")...); again != text {
				t.Errorf("--format json differs from --json:\n%.400s\n%.400s", again, text)
			}
			csv := cmd.Succeed(t, append(slices.Clone(line), "--format", "csv")...)
			if slices.Contains(line, "--printed") { // a transcription has the characters of the paper
				return
			}
			if err := clitest.Numbers(clitest.Lines(t, csv), numberColumns(rows)...); err != nil {
				t.Error(err)
			}
		})
	}
}

// numberColumns returns the columns of a CSV table that have numbers according to the records: fields with numbers, and
// columns of cells with an estimate.
func numberColumns(rows []map[string]any) []string {
	names := map[string]bool{}
	for _, row := range rows {
		for name, value := range row {
			if _, is := value.(float64); is {
				names[name] = true
			}
		}
		column, is := row["column"].(string)
		if _, has := row["estimate"].(float64); is && has {
			for _, part := range []string{"", " low", " high", " agree", " repeated"} {
				names[column+part] = true
			}
		}
	}
	return slices.Collect(maps.Keys(names))
}

// All outputs of the claims count the same verdicts.
func TestRecords_CountsOfClaims(t *testing.T) {
	verdicts := map[string]bool{}
	for _, paper := range papers.Papers() {
		line := []string{"claims", paper}
		text := cmd.Succeed(t, line...)
		json, csv := map[string]int{}, map[string]int{}
		for _, row := range clitest.Records(t, cmd.Succeed(t, append(line, "--json")...)) {
			json[fmt.Sprint(row["verdict"])]++
		}
		for _, row := range clitest.Lines(t, cmd.Succeed(t, append(line, "--format", "csv")...)) {
			csv[row["verdict"]]++
		}
		if diff := cmp.Diff(json, csv); diff != "" {
			t.Errorf("%s: JSON and CSV differ:\n%s", paper, diff)
		}
		var counts []string
		all := 0
		for _, c := range (study.Tally{Of: json}).Verdicts() {
			all += c.N
			if c.N > 0 {
				verdicts[c.Verdict] = true
			}
			counts = append(counts, fmt.Sprintf("%d %s", c.N, c.Words))
		}
		if want := strings.Join(counts, ", "); !strings.Contains(text, want) || !strings.Contains(text,
			fmt.Sprintf("%d claims about ", all)) {
			t.Errorf("%s: the text does not count %d claims: %s", paper, all, want)
		}
	}
	if len(verdicts) < 3 {
		t.Errorf("the claims have the verdicts %v, want three or more", slices.Collect(maps.Keys(verdicts)))
	}
}
