package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
)

// logOf returns the path of a log written by OpenUnlearning's evaluator.
func logOf(run, file string) string {
	return filepath.Join("..", "..", "unlearnkit", "compare", "testdata", run, file)
}

// The first line names what varies: the questions, not the trainings.
func TestCompare_FirstLine(t *testing.T) {
	mine, reference := logOf("graddiff", "TOFU_EVAL.json"), logOf("retain", "TOFU_EVAL.json")
	text := cmd.Succeed(t, "compare", mine, reference)
	for _, want := range []string{"One run per file or folder: the questions vary, trainings do not. ",
		"Over-forgetting: graddiff knows less than retain of what should be retained: ra_Q_A_Prob 0.803 instead of 0.986",
		"not compared: one number per run"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if !strings.HasPrefix(text, "One run per file") {
		t.Errorf("the first line is %q", strings.SplitN(text, "\n", 2)[0])
	}
	if md := cmd.Succeed(t, "compare", mine, reference, "--format", "md"); !strings.HasPrefix(md, "**One run per file") {
		t.Errorf("the first line of Markdown is %q", strings.SplitN(md, "\n", 2)[0])
	}
	lines, err := csv.NewReader(strings.NewReader(cmd.Succeed(t, "compare", mine, reference, "--format", "csv"))).ReadAll()
	if err != nil || lines[0][1] != "Questions of one run" || len(lines) != 28 {
		t.Errorf("%v, %d lines, the first %q", err, len(lines), lines[0])
	}
}

func TestCompare_JSON(t *testing.T) {
	var got struct {
		Title, Reference string
		Rows             []struct {
			Run, Metric, Result string
			Groups              int
			P                   float64 `json:"p_adjusted"`
		}
		NotCompared []struct{ Why string } `json:"not_compared"`
	}
	text := cmd.Succeed(t, "compare", logOf("retain", "TOFU_EVAL.json"), logOf("graddiff", "TOFU_EVAL.json"),
		logOf("ascent", "TOFU_EVAL.json"), "--against", logOf("retain", "TOFU_EVAL.json"), "--group-size", "10", "--json")
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got.Title, "One run per file") || got.Reference != "retain" || len(got.Rows) != 45 ||
		len(got.NotCompared) != 9 {
		t.Errorf("title %q, reference %q, %d comparisons, %d others", got.Title, got.Reference, len(got.Rows),
			len(got.NotCompared))
	}
	if c := got.Rows[0]; c.Run != "graddiff" || c.Metric != "extraction_strength" || c.Groups != 6 {
		t.Errorf("the first comparison is %+v", c)
	}
}

func TestCompare_Metrics(t *testing.T) {
	text := cmd.Succeed(t, "compare", logOf("ascent", "TOFU_EVAL.json"), logOf("retain", "TOFU_EVAL.json"), "--metrics",
		"forget_Q_A_*,mia_min_k/*", "--format", "csv")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 7 || !strings.HasPrefix(lines[6], "mia_min_k/holdout,") {
		t.Errorf("%d lines, want a header and six metrics:\n%s", len(lines), text)
	}
}

// The example in the schema is a table that compare can read.
func TestCompare_Schema(t *testing.T) {
	schema := cmd.Succeed(t, "compare", "--schema")
	_, example, _ := strings.Cut(schema, "For example:\n")
	table := strings.ReplaceAll(strings.TrimSpace(example), "\n  ", "\n") + "\n"
	other := strings.ReplaceAll(table, "q1,forget_recall,.25", "q1,forget_recall,.5")
	text := cmd.Succeed(t, "compare", clitest.File(t, "a.csv", table+"q3,forget_recall,1,Clara\n"),
		clitest.File(t, "b.csv", other+"q3,forget_recall,0,Clara\n"))
	if !strings.Contains(text, "3 in 2 groups") {
		t.Errorf("the example of --schema gives\n%s", text)
	}
}

