package chart_test

import (
	"image"
	"image/draw"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// strip returns pictures side by side, like a model's sheet of samples.
func strip(pictures ...image.Image) image.Image {
	side := pictures[0].Bounds().Dx()
	sheet := image.NewNRGBA(image.Rect(0, 0, side*len(pictures), side))
	for i, picture := range pictures {
		draw.Draw(sheet, image.Rect(side*i, 0, side*(i+1), side), picture, image.Point{}, draw.Src)
	}
	return sheet
}

// sampled returns a sheet of pictures in which a disc turns into stripes.
func sampled(title string, hue float64) chart.Sheet {
	var pictures []image.Image
	for i := range 8 {
		pictures = append(pictures, golden.Blob(hue, float64(i)/7))
	}
	return chart.Sheet{Title: title, Picture: strip(pictures...), Axis: "step", Rows: []string{title},
		Columns: []string{"1", "2", "3", "4", "5", "6", "7", "8"}}
}

func ExampleSheet() {
	figure, err := sampled("one model", .8).Figure()
	golden.Compare("sheet", figure, err)
	// Output:
	// sheet-light.png: as drawn before
	// sheet-dark.png: as drawn before
}

// Rows of a stack can have different heights, and figures can share a letter.
func ExampleStack() {
	first, err := sampled("one model", .8).Figure()
	if err != nil {
		panic(err)
	}
	second, err := sampled("another", .3).Figure()
	if err != nil {
		panic(err)
	}
	curve, err := chart.Lines{Title: "Recognised", X: chart.Axis{Label: "step"}, Y: chart.Axis{Label: "share"},
		Series: []chart.Series{{Name: "one", X: []float64{1, 8}, Y: []float64{1, .2}}}}.Figure()
	if err != nil {
		panic(err)
	}
	figure, err := chart.Stack{
		Title: "Pictures above, numbers below", Caption: "Two strips of made-up pictures, and a curve",
		Rows: []chart.StackRow{
			{Height: 1, Letters: "a", Figures: []*chart.Figure{first}},
			{Height: 1, Letters: "a", Figures: []*chart.Figure{second}},
			{Height: 2, Letters: "b", Figures: []*chart.Figure{curve}},
		},
	}.Figure()
	golden.Compare("stack", figure, err)
	// Output:
	// stack-light.png: as drawn before
	// stack-dark.png: as drawn before
}
