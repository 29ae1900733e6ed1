package chart_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

func TestFigure_KeepsData(t *testing.T) {
	figure, err := chart.Histogram{Title: "Scores", Samples: []chart.Sample{{Values: one}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if given := figure.WithData("numbers"); given.Data() != "numbers" || given.Title != figure.Title {
		t.Errorf("%v of %q", given.Data(), given.Title)
	}
	if _, is := figure.Data().(chart.Histogram); !is {
		t.Errorf("the figure that it was made from has %v", figure.Data())
	}
}
