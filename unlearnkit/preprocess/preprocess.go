// Package preprocess converts images and sound to model inputs, exactly like the libraries with which the models were
// trained.
//
// Images are resized by Pillow's own arithmetic, so that every pixel equals Pillow's. A [Transform] is a model's image
// processor: [OpenCLIP], [CLIPImageProcessor], [PaddedLLaVA], [ImageNet] or [Diffusion]. Sound is resampled as in
// torchaudio and standardised as in Wav2Vec2FeatureExtractor. [MFCC] computes Kaldi's cepstrum.
package preprocess

import (
	"errors"
	"fmt"
	"image"
	"image/color"
)

// Image is a picture of 8-bit RGB pixels, row by row from the top left, with three bytes per pixel.
type Image struct {
	Width, Height int
	Pixels        []byte
}

// NewImage returns a black image.
func NewImage(width, height int) Image {
	if width < 1 || height < 1 {
		panic(fmt.Sprintf("preprocess: an image of %d×%d pixels", width, height))
	}
	return Image{width, height, make([]byte, 3*width*height)}
}

// FromImage converts a picture of any kind. Transparency is dropped and the colour kept, as in Pillow's convert("RGB").
func FromImage(source image.Image) (Image, error) {
	bounds := source.Bounds()
	if bounds.Empty() {
		return Image{}, errors.New("the image has no pixels")
	}
	converted := NewImage(bounds.Dx(), bounds.Dy())
	at := 0
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.NRGBAModel.Convert(source.At(x, y)).(color.NRGBA)
			converted.Pixels[at], converted.Pixels[at+1], converted.Pixels[at+2] = c.R, c.G, c.B
			at += 3
		}
	}
	return converted, nil
}

// check panics if the number of pixels does not match the image's size, which is a programming error.
func (m Image) check() {
	if m.Width < 1 || m.Height < 1 || len(m.Pixels)/3/m.Width != m.Height || len(m.Pixels) != 3*m.Width*m.Height {
		panic(fmt.Sprintf("preprocess: %d bytes for an image of %d×%d pixels", len(m.Pixels), m.Width, m.Height))
	}
}

// Cut returns the part of the image whose top left corner is at x, y. Pixels outside the image are black.
func (m Image) Cut(x, y, width, height int) Image {
	m.check()
	part := NewImage(width, height)
	for row := max(0, -y); row < height && y+row < m.Height; row++ {
		from, to := max(0, x), min(m.Width, x+width)
		if from < to {
			copy(part.Pixels[3*(row*width+from-x):], m.Pixels[3*((y+row)*m.Width+from):3*((y+row)*m.Width+to)])
		}
	}
	return part
}

// PadToSquare returns the image centred in a square of the colour, as the original LLaVA prepares its images. An odd
// pixel is added to the right or below.
func (m Image) PadToSquare(background [3]byte) Image {
	m.check()
	if m.Width == m.Height {
		return m
	}
	side := max(m.Width, m.Height)
	square := NewImage(side, side)
	for i := range square.Pixels {
		square.Pixels[i] = background[i%3]
	}
	left, top := (side-m.Width)/2, (side-m.Height)/2
	for row := range m.Height {
		copy(square.Pixels[3*((top+row)*side+left):], m.Pixels[3*row*m.Width:3*(row+1)*m.Width])
	}
	return square
}
