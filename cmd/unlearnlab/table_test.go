package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
)

// A printed table equals its transcription byte for byte.
func TestTable_Printed(t *testing.T) {
	for _, item := range paperdata.List() {
		code, stdout, stderr := cmd.Run("table", item.Paper, strings.TrimPrefix(item.Name, "table"), "--printed",
			"--format", "csv")
		raw, err := os.ReadFile(filepath.Join("../../data/papers", item.Paper, item.Name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		if code != 0 || stdout != string(raw) {
			t.Errorf("%v: exit %d %s", item, code, stderr)
		}
	}
}

func TestTable_Formats(t *testing.T) {
	says := map[string]string{
		"text": "NG       .987   .976  .501_  .816*  206.9×*", "md": "| NG |", "html": "<b>.816</b>",
		"tex": `\textbf{.816}`, "csv": "NG,FSC/wav2vec 2.0/GUM,.816,,,,Table 1", "json": `"printed": ".816"`,
	}
	for format, want := range says {
		code, stdout, stderr := cmd.Run("table", "unslu", "1", "--printed", "--format", format)
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit %d %s\n%s", format, code, stderr, stdout)
		}
	}
}

func TestTable_Unknown(t *testing.T) {
	tests := []struct {
		says string
		args []string
	}{
		{`there is no paper "tofu"; the papers are salmu, remem, unslu, concealment`, []string{"table", "tofu", "1"}},
		{`salmu has no table "1"; its tables are`, []string{"table", "salmu", "1"}},
		{`there is no format "docx"`, []string{"table", "salmu", "5", "--format", "docx"}},
		{"expected a paper and a table's number", []string{"table", "salmu"}},
		{`there is no preset "tiny" of salmu; it has smoke, quick, mini`,
			[]string{"table", "salmu", "5", "--preset", "tiny"}},
		{`there is no method "delet"; do you mean delete?`, []string{"run", "salmu", "--method", "direct,delet"}},
		{`there is no method "magic"; there are generic, shuffled`, []string{"run", "salmu", "--method", "magic"}},
		{"--seeds -1: give a number of worlds", []string{"run", "salmu", "--seeds", "-1"}},
		{"--workers -2: give a number of runs", []string{"run", "salmu", "--workers", "-2"}},
		{"expected a paper", []string{"run"}},
		{`there is no result "xyz"; run --dry-run lists the keys`, []string{"verify", "xyz"}},
		{`there is no result ""; run --dry-run lists the keys`, []string{"verify", "/"}},
		{`there is no paper "tofu"`, []string{"audit", "tofu"}},
		{`there is no paper "tofu"`, []string{"run", "tofu"}},
		{"expected one paper", []string{"audit", "salmu", "remem"}},
		{`there is no format "pdf"`, []string{"audit", "--format", "pdf"}},
		{`there is no figure "unslu crs"`, []string{"figures", "unslu", "crs"}},
		{"expected a paper and a figure", []string{"figures", "unslu", "gum", "large"}},
		{`there is no format "gif"`, []string{"figures", "--format", "gif"}},
		{`there is no theme "blue"`, []string{"figures", "--theme", "blue"}},
		{"--data needs one figure", []string{"figures", "--data"}},
	}
	for _, test := range tests {
		code, stdout, stderr := cmd.Run(test.args...)
		if code != cli.ExitUsage || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 ||
			stdout != "" {
			t.Errorf("%v: exit %d\n%s%s", test.args, code, stdout, stderr)
		}
	}
	if listed := cmd.Succeed(t, "table"); !strings.Contains(listed, "\nunslu        accuracy datasets 1 2 3") ||
		!strings.Contains(listed, "  remem        answers    every answer in words") {
		t.Errorf("table lists\n%s", listed)
	}
}
