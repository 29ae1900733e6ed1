package compare

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recomputed is a comparison computed by testdata/recompute.py.
type recomputed struct {
	Run     string `json:"run"`
	File    string `json:"file"`
	Size    int    `json:"group_size"`
	Metrics map[string]struct {
		Difference, Lo, Hi, P float64
		PAdjusted             float64  `json:"p_adjusted"`
		Equivalence           *float64 `json:"equivalence_p"`
	} `json:"metrics"`
}

func TestRuns_AgreesWithScipy(t *testing.T) {
	text, err := os.ReadFile("testdata/recomputed.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []recomputed
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, want := range all {
		logs := read(t, filepath.Join("testdata", want.Run, want.File), filepath.Join("testdata", "retain", want.File))
		got := Runs(logs[:1], logs[1], Options{Margin: .05, GroupSize: want.Size})
		if len(got.Comparisons) != len(want.Metrics) || len(want.Metrics) == 0 {
			t.Errorf("%s, %s: %d comparisons, scipy has %d", want.Run, want.File, len(got.Comparisons), len(want.Metrics))
		}
		for _, c := range got.Comparisons {
			w, known := want.Metrics[c.Metric]
			if !known {
				t.Errorf("%s, %s: scipy does not compare %s", want.Run, want.File, c.Metric)
				continue
			}
			near := func(what string, got, scipy float64) {
				if math.Abs(got-scipy) > 1e-7*max(1e-3, math.Abs(scipy)) {
					t.Errorf("%s, %s, %s: %s is %.10g, by scipy %.10g", want.Run, c.Metric, c.Reading, what, got, scipy)
				}
			}
			near("the difference", c.Cell.Difference, w.Difference)
			near("the lower bound", c.Cell.DifferenceLo, w.Lo)
			near("the upper bound", c.Cell.DifferenceHi, w.Hi)
			near("p", c.Cell.DifferenceP, w.P)
			near("Holm's p", c.Cell.DifferenceAdjusted, w.PAdjusted)
			if w.Equivalence != nil {
				near("the p-value of equivalence", c.Cell.TOSTP, *w.Equivalence)
			} else if !math.IsNaN(c.Cell.TOSTP) {
				t.Errorf("%s: equivalence is tested on values outside 0 to 1", c.Metric)
			}
		}
	}
}

func read(t *testing.T, paths ...string) (logs []*Log) {
	t.Helper()
	for _, path := range paths {
		log, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, log)
	}
	Name(logs)
	return logs
}

// tidy writes a tidy table into a file and returns its path.
func tidy(t *testing.T, name, rows string) string {
	t.Helper()
	return write(t, name, "id,metric,value\n"+rows)
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead_Checks(t *testing.T) {
	log := read(t, "testdata/graddiff/TOFU_EVAL.json")[0]
	for metric, want := range map[string]string{
		"forget_Q_A_ROUGE":   "rougeL_recall",
		"forget_Q_A_Prob":    "prob",
		"forget_truth_ratio": "min(ratio, 1/ratio)",
		"ra_Truth_Ratio":     "max(0, 1-ratio)",
		"mia_min_k/holdout":  "score",
	} {
		m := log.metric(metric)
		if m == nil {
			t.Errorf("%s is missing", metric)
			continue
		}
		at := slices.IndexFunc(m.Readings, func(r Reading) bool { return r.Confirmed })
		if at < 0 || m.Readings[at].Name != want {
			t.Errorf("%s: reading %d of %d is confirmed, want %s", metric, at, len(m.Readings), want)
		}
	}
}

func TestRead_SummaryHasNoQuestions(t *testing.T) {
	logs := read(t, "testdata/graddiff/TOFU_SUMMARY.json", "testdata/retain/TOFU_SUMMARY.json")
	r := Runs(logs[:1], logs[1], Options{})
	if len(r.Comparisons) != 0 || len(r.Skipped) == 0 {
		t.Errorf("%d comparisons and %d others, want none and some", len(r.Comparisons), len(r.Skipped))
	}
	for _, s := range r.Skipped {
		if s.Metric == "forget_Q_A_Prob" && !(s.Value > .3 && s.Against < .1) {
			t.Errorf("%s: %v and %v", s.Metric, s.Value, s.Against)
		}
	}
}

// OpenUnlearning's evaluator LMEval logs the samples of tasks.
func TestRead_LMEvalSamples(t *testing.T) {
	text, err := os.ReadFile("testdata/retain/samples_authors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	list := "[" + strings.Join(strings.Split(strings.TrimSpace(string(text)), "\n"), ",") + "]"
	lines := read(t, "testdata/retain/samples_authors.jsonl")[0]
	for _, content := range []string{`{"authors": ` + list + `}`, `{"authors": {"authors": ` + list + `}}`} {
		log := read(t, write(t, "LMEval_EVAL.json", content))[0]
		if len(log.Metrics) != 2 || len(lines.Metrics) != 2 {
			t.Fatalf("%d metrics, and %d in the lines, want 2", len(log.Metrics), len(lines.Metrics))
		}
		for i, m := range log.Metrics {
			if want := lines.Metrics[i]; m.Name != want.Name || !slices.Equal(m.Readings[0].Values, want.Readings[0].Values) {
				t.Errorf("%s differs from %s of the lines", m.Name, want.Name)
			}
		}
	}
}

func TestRead_BadFiles(t *testing.T) {
	whole, err := os.ReadFile("testdata/retain/TOFU_EVAL.json")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, content, says string }{
		{"torn.json", string(whole[:len(whole)/2]), "an interrupted evaluation leaves such a file: evaluate again"},
		{"empty.json", "", "the file is empty"},
		{"list.json", "[1, 2]", "an object was expected"},
		{"none.json", "{}", "it has no metrics"},
		{"results.json", `{"results": {"arc": {"acc,none": 0.5}}, "configs": {}}`, "a log of OpenUnlearning was expected"},
		{"text.json", `{"prob": "high"}`, `metric "prob": it has neither agg_value nor value_by_index`},
		{"twice.json", `{"prob": {"value_by_index": {"0": {"prob": 1}, "0": {"prob": 0}}}}`, `the key "0" occurs twice`},
		{"number.json", `{"prob": {"value_by_index": {"0": 1}}}`, `question "0": an object or null was expected, not 1`},
		{"other.jsonl", `{"question": "Who?"}`, "line 1: it has no doc_id"},
		{"torn.jsonl", "{\"doc_id\": 1, \"acc\": 1}\n{\"doc_id\": 2, \"a", "line 2: not one whole JSON value"},
		{"twice.jsonl", "{\"doc_id\": 1, \"acc\": 1}\n{\"doc_id\": 1, \"acc\": 0}", "the doc_id 1 occurs twice"},
		{"none.jsonl", `{"doc_id": 1}`, "has no metric with a number"},
		{"run.txt", "1", "its ending must be .json, .jsonl, .csv, .tsv or .parquet"},
		{"columns.csv", "id,value\nq1,1\n", `there is no column "metric"; unlearnlab compare --schema`},
		{"twice.csv", "id,metric,value\nq1,m,1\nq1,m,2\n", `row 2: the id "q1" has a value of "m" in row 1 already`},
		{"words.csv", "id,metric,value\nq1,m,high\n", `row 1: the value "high" is not a number`},
		{"blank.csv", "id,metric,value\n,m,1\n", "row 1: the id or the metric is empty"},
	}
	for _, test := range tests {
		path := write(t, test.name, test.content)
		_, err := Read(path)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Count(err.Error(), path) != 1 ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", test.name, err, test.says)
		}
	}
}

