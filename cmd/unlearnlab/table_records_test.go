package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/exchange"
)

// schemaOf compiles one of Every Eval Ever's published schemas.
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	path := filepath.Join("..", "..", "unlearnkit", "study", "exchange", "testdata", name)
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// valid checks a JSON text against a schema.
func valid(t *testing.T, schema *jsonschema.Schema, what string, text []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// cellsOf returns a table's measured cells by row and column.
func cellsOf(t *testing.T, paper, number string) map[[2]string]cellFields {
	t.Helper()
	var table struct{ Rows []cellFields }
	text := cmd.Succeed(t, "table", paper, number, "--preset", "smoke", "--format", "json")
	if err := json.Unmarshal([]byte(text), &table); err != nil {
		t.Fatal(err)
	}
	cells := map[[2]string]cellFields{}
	for _, c := range table.Rows {
		if c.Estimate != nil && c.N > 0 {
			cells[[2]string{c.Row, c.Column}] = c
		}
	}
	return cells
}

type cellFields struct {
	Row, Column      string
	Estimate, Lo, Hi *float64
	N                int
	Verdict          string
}

func TestTable_EveryEvalEver(t *testing.T) {
	aggregate, instance := schemaOf(t, "eval.schema.json"), schemaOf(t, "instance_level_eval.schema.json")
	for _, table := range [][2]string{{"salmu", "5"}, {"salmu", "6"}, {"remem", "2"}, {"unslu", "1"}, {"unslu", "2"},
		{"concealment", "1"}} {
		paper, number := table[0], table[1]
		cells, folder := cellsOf(t, paper, number), t.TempDir()
		out := cmd.Succeed(t, "table", paper, number, "--preset", "smoke", "--format", "eee", "--out", folder)
		seen, samples := 0, 0
		for _, path := range strings.Fields(strings.ReplaceAll(out, "\n", " ")) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			valid(t, aggregate, path, text)
			var record exchange.Record
			if err := json.Unmarshal(text, &record); err != nil {
				t.Fatal(err)
			}
			scores := map[string]exchange.Score{}
			for _, result := range record.Results {
				seen++
				scores[result.ID] = result.Score
				same(t, cells[[2]string{record.Model.Name, result.Metric.Name}], result.Score)
			}
			if record.Samples == nil {
				continue
			}
			if _, err := os.Stat(filepath.Join(folder, record.Samples.Path)); err != nil {
				t.Error(err)
			}
			samples += checkSamples(t, instance, strings.TrimSuffix(path, ".json")+"_samples.jsonl", scores)
		}
		if seen != len(cells) || seen == 0 || samples == 0 {
			t.Errorf("%s %s: %d results of %d cells, with %d samples", paper, number, seen, len(cells), samples)
		}
	}
}

// same compares an exported score with its table cell.
func same(t *testing.T, c cellFields, s exchange.Score) {
	t.Helper()
	if c.Estimate == nil || *c.Estimate != s.Value || c.N != s.Uncertainty.Samples || c.Verdict != s.Details["verdict"] {
		t.Errorf("%s, %s: %+v became %+v", c.Row, c.Column, c, s)
		return
	}
	switch interval := s.Uncertainty.Interval; {
	case (interval == nil) != (c.Lo == nil):
		t.Errorf("%s, %s: the interval is %v in the record", c.Row, c.Column, interval)
	case interval != nil && (interval.Lower != *c.Lo || interval.Upper != *c.Hi):
		t.Errorf("%s, %s: [%v, %v] became %v", c.Row, c.Column, *c.Lo, *c.Hi, interval)
	}
}

