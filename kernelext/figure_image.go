package kernelext

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// pixels shows an image. Each of its pixels is one pixel of the page, except that small images are enlarged to make
// their content visible.
type pixels struct{ image image.Image }

// smallSide is the side length, in pixels of the page, below which an image is enlarged.
const smallSide = 160

func (p pixels) times() int {
	size := p.image.Bounds().Size()
	side := max(size.X, size.Y)
	if side == 0 || side >= smallSide {
		return 1
	}
	return (smallSide + side - 1) / side
}

// PNG encodes the image. Enlarged pixels are squares.
func (p pixels) PNG(int) (content []byte, width, height int, err error) {
	shown := p.image
	if times := p.times(); times > 1 {
		shown = enlarged{p.image, times}
	}
	size := shown.Bounds().Size()
	if size.X == 0 || size.Y == 0 {
		return nil, 0, 0, fmt.Errorf("the image has %d × %d pixels", size.X, size.Y)
	}
	var out bytes.Buffer
	err = png.Encode(&out, shown)
	return out.Bytes(), size.X, size.Y, err
}

func (p pixels) AltText() string {
	size := p.image.Bounds().Size()
	text := fmt.Sprintf("an image of %d × %d pixels", size.X, size.Y)
	if times := p.times(); times > 1 {
		text += fmt.Sprintf(", shown %d times as large", times)
	}
	return text
}

// enlarged repeats each pixel of an image times × times.
type enlarged struct {
	image.Image
	times int
}

func (e enlarged) Bounds() image.Rectangle {
	return image.Rectangle{Max: e.Image.Bounds().Size().Mul(e.times)}
}

func (e enlarged) At(x, y int) color.Color {
	from := e.Image.Bounds().Min
	return e.Image.At(from.X+x/e.times, from.Y+y/e.times)
}