func TestCompare_Margin(t *testing.T) {
	row := func(shift string) string {
		return "id,metric,value\na,m," + shift + "1\nb,m," + shift + "2\nc,m," + shift + "4\n"
	}
	args := []string{"compare", clitest.File(t, "a.csv", row(".1")), clitest.File(t, "b.csv", row(".10"))}
	if text := cmd.Succeed(t, args...); !strings.Contains(text, "equivalent") {
		t.Errorf("a difference of .02 within .05:\n%s", text)
	}
	if text := cmd.Succeed(t, append(args, "--margin", ".001")...); strings.Contains(text, " equivalent\n") {
		t.Errorf("a difference of .02 within .001:\n%s", text)
	}
	args = []string{"compare", clitest.File(t, "a.csv", row("10.1")), clitest.File(t, "b.csv", row("10.10"))}
	if text := cmd.Succeed(t, args...); strings.Contains(text, " equivalent\n") {
		t.Errorf("values above 1 without a margin of their own:\n%s", text)
	}
	if text := cmd.Succeed(t, append(args, "--margin", ".06")...); !strings.Contains(text, " equivalent\n") {
		t.Errorf("values above 1 within .06:\n%s", text)
	}
}

func TestCompare_BadInput(t *testing.T) {
	good := logOf("retain", "TOFU_EVAL.json")
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "logs.json")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "expected two runs or more", []string{good}},
		{cli.ExitUsage, "is given twice", []string{good, good}},
		{cli.ExitUsage, "cannot be compared with itself", []string{good, "--against", good}},
		{cli.ExitUsage, "--margin -1", []string{good, "x.json", "--margin", "-1"}},
		{cli.ExitUsage, "--group-size -20", []string{good, "x.json", "--group-size", "-20"}},
		{cli.ExitUsage, `--retained "utility": no file has such a metric; `,
			[]string{good, logOf("ascent", "TOFU_EVAL.json"), "--retained", "utility"}},
		{cli.ExitUsage, `--metrics "rouge*": no file has such a metric; `,
			[]string{good, logOf("ascent", "TOFU_EVAL.json"), "--metrics", "rouge*"}},
		{cli.ExitUsage, `there is no format "yaml"`, []string{good, "x.json", "--format", "yaml"}},
		{cli.ExitFailed, "no such file", []string{good, "missing.json"}},
		{cli.ExitFailed, "the folder has no samples_*.jsonl of lm-evaluation-harness", []string{good, folder}},
		{cli.ExitFailed, "evaluate again", []string{good, clitest.File(t, "TOFU_EVAL.json", string(whole[:9000]))}},
		{cli.ExitFailed, "name the _EVAL.json next to each _SUMMARY.json",
			[]string{logOf("ascent", "TOFU_SUMMARY.json"), logOf("retain", "TOFU_SUMMARY.json")}},
		{cli.ExitFailed, "the files have no metric in common", []string{good, logOf("retain", "samples_authors.jsonl")}},
	}
	for _, test := range tests {
		cmd.Refused(t, test.code, test.says, append([]string{"compare"}, test.args...)...)
	}
}

// A folder is one run, with every task in it, and p-values are corrected over all tasks.
func TestCompare_Folders(t *testing.T) {
	folder := filepath.Dir(logOf("graddiff", "x"))
	rows := clitest.Records(t, cmd.Succeed(t, "compare", folder, filepath.Dir(logOf("retain", "x")), "--json"))
	tasks := map[string]bool{}
	for _, row := range rows {
		name := row["metric"].(string)
		tasks[name] = true
		if tests := row["basis"].(map[string]any)["tests"]; tests != float64(len(rows)) {
			t.Fatalf("%s: corrected over %v of %d comparisons", name, tests, len(rows))
		}
	}
	if !tasks["extraction_strength"] || !tasks["authors/acc"] || rows[0]["run"] != "graddiff" {
		t.Errorf("the run %v has %v", rows[0]["run"], tasks)
	}
	twice := t.TempDir()
	for _, run := range []string{"a", "b"} {
		clitest.Put(t, twice, run+"/samples_authors.jsonl", clitest.Read(t, logOf("retain", "samples_authors.jsonl")))
	}
	cmd.Refused(t, cli.ExitFailed, "a folder is one run: name the files or folders of one evaluation", "compare", twice,
		folder)
}