// checkSamples checks that samples are valid, that none occurs twice, and that their mean over repetitions is the
// score. It returns the number of samples.
func checkSamples(t *testing.T, schema *jsonschema.Schema, path string, scores map[string]exchange.Score) (lines int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type place struct{ result, repetition string }
	sums, counts := map[place]float64{}, map[place]float64{}
	seen := map[[2]string]bool{}
	for scanner := bufio.NewScanner(file); scanner.Scan(); lines++ {
		if lines%97 == 0 {
			valid(t, schema, path, scanner.Bytes())
		}
		var i exchange.Instance
		if err := json.Unmarshal(scanner.Bytes(), &i); err != nil {
			t.Fatal(err)
		}
		if id := [2]string{i.ResultID, i.SampleID}; seen[id] {
			t.Errorf("%s: %q occurs twice", path, id)
		} else {
			seen[id] = true
		}
		at := place{i.ResultID, i.Metadata["repetition"]}
		sums[at], counts[at] = sums[at]+i.Evaluation.Score, counts[at]+1
	}
	means, repetitions, n := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for at, sum := range sums {
		means[at.result] += sum / counts[at]
		repetitions[at.result]++
		n[at.result] += counts[at]
	}
	for id, sum := range means {
		if got := sum / repetitions[id]; math.Abs(got-scores[id].Value) > 1e-9*max(1, math.Abs(got)) ||
			int(n[id]) != scores[id].Uncertainty.Samples {
			t.Errorf("%s: the mean of %v samples of %s is %v, the score %v of %d", path, n[id], id, got, scores[id].Value,
				scores[id].Uncertainty.Samples)
		}
	}
	return lines
}

// entry matches an entry of .eval_results.
var entry = regexp.MustCompile(`(?m)^- dataset:
    id: "(.+)"
    task_id: "(.+)"
  value: (\S+)
  date: "\d{4}-\d\d-\d\d"
  source:
    url: "https://example.org/report"
    name: "unlearnlab"
  notes: "(.+)"
`)

func TestTable_HuggingFace(t *testing.T) {
	cells, folder := cellsOf(t, "salmu", "5"), t.TempDir()
	cmd.Succeed(t, "table", "salmu", "5", "--preset", "smoke", "--format", "hf", "--out", folder, "--dataset",
		"cvc-mmu/SALMUBench", "--page", "https://example.org/report")
	values := map[string]int{}
	for key, c := range cells {
		values["salmu-table-5-"+strings.ToLower(key[1])+" "+strconv.FormatFloat(*c.Estimate, 'f', -1, 64)]++
	}
	files, found := 0, 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		if filepath.Base(filepath.Dir(path)) != ".eval_results" || filepath.Ext(path) != ".yaml" {
			t.Errorf("%s is not in a folder .eval_results", path)
		}
		text, err := os.ReadFile(path)
		if rest := entry.ReplaceAll(text, nil); len(rest) > 0 {
			t.Errorf("%s: not an entry: %s", path, rest)
		}
		for _, parts := range entry.FindAllStringSubmatch(string(text), -1) {
			found++
			if key := parts[2] + " " + parts[3]; values[key] == 0 || parts[1] != "cvc-mmu/SALMUBench" {
				t.Errorf("%s: %q is no value of the table", path, key)
			}
			if !strings.Contains(parts[4], "preset smoke") || !strings.Contains(parts[4], "95 % interval [") {
				t.Errorf("%s: notes %q", path, parts[4])
			}
		}
		return err
	})
	if err != nil || files == 0 || found != len(cells) {
		t.Errorf("%v, %d files, %d values of %d", err, files, found, len(cells))
	}
}

func TestTable_RecordFlags(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, test := range []struct {
		code       int
		args, says string
	}{
		{cli.ExitUsage, "salmu 5 --format eee", "--format eee writes files: give a folder by --out"},
		{cli.ExitUsage, "salmu 5 --out " + out, "--out, --dataset and --page need --format eee or hf"},
		{cli.ExitUsage, "salmu 5 --format hf --out " + out, `--dataset "": name the benchmark`},
		{cli.ExitUsage, "salmu 5 --format hf --dataset a/b --page www.example.org --out " + out, "begins with https://"},
		{cli.ExitUsage, "salmu 5 --format eee --dataset a/b --out " + out, "--dataset and --page are for --format hf"},
		{cli.ExitUsage, "salmu 5 --printed --format eee --out " + out, "remove --printed, --certified, --judged and --against"},
		{cli.ExitUsage, "salmu cost --format eee --out " + out, "--format eee needs a reproduced table"},
		{cli.ExitUsage, "nobody 5 --format eee --out " + out, `"nobody"`},
		{cli.ExitUsage, "salmu 5 --preset smoke --rows nobody --format eee --out " + out, `no row has "nobody" in its name`},
		{cli.ExitFailed, "concealment 4 --preset smoke --format eee --out " + out, "has no measured numbers to write"},
	} {
		cmd.Refused(t, test.code, test.says, append([]string{"table"}, strings.Fields(test.args)...)...)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused command wrote a folder")
	}
}
