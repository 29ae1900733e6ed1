package study_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// found is the result type of a made-up study.
type found struct {
	study.Results
	scores []float64
}

// other is the result type of another study.
type other struct{ study.Results }

var madeUp = study.Figures{
	{Name: "1", About: "scores of a made-up study", Draw: study.FigureFrom(func(r found) (*chart.Figure, error) {
		if len(r.scores) == 0 {
			return nil, &study.Lacks{Preset: "smoke", Why: "has no scores"}
		}
		return chart.Histogram{Title: "Scores", Samples: []chart.Sample{{Values: r.scores}}}.Figure()
	})},
	{Name: "printed", About: "what a paper prints", Printed: func() (*chart.Figure, error) {
		return chart.Histogram{Title: "Printed", Samples: []chart.Sample{{Values: []float64{1}}}}.Figure()
	}},
}

func ExampleFigures_Named() {
	figure, err := madeUp.Figure("1", found{scores: []float64{.2, .4, .7}})
	fmt.Println(figure.Title, err)
	_, err = madeUp.Figure("2", nil)
	fmt.Println(err)
	// Output:
	// Scores <nil>
	// there is no figure "2"; there are 1, printed
}

func TestDrawing_Lacks(t *testing.T) {
	if _, err := madeUp.Figure("1", found{}); !errors.As(err, new(*study.Lacks)) {
		t.Errorf("without scores: %v", err)
	}
	for _, r := range []study.Results{nil, other{}} {
		if figure, err := madeUp.Figure("1", r); err == nil || figure != nil {
			t.Errorf("drawn from a %T: %v, %v", r, figure, err)
		}
	}
	if picture, err := madeUp.Figure("printed", nil); err != nil || picture.AltText() == "" {
		t.Errorf("what is printed needs no results: %v", err)
	}
}
