package main

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

func TestAPrintedTableIsTheTranscriptionByteForByte(t *testing.T) {
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

func TestATableHasEveryFormat(t *testing.T) {
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

func TestTablesThatAreNotThereAreNamedWithThoseThatAre(t *testing.T) {
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
		{`has no result "xyz"; run --dry-run lists the keys`, []string{"verify", "xyz"}},
		{`has no result ""; run --dry-run lists the keys`, []string{"verify", "/"}},
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
		if code != exitUsage || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 ||
			stdout != "" {
			t.Errorf("%v: exit %d\n%s%s", test.args, code, stdout, stderr)
		}
	}
	if code, stdout, _ := cmd.Run("table"); code != 0 ||
		!strings.Contains(stdout, "unslu        1 2 3 4 5 accuracy text") {
		if !strings.Contains(stdout, "unslu") {
			t.Error(code, stdout)
		}
	}
}

func TestTheAuditSpeaksToPeopleAndMachines(t *testing.T) {
	code, stdout, _ := cmd.Run("audit", "--json")
	var findings []map[string]string
	if err := json.Unmarshal([]byte(stdout), &findings); err != nil || code != 0 {
		t.Fatal(code, err)
	}
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
	if code, _, _ := cmd.Run("audit", "unslu", "--strict"); code != exitCheck {
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
}

func TestFigures_FormatsAndBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws every figure twice in three formats")
	}
	for _, e := range papers.All {
		t.Run(e.Paper, func(t *testing.T) {
			home := madeup.Home(t, e)
			first, second := figureFiles(t, e.Paper, home), figureFiles(t, e.Paper, home)
			if !maps.Equal(first, second) {
				t.Error("not the same bytes twice")
			}
			for _, d := range drawingsOf(e.Paper, drawings()) {
				written := 0
				for format, start := range map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF"} {
					if content, there := first["figure"+d.Name+"."+format]; there && strings.HasPrefix(content, start) {
						written++
					}
				}
				code, stdout, stderr := cmd.Run("figures", e.Paper, d.Name, "--home", home, "--data")
				switch lacking := strings.HasPrefix(stderr, "unlearnlab: the preset smoke "); {
				case lacking && written == 0:
				case written != 3 || code != exitDone || !json.Valid([]byte(stdout)) || len(stdout) < 500:
					t.Errorf("%s: %d of 3 formats; exit %d, data of %d bytes %s", d.Name, written, code, len(stdout),
						stderr)
				}
			}
		})
	}
}

// figureFiles draws all figures of a paper in every format and returns the files by their names.
func figureFiles(t *testing.T, paper, home string) map[string]string {
	t.Helper()
	files := map[string]string{}
	code, stdout, stderr := cmd.Run("figures", paper, "--home", home, "--out", t.TempDir())
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, path := range strings.Fields(stdout) {
		files[filepath.Base(path)] = clitest.Read(t, path)
	}
	return files
}

func TestFiguresEndsWithThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	out := filepath.Join(t.TempDir(), "deep", "out")
	code, stdout, stderr := cmd.Run("figures", "--format", "svg", "--out", out)
	if code != 0 {
		t.Fatal(code, stderr)
	}
	paths := strings.Fields(stdout)
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Error(path, err)
		}
	}
	if last := paths[len(paths)-1]; last != filepath.Join(out, "index.html") {
		t.Errorf("it ends with %s", last)
	}
	report := filepath.Join(out, "report.html")
	cmd.Succeed(t, "report", "--out", report)
	if clitest.Read(t, report) != clitest.Read(t, filepath.Join(out, "index.html")) {
		t.Error("the verb report writes another page")
	}
	file := filepath.Join(out, "index.html")
	if code, _, stderr := cmd.Run("figures", "--out", file); code != exitFailed || strings.Count(stderr, "\n") != 1 {
		t.Error(code, stderr)
	}
}
