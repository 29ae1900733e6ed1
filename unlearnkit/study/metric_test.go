package study_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// clip is a row of the test's score file.
type clip struct {
	ID      string  `parquet:"id"`
	Split   string  `parquet:"split"`
	Speaker int     `parquet:"speaker"`
	Right   float64 `parquet:"right"`
	Loss    float64 `parquet:"loss"`
}

var runs = certify.Repetitions{Singular: "seed", Plural: "seeds"}

// of returns an evaluation of four clips with the given right answers and losses.
func of(right, losses [4]float64) *study.Evaluation {
	var clips []clip
	for i := range right {
		clips = append(clips, clip{fmt.Sprint("clip-", i), []string{"forget", "test"}[i/2], i, right[i], losses[i]})
	}
	return study.Evaluated(safefile.FrameOf(clips))
}

func split(name string) []study.Condition { return []study.Condition{study.Among("split", name)} }

// This metric measures how often a model is right about clips of the forget set. Its target is the gold model's value.
func ExampleMetric() {
	known := study.Metric{Name: "Acc_F", Score: study.Mean("right"), Rows: split("forget"),
		Unit: "speaker", Family: certify.Family{Name: "speakers"}, Share: true,
		Target: "gold", Margin: study.Margin{Absolute: .1}}

	gold := []study.References{
		{"gold": of([4]float64{0, 1, 1, 1}, [4]float64{})}, {"gold": of([4]float64{0, 0, 1, 1}, [4]float64{})}}
	model := study.RowOf([]string{"NG"}, false, of([4]float64{1, 1, 1, 0}, [4]float64{}), of([4]float64{1, 0, 1, 0}, [4]float64{}))

	table := study.Grid{Repetitions: certify.Repetitions{Singular: "seed", Plural: "seeds"}}
	cell := table.Cells([]study.Row{model}, []study.Column{known.Column(gold)})[0]
	fmt.Printf("%s of %s is %s: %v, gold's is %v\n", cell.Column, cell.Row, known.How(), cell.Estimate, cell.Target)
	// Output:
	// Acc_F of NG is the mean of right: 0.75, gold's is 0.25
}

func TestMetric_Kinds(t *testing.T) {
	e, gold := of([4]float64{1, 0, 1, math.NaN()}, [4]float64{4, 2, 3, 1}), of([4]float64{}, [4]float64{1, 5, 2, 6})
	refs := study.References{"gold": gold}
	largest := study.Metric{Name: "largest", Score: study.Number("the largest loss", func(rows study.Rows) float64 {
		most := 0.
		for _, loss := range rows.In("split", "test").Numbers("loss") {
			most = max(most, loss)
		}
		return most
	}, "loss")}
	for _, test := range []struct {
		m    study.Metric
		want float64
	}{
		{study.Metric{Name: "right", Score: study.Mean("right"), Unit: "speaker"}, 2. / 3}, // skips missing values
		{study.Metric{Name: "test", Score: study.Mean("right"), Unit: "speaker", Rows: split("test")}, 1},
		{study.Metric{Name: "both", Score: study.Mean("right", "loss"), Unit: "speaker", Rows: split("forget")}, 7. / 4},
		{study.Metric{Name: "inverse", Score: study.Score{Values: []string{"loss"},
			Value: func(loss float64) float64 { return 1 / loss }}, Unit: "speaker", Rows: split("forget")}, 3. / 8},
		{study.Metric{Name: "half", Score: study.Mean("loss"), Unit: "speaker", Chosen: &study.Chosen{Column: "id",
			Model: "gold", Lowest: "loss", Share: 2}}, 7. / 2}, // gold's losses are lowest for clips 0 and 2
		{study.Metric{Name: "known", Score: study.Mean("loss"), Unit: "speaker", Chosen: &study.Chosen{Column: "speaker",
			Model: "gold", Rows: split("test")}}, 2},
		{largest, 3},
		{study.Metric{Name: "difference", Score: study.Combine("", func(v []float64) float64 { return v[0] - v[1] },
			study.Under("gold", largest), study.Own(largest))}, 3},
		{study.Metric{Name: "defined", Score: largest.Score, Fixed: map[string]float64{"gold": 9}}, 3},
	} {
		if got := test.m.Mean(e, refs); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("%s is %v, want %v", test.m.Name, got, test.want)
		}
		lost := test.m.Outcomes(&study.Evaluation{}, refs)
		if value := test.m.Mean(&study.Evaluation{}, refs); len(lost) != 0 || !math.IsNaN(value) {
			t.Errorf("%s of a model that diverged: %v, %v, want no outcomes and NaN", test.m.Name, lost, value)
		}
	}
	fixed := study.Metric{Name: "defined", Score: largest.Score, Fixed: map[string]float64{"gold": 9}}
	if got := fixed.Mean(gold, refs); got != 9 {
		t.Errorf("defined under gold is %v, want 9", got)
	}
}

