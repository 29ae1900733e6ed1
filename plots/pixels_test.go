package plots

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// drawn returns the drawn page of a grid with one image.
func drawn(t *testing.T, img image.Image, dpi int) image.Image {
	t.Helper()
	figure, err := Draw(chart.ImageGrid{Title: "One", Images: [][]image.Image{{img}}}.Figure())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := figure.WritePNG(&b, 3, 3, dpi); err != nil {
		t.Fatal(err)
	}
	page, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// checks returns a checkerboard of two colours.
func checks(edge int, a, b color.NRGBA) image.Image {
	board := image.NewNRGBA(image.Rect(0, 0, edge, edge))
	for y := range edge {
		for x := range edge {
			board.SetNRGBA(x, y, []color.NRGBA{a, b}[(x+y)%2])
		}
	}
	return board
}

func colours(page image.Image) map[color.NRGBA]int {
	count := map[color.NRGBA]int{}
	for y := range page.Bounds().Dy() {
		for x := range page.Bounds().Dx() {
			count[color.NRGBAModel.Convert(page.At(x, y)).(color.NRGBA)]++
		}
	}
	return count
}

func TestPixels_SmallImage(t *testing.T) {
	red, green := color.NRGBA{R: 250, A: 255}, color.NRGBA{G: 250, A: 255}
	for _, dpi := range []int{77, 96, 192} {
		page := drawn(t, checks(7, red, green), dpi)
		count := colours(page)
		for c, n := range count {
			if text := max(c.R, c.G, c.B)-min(c.R, c.G, c.B) < 20; !text && c != red && c != green {
				t.Errorf("%d dots an inch: %d dots of %v, a colour that the image lacks", dpi, n, c)
			}
		}
		if n := count[red] + count[green]; n < page.Bounds().Dx()*page.Bounds().Dy()/2 {
			t.Errorf("%d dots an inch: the image takes %d dots", dpi, n)
		}
		// 25 squares of one colour, 24 of the other
		if difference := count[red] - count[green]; difference < 0 || difference > count[red]/5 {
			t.Errorf("%d dots an inch: %d red and %d green dots", dpi, count[red], count[green])
		}
	}
}

// A large image is averaged when it is made smaller, so that neither colour of a fine checkerboard wins.
func TestPixels_LargeImage(t *testing.T) {
	page := drawn(t, checks(2048, color.NRGBA{A: 255}, color.NRGBA{R: 200, A: 255}), 96)
	middle := color.NRGBAModel.Convert(page.At(page.Bounds().Dx()/2, page.Bounds().Dy()/2)).(color.NRGBA)
	if middle.R < 90 || middle.R > 110 {
		t.Errorf("the middle of a fine board is %v; neither colour should win", middle)
	}
}
