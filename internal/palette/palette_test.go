package palette_test

import (
	"fmt"
	"image"
	"image/color"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/palette"
)

// blend returns a picture with as many colours as pixels.
func blend(side int) *image.NRGBA {
	picture := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			level := func(i int) uint8 { return uint8(255 * i / (2 * side)) }
			picture.SetNRGBA(x, y, color.NRGBA{level(2 * x), level(2 * y), level(x + y), 255})
		}
	}
	return picture
}

func ExampleLimited() {
	picture := blend(64)
	limited := palette.Limited(picture, 64, 3)
	fmt.Printf("%d colours, mean squared error %.0f of 255²\n", len(limited.Palette), palette.Error(picture, limited))
	// Output: 64 colours, mean squared error 69 of 255²
}

func TestQuantize_FewColours(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 9, 7))
	for i := range picture.Pix {
		picture.Pix[i] = 255
		if i/4%3 == 0 && i%4 < 3 {
			picture.Pix[i] = 7
		}
	}
	for _, rounds := range []int{0, 3} {
		limited := palette.Limited(picture, 64, rounds)
		if off := palette.Error(picture, limited); off != 0 || len(limited.Palette) != 2 {
			t.Errorf("%d rounds: %d colours of 2, a mean squared error of %v", rounds, len(limited.Palette), off)
		}
	}
}

// A picture with many colours changes little, and in the same way each time.
func TestQuantize_ManyColours(t *testing.T) {
	picture := blend(96)
	part := picture.SubImage(image.Rect(10, 20, 80, 60)).(*image.NRGBA)
	for _, p := range []*image.NRGBA{picture, part} {
		first, second := palette.Limited(p, 256, 3), palette.Limited(p, 256, 3)
		if off := palette.Error(p, first); off > 20 || off == 0 || len(first.Palette) != 256 {
			t.Errorf("%v: %d colours, a mean squared error of %v", p.Rect, len(first.Palette), off)
		}
		if string(first.Pix) != string(second.Pix) {
			t.Error("another time other colours")
		}
	}
}
