package palette

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
)

// A figure that is shown inside of a document has at most so many colours: a third of the bytes, in every copy and
// version of it. Files have them all.
const (
	figureColours = 256
	colourRounds  = 3
	worstColours  = 50 // the mean squared error from which a figure, such as a photograph, keeps its own
)

// Compact is a PNG with a palette, as long as nobody sees the difference. What is no opaque PNG stays as it is.
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

// Shown is a figure with a palette; false where somebody would see the difference.
func Shown(picture image.Image) (limited *image.Paletted, ok bool) {
	flat := image.NewNRGBA(image.Rectangle{Max: picture.Bounds().Size()})
	draw.Draw(flat, flat.Rect, picture, picture.Bounds().Min, draw.Src)
	if !flat.Opaque() {
		return nil, false
	}
	limited = Limited(flat, figureColours, colourRounds)
	return limited, Error(flat, limited) <= worstColours
}
