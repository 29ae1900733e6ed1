package golden

import (
	"image"
	"image/color"
	"math"
)

// Blob imitates a model's picture: a disc that turns into stripes as striped grows from 0 to 1.
func Blob(hue, striped float64) image.Image {
	const side = 16
	picture := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			r := math.Hypot(float64(x)-7.5, float64(y)-7.5) / 8
			disc, stripe := math.Max(0, 1-r), float64((x+y)/2%2)
			v := (1-striped)*disc + striped*stripe*.7
			picture.Set(x, y, color.NRGBA{uint8(255 * v * hue), uint8(255 * v * .6), uint8(255 * (1 - v) * (1 - hue)),
				255})
		}
	}
	return picture
}
