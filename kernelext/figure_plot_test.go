package kernelext

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// At scale 2, a gonum plot has twice the pixels in each direction, and letters and lines are scaled too.
func TestFigure_Gonum(t *testing.T) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = "A line", "steps"
	line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		t.Fatal(err)
	}
	p.Add(line)
	picture, ok := pictureOf(p)
	if !ok {
		t.Fatal("a *plot.Plot is not a picture")
	}
	ink := map[int]float64{}
	for _, scale := range []int{1, 2} {
		content, width, height, err := picture.PNG(scale)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := png.Decode(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if size := drawn.Bounds().Size(); width != plotWidth || height != plotHeight ||
			size != (image.Point{X: scale * width, Y: scale * height}) {
			t.Errorf("%v for %d × %d pixels of the page", size, width, height)
		}
		ink[scale] = darkness(drawn)
	}
	// If letters and lines were not scaled, the picture would be half as dark.
	if ink[2] < .8*ink[1] || ink[2] > 1.2*ink[1] {
		t.Errorf("at twice the resolution %.4f of the picture is dark, at once %.4f", ink[2], ink[1])
	}
	if got := picture.AltText(); got != "a plot: A line; x is steps" {
		t.Errorf(`got %v, want "a plot: A line; x is steps"`, got)
	}
}

// darkness returns one minus the mean green value of a picture, from 0 to 1.
func darkness(m image.Image) float64 {
	sum, b := 0., m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			_, g, _, _ := m.At(x, y).RGBA()
			sum += 1 - float64(g)/0xffff
		}
	}
	return sum / float64(b.Dx()*b.Dy())
}

func TestFigure_NilPlot(t *testing.T) {
	if _, ok := pictureOf((*plot.Plot)(nil)); ok {
		t.Error("nil is a picture")
	}
	text, status := printed(t, func() { Figure((*plot.Plot)(nil)) })
	if status != 1 || !strings.Contains(text, "not a picture") {
		t.Errorf(`got %v, want status 1, "not a picture" in it`, text)
	}
}
