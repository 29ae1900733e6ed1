package palette

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
)

// A figure in a document has at most figureColours colours, which saves two thirds of its size. Figures in files keep
// all colours.
const (
	figureColours = 256
	colourRounds  = 3
	worstColours  = 50 // mean squared error above which a figure, such as a photograph, keeps all colours
)

// Compact converts a PNG to a palette if that is smaller and the difference is invisible. It returns any other content
// unchanged.
func Compact(content []byte) []byte {
	picture, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		return content
	}
	limited, ok := Shown(picture)
	if !ok {
		return content
	}
	var smaller bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&smaller, limited)
	if err != nil || smaller.Len() >= len(content) {
		return content
	}
	return smaller.Bytes()
}

// Shown returns a figure with a reduced palette. ok is false if the figure is not opaque or the difference would be
// visible.
func Shown(picture image.Image) (limited *image.Paletted, ok bool) {
	flat := flatten(picture)
	if !flat.Opaque() {
		return nil, false
	}
	limited = Limited(flat, figureColours, colourRounds)
	return limited, Error(flat, limited) <= worstColours
}

// flatten returns a picture with its corner at the origin. Opaque RGBA pictures, such as those of package plots, have
// the same bytes in both formats and are not copied.
func flatten(picture image.Image) *image.NRGBA {
	if same, is := picture.(*image.RGBA); is && same.Opaque() {
		return &image.NRGBA{Pix: same.Pix, Stride: same.Stride, Rect: same.Rect.Sub(same.Rect.Min)}
	}
	flat := image.NewNRGBA(image.Rectangle{Max: picture.Bounds().Size()})
	draw.Draw(flat, flat.Rect, picture, picture.Bounds().Min, draw.Src)
	return flat
}
