package study_test

import (
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const (
	modelKey  study.Key[string] = "model"
	methodKey study.Key[string] = "method"
	budgetKey study.Key[int]    = "budget"
)

// score is a row of a score file.
type score struct {
	Item  int     `parquet:"item"`
	Right float64 `parquet:"right"`
}

// labelled returns a set of a reference model and of two models of a method, in three repetitions. They answer 1, 1 and
// 2 of two questions right.
func labelled() (study.Entries, *study.Set) {
	plan := &study.Plan{}
	stage := study.Stage[struct{ Name string }]{Name: "test/scores", Version: 1}
	var all study.Entries
	for repetition, name := range []string{"a", "b", "c"} {
		first := all.Add(study.Entry{Run: stage.Add(plan, name, 1, struct{ Name string }{name}), File: "scores.parquet",
			Repetition: repetition, Labels: []study.Label{modelKey.Is("whole")}, Reference: "whole"})
		run := stage.Add(plan, name+" method", 1, struct{ Name string }{name + " method"})
		for _, budget := range []int{1, 5} {
			all.Add(study.Entry{Run: run, File: map[int]string{1: "1.parquet", 5: "5.parquet"}[budget], Repetition: repetition,
				Budget: budget, Levels: []string{"Method", map[int]string{1: "1x", 5: "5x"}[budget]}, Pair: first,
				Labels: []study.Label{methodKey.Is("method"), budgetKey.Is(budget)}})
		}
	}
	worlds := certify.Repetitions{Singular: "world", Plural: "worlds"}
	set := study.NewSet(all, study.Layout{Repetitions: worlds}, nil, 0, 1, 2)
	for repetition := range 3 {
		set.Put(answers(1, 0), repetition, modelKey.Is("whole"))
		set.Put(answers(1, 0), repetition, budgetKey.Is(1))
		set.Put(answers(1, 1), repetition, budgetKey.Is(5))
	}
	return all, set
}

func answers(right ...float64) *study.Evaluation {
	var rows []score
	for i, r := range right {
		rows = append(rows, score{i, r})
	}
	return study.Evaluated(safefile.FrameOf(rows))
}

var rightAnswers = study.Metric{Name: "Right", Score: study.Mean("right"), Unit: "item", Share: true, Target: "whole",
	Family: certify.Family{Name: "items"}, Margin: study.Margin{Absolute: .1}}

var twoModels = study.Projection{Number: "1", Corner: "Model", Columns: []study.Metric{rightAnswers}, Targets: "Target",
	Rows: []study.RowSet{{Name: "Whole", Where: []study.Label{modelKey.Is("whole")}, Reference: true},
		{Where: []study.Label{methodKey.Is("method")}}}}

func TestSet_Cells(t *testing.T) {
	_, set := labelled()
	var got []string
	for _, cell := range set.Cells(twoModels) {
		got = append(got, cell.Row+": "+study.Text(cell, false))
	}
	want := []string{"Target: 0.500", "Whole: 0.500", "Method/1x: 0.500", "Method/5x: 1.000"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := set.Origin(twoModels, "None", "Right"); err == nil || err.Error() != `table 1 has no row "None"` {
		t.Errorf("a row that does not exist: %v", err)
	}
}

func TestSet_Only(t *testing.T) {
	_, set := labelled()
	set.Put(answers(1, 1), 2, budgetKey.Is(1))
	rows := set.Only(2).Rows(budgetKey.Is(1))
	if len(rows) != 1 || len(rows[0].Scores) != 1 || rightAnswers.Mean(rows[0].Scores[0], nil) != 1 {
		t.Errorf("got %+v, want the evaluation of the last repetition", rows)
	}
	if budget := budgetKey.Of(rows[0].Labels); budget != 1 {
		t.Errorf("the label has the value %d, want 1", budget)
	}
	if e := set.Find(0, budgetKey.Is(20)); e != nil {
		t.Errorf("got %v of a budget that is not planned, want nil", e)
	}
}

// A label that no scores have is a panic that lists the values.
func TestEntries_Check(t *testing.T) {
	all, set := labelled()
	for want, call := range map[string]func(){
		"study: no scores have the method metod; there are method":                 func() { all.Check(methodKey.Is("metod")) },
		"study: no scores have the budget 2; there are 1, 5":                       func() { all.Check(budgetKey.Is(2)) },
		"study: [{method method}] are labels of a method, 1.parquet and 5.parquet": func() { set.Find(0, methodKey.Is("method")) },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("got the panic %v, want %q", got, want)
				}
			}()
			call()
		})
	}
}