// The paper's test compares outcomes unless a score says otherwise.
func TestScore_Tested(t *testing.T) {
	inverse := func(loss float64) float64 { return 1 / loss }
	plain := func(loss float64) float64 { return loss }
	for want, score := range map[study.Outcome]study.Score{
		{Value: 4, Tested: 4}:     study.Mean("loss"),
		{Value: .25, Tested: .25}: {Values: []string{"loss"}, Value: inverse},
		{Value: .25, Tested: 4}:   {Values: []string{"loss"}, Value: inverse, Tested: plain},
	} {
		e, m := of([4]float64{}, [4]float64{4, 4, 4, 4}), study.Metric{Score: score, Unit: "speaker"}
		if got := m.Outcomes(e, nil)[0]; got != want {
			t.Errorf("got the outcome %+v, want %+v", got, want)
		}
	}
}

// Expensive scores are computed once for each evaluation.
func TestMetric_Compute(t *testing.T) {
	var calls atomic.Int32
	m := study.Metric{Name: "slow", Score: study.Number("", func(rows study.Rows) float64 {
		calls.Add(1)
		return rows.Numbers("loss")[0]
	}, "loss")}
	evaluations := []*study.Evaluation{of([4]float64{}, [4]float64{1}), of([4]float64{}, [4]float64{2}), {}}
	m.Compute(evaluations...)
	double := func(v []float64) float64 { return 2 * v[0] }
	twice := study.Metric{Name: "twice", Score: study.Combine("", double, study.Own(m))}
	for i, want := range []float64{1, 2} {
		if got := m.Mean(evaluations[i], nil); got != want {
			t.Errorf("evaluation %d has %v, want %v", i, got, want)
		}
		if got := twice.Mean(evaluations[i], nil); got != 2*want {
			t.Errorf("evaluation %d has %v, want twice %v", i, got, want)
		}
	}
	if calls.Load() != 2 {
		t.Errorf("computed %d times, want once for each of two evaluations", calls.Load())
	}
}

func TestMetric_Examples(t *testing.T) {
	e := of([4]float64{1, 0, 1, math.NaN()}, [4]float64{4, 2, 3, 1})
	refs := study.References{"gold": of([4]float64{}, [4]float64{})}
	first := func(v []float64) float64 { return v[0] }
	right := study.Metric{Name: "right", Score: study.Mean("right"), Unit: "speaker"}
	largest := study.Metric{Name: "largest", Rows: split("forget"), Score: study.Number("",
		func(rows study.Rows) float64 { return slices.Max(rows.Numbers("loss")) }, "loss")}
	for _, test := range []struct {
		m    study.Metric
		want int
	}{
		{right, 3}, // the missing value is skipped
		{study.Metric{Name: "both", Score: study.Mean("right", "loss"), Unit: "speaker"}, 4},
		{largest, 2},
		{study.Metric{Name: "combined", Score: study.Combine("", first, study.Own(right), study.Own(largest),
			study.Under("gold", right))}, 3}, // two rows are read twice and counted once
		{study.Metric{Name: "cost", File: "cost.parquet", Score: study.Number("", nil, "seconds")}, 0},
	} {
		if got := test.m.Examples(e, refs); got != test.want {
			t.Errorf("%s reads %d examples, want %d", test.m.Name, got, test.want)
		}
		if got := test.m.Examples(&study.Evaluation{}, refs); got != 0 {
			t.Errorf("%s reads %d examples of a model that diverged, want none", test.m.Name, got)
		}
	}
}

