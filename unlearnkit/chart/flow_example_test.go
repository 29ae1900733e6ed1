package chart_test

import (
	"image"
	"image/color"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

func ExampleFlow() {
	figure, err := chart.Flow{Title: "From flour to bread", Columns: 3, Steps: []chart.FlowStep{
		{Name: "Flour", Notes: []string{"500 g", "of wheat or rye, which needs more water"}},
		{Name: "Dough", Notes: []string{"350 g of water", "10 g of salt"}},
		{Name: "Rest", Notes: []string{"12 hours"}},
		{Name: "Oven", Notes: []string{"230 °C"}},
		{Name: "Bread"},
	}}.Figure()
	golden.Compare("flow", figure, err)
	// Output:
	// flow-light.png: as drawn before
	// flow-dark.png: as drawn before
}

func ExampleLines_guides() {
	people := []float64{1, 2, 3, 4}
	figure, err := chart.Lines{
		Title: "What is forgotten beside a level that changes", Caption: "Made up",
		X: chart.Axis{Label: "people"}, Y: chart.Axis{Label: "right answers, %"},
		Series: []chart.Series{{Name: "method", X: people, Y: []float64{60, 48, 41, 30}, Lo: []float64{52, 41, 35, 25},
			Hi: []float64{67, 55, 48, 36}}, {Name: "one that fails with three", X: []float64{1, 2, 4},
			Y: []float64{70, 66, 52}, Gaps: []float64{3}}},
		Targets: []chart.Target{{Name: "chance", Value: 5}},
		Guides:  []chart.Series{{Name: "gold", X: people, Y: []float64{12, 15, 11, 13}}},
	}.Figure()
	golden.Compare("guides", figure, err)
	// Output:
	// guides-light.png: as drawn before
	// guides-dark.png: as drawn before
}

func ExampleImageGrid_spans() {
	grid := chart.ImageGrid{Title: "Two kinds of squares", Rows: []string{"dark", "bright"},
		Spans: []chart.Span{{Name: "red", Columns: 2}, {Name: "blue", Columns: 3}}}
	for row := range 2 {
		var images []image.Image
		for column := range 5 {
			square := image.NewNRGBA(image.Rect(0, 0, 2, 2))
			shade := color.NRGBA{A: 255}
			if value := uint8(90 + 90*row + 10*column); column < 2 {
				shade.R = value
			} else {
				shade.B = value
			}
			for at := range 4 {
				square.SetNRGBA(at%2, at/2, shade)
			}
			images = append(images, square)
		}
		grid.Images = append(grid.Images, images)
	}
	figure, err := grid.Figure()
	golden.Compare("spans", figure, err)
	// Output:
	// spans-light.png: as drawn before
	// spans-dark.png: as drawn before
}
