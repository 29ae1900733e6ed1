package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
)

func TestAudit_TextAndJSON(t *testing.T) {
	code, stdout, _ := cmd.Run("audit", "--json")
	var found struct{ Rows []map[string]string }
	if err := json.Unmarshal([]byte(stdout), &found); err != nil || code != 0 {
		t.Fatalf("got %v, %v, want code 0", code, err)
	}
	findings := found.Rows
	verdicts := map[string]int{}
	for _, f := range findings {
		for _, key := range []string{"paper", "item", "row", "column", "printed", "computed", "verdict", "reason"} {
			if _, ok := f[key]; !ok {
				t.Fatalf("no %q in %v", key, f)
			}
		}
		verdicts[f["verdict"]]++
	}
	for _, verdict := range []string{"reproduced", "consistent", "inconsistent", "not-derivable"} {
		if verdicts[verdict] == 0 {
			t.Errorf("no finding is %s", verdict)
		}
		delete(verdicts, verdict)
	}
	if len(verdicts) > 0 {
		t.Errorf("unknown verdicts: %v", verdicts)
	}
	if code, _, _ := cmd.Run("audit", "unslu", "--strict"); code != cli.ExitCheck {
		t.Errorf("--strict exits with %d", code)
	}
	for _, paper := range paperdata.Names {
		code, stdout, _ := cmd.Run("audit", paper)
		if code != 0 || !strings.Contains(stdout, "inconsistent") || strings.Count(stdout, "\n") > 250 {
			t.Errorf("%s: exit %d, %d lines", paper, code, strings.Count(stdout, "\n"))
		}
	}
	_, stdout, _ = cmd.Run("audit", "--format", "csv")
	if lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll(); err != nil || len(lines) != len(findings)+1 {
		t.Errorf("%d lines of CSV, %d findings, %v", len(lines), len(findings), err)
	}
	only := cmd.Succeed(t, "audit", "unslu", "--only", "contradictions")
	if !strings.HasPrefix(only, "UnSLU-BENCH: 29 inconsistent\n! inconsistent") || strings.Contains(only, "= reproduced") {
		t.Errorf("--only contradictions prints\n%.300s", only)
	}
	cmd.Refused(t, cli.ExitUsage, `--only "wrong": give one of contradictions,`, "audit", "--only", "wrong")
}