func TestLayout_Check(t *testing.T) {
	layout := study.Layout{Examples: "clips", Repetitions: runs, Fields: safefile.FieldsOf[clip](),
		Files: map[string][]safefile.Field{"cost.parquet": {{Name: "seconds"}}}, References: []string{"gold"}}
	right := study.Metric{Name: "right", Score: study.Mean("right"), Unit: "speaker", By: []string{"id"},
		Rows: split("forget"), Target: "gold"}
	seconds := study.Metric{Name: "seconds", File: "cost.parquet", Score: study.Number("", nil, "seconds")}
	if err := layout.Check(right, seconds); err != nil {
		t.Errorf("got %v, want no error", err)
	}
	other := right
	other.Score = study.Mean("loss")
	if err := layout.Check(right, other); err == nil ||
		err.Error() != "metric right: another metric is named right and reads other columns" {
		t.Errorf("got the error %v of two metrics of one name", err)
	}
	change := func(m study.Metric, change func(m *study.Metric)) study.Metric {
		change(&m)
		return m
	}
	for want, m := range map[string]study.Metric{
		`metric right: the score file has no column "rigth" of numbers`: change(right, func(m *study.Metric) {
			m.Score = study.Mean("rigth")
		}),
		`metric right: the score file has no column "split" of numbers`: change(right, func(m *study.Metric) {
			m.Unit = "split"
		}),
		`metric right: the score file has no column "loss" of words`: change(right, func(m *study.Metric) {
			m.Rows = []study.Condition{study.Among("loss", "a")}
		}),
		`metric right: the score file has no column "name"`: change(right, func(m *study.Metric) {
			m.Chosen = &study.Chosen{Column: "name", Model: "gold"}
		}),
		`metric right: no reference "god"; there are ["gold"]`: change(right, func(m *study.Metric) {
			m.Target = "god"
		}),
		`metric seconds: cost.parquet has no column "passes" of numbers`: change(seconds, func(m *study.Metric) {
			m.Score = study.Number("", nil, "passes")
		}),
		`metric seconds: its score is one number, which has no unit "seconds"; leave Unit empty`: change(seconds,
			func(m *study.Metric) {
				m.Unit, m.Score = "seconds", study.Number("", func(study.Rows) float64 { return 0 }, "seconds")
			}),
		`metric speed: no reference "original"; there are ["gold"]`: {Name: "speed",
			Score: study.Combine("", nil, study.Own(seconds), study.Under("original", seconds))},
	} {
		if err := layout.Check(m); err == nil || err.Error() != want {
			t.Errorf("got the error %v, want %s", err, want)
		}
	}
}

func TestGlossary(t *testing.T) {
	got := study.Glossary([]study.Metric{{Name: "a", About: "x"}, {Name: "b", About: "y"}, {Name: "c", About: "x"}})
	want := []study.Item{{Name: "a, c", About: "x"}, {Name: "b", About: "y"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFind_Unknown(t *testing.T) {
	defer func() {
		if got := recover(); !strings.Contains(fmt.Sprint(got), "no metric c") {
			t.Errorf("it panics with %v, want the name", got)
		}
	}()
	study.Find([]study.Metric{{Name: "a"}}, "c")
}