func TestRead_Absent(t *testing.T) {
	for _, path := range []string{"nosuch", "nosuch.csv"} {
		if _, err := Read(path); err == nil || err.Error() != "read "+path+": there is no such file or folder" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestRead_NaNIsMissing(t *testing.T) {
	log := read(t, write(t, "TOFU_EVAL.json", `{"x": {"agg_value": NaN, "value_by_index": {
		"0": {"score": NaN, "generation": "NaN \" Infinity"}, "1": null, "2": {"score": -Infinity}, "3": {"score": [1, 3]}}}}`))[0]
	values := log.Metrics[0].Readings[0].Values
	if len(values) != 4 || !math.IsNaN(values[0]+values[1]) || !math.IsNaN(values[2]) || values[3] != 2 {
		t.Errorf("%v, want NaN three times and 2", values)
	}
}

func TestName(t *testing.T) {
	for _, test := range []struct{ paths, want []string }{
		{[]string{"saves/npo/TOFU_EVAL.json", "saves/retain/TOFU_EVAL.json"}, []string{"npo", "retain"}},
		{[]string{"a.csv", "b.csv"}, []string{"a", "b"}},
		{[]string{"x/a.csv", "a.csv"}, []string{"x/a", "a"}},
		{[]string{"x/1/eval.json", "x/1/late/eval.json"}, []string{"eval", "late/eval"}},
		{[]string{"alone/TOFU_EVAL.json"}, []string{"alone/TOFU_EVAL"}},
	} {
		var logs []*Log
		for _, path := range test.paths {
			logs = append(logs, &Log{Path: path})
		}
		Name(logs)
		for i, log := range logs {
			if log.Run != test.want[i] {
				t.Errorf("%s is named %q, want %q", log.Path, log.Run, test.want[i])
			}
		}
	}
}

func TestRuns_NotComparable(t *testing.T) {
	a := tidy(t, "a.csv", "1,same,1\n2,same,2\n3,same,4\n1,shift,1\n2,shift,2\n1,ids,1\n2,ids,2\n3,ids,0\n1,none,1\n"+
		"1,own,1\n1,one,3\n2,one,\n1,fine,.5\n2,fine,.7\n")
	b := tidy(t, "b.csv", "1,same,1\n2,same,2\n3,same,4\n1,shift,0\n2,shift,1\n1,ids,1\n2,ids,1\n4,ids,0\n9,none,1\n"+
		"1,theirs,1\n1,one,2\n2,one,5\n2,fine,.4\n1,fine,.1\n")
	logs := read(t, a, b)
	r := Runs(logs[:1], logs[1], Options{})
	want := map[string]string{
		"same":   "constant: the difference is 0 for every question",
		"shift":  "constant: the difference is 1 for every question",
		"ids":    "other questions: 2 in both runs, 1 only here, 1 only in the reference",
		"none":   "other questions: no id of 1 is among the reference's 1",
		"own":    "not in the reference",
		"theirs": "only in the reference",
		"one":    "fewer than two questions with values",
	}
	for _, s := range r.Skipped {
		if !strings.HasPrefix(s.Why, want[s.Metric]) || want[s.Metric] == "" {
			t.Errorf("%s: %q, want %q", s.Metric, s.Why, want[s.Metric])
		}
	}
	if len(r.Skipped) != len(want) || len(r.Comparisons) != 1 || math.Abs(r.Comparisons[0].Cell.Difference-.35) > 1e-12 {
		t.Errorf("%d others, want %d; comparisons %v", len(r.Skipped), len(want), r.Comparisons)
	}
	r = Runs(logs[:1], logs[1], Options{Common: true})
	at := slices.IndexFunc(r.Comparisons, func(c Comparison) bool { return c.Metric == "ids" })
	if at < 0 || r.Comparisons[at].Questions != 2 ||
		r.Comparisons[at].Notes[0] != "2 questions that only one run has are left out" {
		t.Errorf("with common questions: %+v", r.Comparisons)
	}
}

func TestRuns_SameIDsOtherQuestions(t *testing.T) {
	text, err := os.ReadFile("testdata/retain/TOFU_EVAL.json")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), `"ground_truth": "Ada`, `"ground_truth": "Zoe`, 1)
	logs := read(t, "testdata/graddiff/TOFU_EVAL.json", write(t, "TOFU_EVAL.json", changed))
	r := Runs(logs[:1], logs[1], Options{})
	for _, s := range r.Skipped {
		if strings.HasPrefix(s.Metric, "forget_Q_A") && s.Why != "other questions: 0 is another question in the reference" {
			t.Errorf("%s: %q", s.Metric, s.Why)
		}
	}
	for _, c := range r.Comparisons {
		if splitOf(c.Metric) == "forget_" && c.Metric != "mia_min_k/holdout" {
			t.Errorf("%s is compared although question 0 differs", c.Metric)
		}
	}
	if len(r.Comparisons) == 0 {
		t.Error("the retained questions are the same, but nothing is compared")
	}
}

