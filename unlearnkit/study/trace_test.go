package study_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/third"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// titled returns the runs with a title in the made-up study, one per seed.
func titled(t *testing.T, name string) (runs []*study.Run) {
	t.Helper()
	plan, err := third.Study.Plan(study.Request{Preset: "smoke"})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range plan.Runs() {
		if strings.HasSuffix(run.Title, ": "+name) {
			runs = append(runs, run)
		}
	}
	return runs
}

func TestTraceCell(t *testing.T) {
	r, s := madeThird(t)
	trace, err := study.TraceCell(r, "1", "ASCENT/5X", "accuracy", 2)
	if err != nil {
		t.Fatal(err)
	}
	if trace.Cell.Row != "ascent/5x" || trace.Paper != "third" || len(trace.Opened) != 2 ||
		trace.Plain != fmt.Sprintf("%.3f", trace.Cell.Estimate) || !strings.HasPrefix(trace.Certified, trace.Plain) {
		t.Fatalf(`got %+v, want Cell.Row "ascent/5x", Paper "third", 2 Opened, Plain %v, %q at the beginning of `+
			`Certified`,
			trace, fmt.Sprintf("%.3f", trace.Cell.Estimate), trace.Plain)
	}
	var files []string
	ascent := titled(t, "ascent")
	for i, run := range trace.Opened[0].Runs {
		made := ascent[i]
		artifact, err := s.Get(made.Key())
		if err != nil {
			t.Fatal(err)
		}
		if run.Key != string(made.Key()) || run.Title != made.Title || run.Rows != 60 || run.Budget != 5 ||
			*run.Repetition != i || run.File != artifact.Path("scores-5.parquet") || len(run.First) != 2 ||
			run.First[1].Row != 1 || run.First[1].Values["clip"] != 1.0 {
			t.Errorf("%+v", run)
		}
		files = append(files, "'"+run.File+"'")
	}
	want := "from read_parquet([" + strings.Join(files, ", ") + "])"
	if got := trace.Opened[0].SQL; len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
	var text strings.Builder
	for _, table := range trace.Tables() {
		if err := table.Text(&text); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"Accuracy of ascent/5x, Table 1 of third (smoke)", "the mean of right",
		`duckdb.sql("` + want + `")`,
		"The value: column right of scores-5.parquet of each run in " + filepath.ToSlash(s.Folder()),
		"Its target: column right of scores-0.parquet", "seed 2: ascent", "seed 2: gold",
		"unlearnlab verify " + trace.Opened[0].Runs[0].Key[:12] + " --preset smoke"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

func TestTraceCell_Unknown(t *testing.T) {
	r, _ := madeThird(t)
	for _, test := range []struct{ row, column, says string }{
		{"ascent", "Accuracy", "table 1 has ascent at several budgets; name one of ascent/1x, ascent/5x"},
		{"Ascend/5x", "Accuracy", `table 1 has no row "Ascend/5x"; do you mean "ascent/5x"?`},
		{"something else", "Accuracy", `table 1 has no row "something else"; it has Gold, Original, finetuning/1x`},
		{"gold", "Acuracy", `table 1 has no column "Acuracy"; do you mean "Accuracy"?`},
		{"gold", "F1", `table 1 has no column "F1"; it has Accuracy`},
	} {
		_, err := study.TraceCell(r, "1", test.row, test.column, 2)
		if !errors.As(err, new(*study.Unknown)) || !strings.HasPrefix(err.Error(), test.says) {
			t.Errorf("%s, %s: %v, want %s", test.row, test.column, err, test.says)
		}
	}
}

// reread is the made-up study with changed origins of its cells.
type reread struct {
	study.Tracer
	change func(o *study.Origin)
}

func (r reread) Origin(table, row, column string) (*study.Origin, error) {
	o, err := r.Tracer.Origin(table, row, column)
	if err == nil {
		r.change(o)
	}
	return o, err
}

// The rows are chosen by the conditions that the SQL for DuckDB states.
func TestTraceCell_Conditions(t *testing.T) {
	r, s := madeThird(t)
	original := titled(t, "original")[0]
	known, err := s.Get(original.Key())
	if err != nil {
		t.Fatal(err)
	}
	lowest := study.Choice{Lowest: "right", Count: 3, Reading: study.Reading{Run: original, File: third.ScoresFile(0),
		Rows: study.Selection{Where: []study.Condition{{Column: "clip", Not: true, Numbers: []float64{7}}}}}}
	isLowest := "clip in (select clip from '" + known.Path(third.ScoresFile(0)) +
		"' where clip <> 7 order by \"right\" limit 3)"
	for _, test := range []struct {
		where []study.Condition
		sql   string
		rows  int
	}{
		{[]study.Condition{{Column: "clip", Numbers: []float64{3}}}, "clip = 3", 1},
		{[]study.Condition{{Column: "clip", Not: true, Numbers: []float64{3, 4}}}, "clip not in (3, 4)", 58},
		{[]study.Condition{{Column: "clip", Numbers: []float64{3, 4}}, {Column: "right", Numbers: []float64{0, 1}}},
			`clip in (3, 4) and "right" in (0, 1)`, 2},
		{[]study.Condition{{Column: "clip", Numbers: []float64{3, 4, 5}, Chosen: &lowest}}, isLowest, 3},
	} {
		trace, err := study.TraceCell(reread{r, func(o *study.Origin) {
			o.Readings = o.Readings[:1]
			o.Readings[0].Rows.Where = test.where
		}}, "1", "Gold", "Accuracy", math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		opened := trace.Opened[0]
		if want := "from '" + opened.Runs[0].File + "' where " + test.sql; opened.SQL[0] != want ||
			opened.Runs[0].Rows != test.rows || len(opened.Runs[0].First) != test.rows {
			t.Errorf("%d rows by %s, want %d by %s", opened.Runs[0].Rows, opened.SQL[0], test.rows, want)
		}
	}
	_, err = study.TraceCell(reread{r, func(o *study.Origin) {
		o.Readings[0].Rows.Where = []study.Condition{study.Among("clip", "a")}
	}}, "1", "Gold", "Accuracy", 1)
	if err == nil || !strings.Contains(err.Error(), `seed 0: gold: read `) ||
		!strings.Contains(err.Error(), `it has no column "clip" of words`) {
		t.Errorf(`got the error %v, want one with "seed 0: gold: read ", an error with %q`,
			err, `it has no column "clip" of words`)
	}
}

func TestTraceCell_Diverged(t *testing.T) {
	r, _ := madeThird(t)
	trace, err := study.TraceCell(reread{r, func(o *study.Origin) { o.Readings[1].File = "scores-9.parquet" }}, "1",
		"ascent/1x", "Accuracy", 1)
	if err != nil {
		t.Fatal(err)
	}
	if run := trace.Opened[0].Runs[1]; run.File != "" || run.Rows != 0 || strings.Contains(trace.Opened[0].SQL[0],
		run.Key) {
		t.Errorf(`got %+v, want run.File "", run.Rows 0, no %q`, trace.Opened[0], run.Key)
	}
	if cells := trace.Tables()[1].Rows[1].Cells; cells[len(cells)-1].Text != "diverged" {
		t.Errorf(`got %+v, want [len(cells)-1].Text "diverged"`, cells)
	}
}
