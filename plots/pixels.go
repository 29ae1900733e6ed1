package plots

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"math"

	xdraw "golang.org/x/image/draw"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// onPage draws an image over the page's colour.
func onPage(img image.Image, page color.NRGBA) image.Image {
	size := img.Bounds().Size()
	flat := image.NewNRGBA(image.Rect(0, 0, size.X, size.Y))
	stddraw.Draw(flat, flat.Bounds(), image.NewUniform(page), image.Point{}, stddraw.Src)
	stddraw.Draw(flat, flat.Bounds(), img, img.Bounds().Min, stddraw.Over)
	return flat
}

// raster is a bitmap canvas that shows the pixels of small images: they are repeated, not blurred, which also keeps the
// file small. It assumes that the page is neither rotated nor scaled.
type raster struct{ *vgimg.Canvas }

func (c raster) DrawImage(r vg.Rectangle, img image.Image) {
	page := c.Image()
	dots := func(l vg.Length) int { return int(math.Round(l.Dots(c.DPI()))) }
	foot := page.Bounds().Dy()
	place := image.Rect(dots(r.Min.X), foot-dots(r.Max.Y), dots(r.Max.X), foot-dots(r.Min.Y))
	var scaler xdraw.Scaler = xdraw.NearestNeighbor
	if place.Dx() < img.Bounds().Dx() {
		scaler = xdraw.CatmullRom
	}
	scaler.Scale(page, place, img, img.Bounds(), xdraw.Over, nil)
}

// squares is a vector canvas, SVG or PDF, that also shows the pixels of small images.
type squares struct{ vg.Canvas }

func (c squares) DrawImage(r vg.Rectangle, img image.Image) { c.Canvas.DrawImage(r, magnified(img)) }

// magnified repeats each pixel of a small image, so that viewers show squares and not a blur.
func magnified(img image.Image) image.Image {
	const enough = 256
	size := img.Bounds().Size()
	factor := int(math.Ceil(enough / float64(max(size.X, size.Y))))
	large := image.NewNRGBA(image.Rect(0, 0, size.X*factor, size.Y*factor))
	xdraw.NearestNeighbor.Scale(large, large.Bounds(), img, img.Bounds(), xdraw.Src, nil)
	return large
}