func TestRuns_Groups(t *testing.T) {
	rows := func(add float64) string {
		text := "id,metric,value,group\n"
		for i, author := range []string{"Ada", "Ada", "Bruno", "Bruno", "Clara", "Clara"} {
			text += string(rune('a'+i)) + ",m," + string(rune('1'+i)) + "," + author + "\n"
			if i%2 == 0 && add > 0 {
				text = strings.TrimSuffix(text, string(rune('1'+i))+","+author+"\n") + "9," + author + "\n"
			}
		}
		return text
	}
	logs := read(t, write(t, "x.csv", rows(0)), write(t, "y.csv", rows(1)))
	r := Runs(logs[:1], logs[1], Options{})
	if len(r.Comparisons) != 1 || r.Comparisons[0].Groups != 3 || r.Comparisons[0].Cell.Basis.DF != 2 {
		t.Errorf("%+v, want 3 groups and 2 degrees of freedom", r.Comparisons)
	}
}

func TestRuns_OverForgetting(t *testing.T) {
	logs := read(t, "testdata/ascent/TOFU_EVAL.json", "testdata/graddiff/TOFU_EVAL.json", "testdata/retain/TOFU_EVAL.json")
	r := Runs(logs[:2], logs[2], Options{Margin: .05, GroupSize: 10})
	alarms := map[string][]string{}
	for _, c := range r.Comparisons {
		if c.Alarm {
			alarms[c.Run] = append(alarms[c.Run], c.Metric)
			if !c.Watched || c.Result != Lower {
				t.Errorf("%s, %s: an alarm, but %s", c.Run, c.Metric, c.Result)
			}
		}
	}
	some := []string{"ra_Q_A_Prob", "ra_Q_A_Prob_normalised", "ra_Truth_Ratio", "wf_Q_A_Prob", "wf_Q_A_Prob_normalised",
		"wf_Truth_Ratio"}
	most := append([]string{"ra_Q_A_ROUGE", "retain_Q_A_Prob", "wf_Q_A_ROUGE"}, some...)
	slices.Sort(most)
	if slices.Sort(alarms["ascent"]); !slices.Equal(alarms["ascent"], most) {
		t.Errorf("alarms of ascent %v, want %v", alarms["ascent"], most)
	}
	if !slices.Equal(alarms["graddiff"], some) {
		t.Errorf("alarms of graddiff %v, want %v", alarms["graddiff"], some)
	}
	r = Runs(logs[:2], logs[2], Options{Retained: []string{"extraction_*"}})
	for _, c := range r.Comparisons {
		if c.Watched != (c.Metric == "extraction_strength") {
			t.Errorf("%s is watched: %v", c.Metric, c.Watched)
		}
	}
}
