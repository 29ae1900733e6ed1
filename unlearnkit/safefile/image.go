package safefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
)

const (
	// maxPixels limits the size of images that ReadImage reads.
	maxPixels     = 64_000_000
	maxImageBytes = 512 << 20
)

// Image is a picture with three bytes per pixel, red, green and blue, row by row.
type Image struct {
	Width, Height int
	Pix           []byte
}

// ReadImage reads a PNG or JPEG file as Pillow's Image.open(path).convert("RGB") does: it ignores an alpha channel and
// an orientation. 16 bits per channel are cut to the upper 8, but clipped to 255 in a gray image, as in Pillow 13. PNG
// gives exactly Pillow's bytes. For JPEG, whose standard does not fix the rounding of the cosine transform, about one
// value in thirty differs from libjpeg's, by at most 3.
func ReadImage(path string) (*Image, error) { return parseFile(path, maxImageBytes, parseImage) }

// DecodeImage parses a file's content like [ReadImage].
func DecodeImage(content []byte) (*Image, error) { return parseImage(content) }

const pngMagic = "\x89PNG\r\n\x1a\n"

func parseImage(content []byte) (*Image, error) {
	switch {
	case bytes.HasPrefix(content, []byte(pngMagic)):
		return parsePNG(content)
	case bytes.HasPrefix(content, []byte("\xff\xd8")):
		return parseJPEG(content)
	}
	return nil, errors.New("neither a PNG nor a JPEG file")
}

// checkPixels returns an error if an image is too large, or larger than its file can hold.
func checkPixels(width, height int, most int64) error {
	pixels := int64(width) * int64(height)
	switch {
	case pixels == 0:
		return fmt.Errorf("%d × %d pixels", width, height)
	case pixels > maxPixels:
		return fmt.Errorf("%s × %s pixels, at most %s million are read", thousands(width), thousands(height),
			thousands(maxPixels/1_000_000))
	case pixels > most:
		return fmt.Errorf("%s × %s pixels, more than the file can hold", thousands(width), thousands(height))
	}
	return nil
}

// thousands formats a number with commas between thousands.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// pngChannels is the number of channels of a PNG color type.
var pngChannels = map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}

func parsePNG(content []byte) (*Image, error) {
	config, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, damagedImage("PNG", err)
	}
	// DecodeConfig has checked the header, which begins with width and height.
	depth, kind := content[24], content[25]
	most := int64(len(content)) * maxDeflateRatio * 8 / (int64(depth) * pngChannels[kind])
	if err := checkPixels(config.Width, config.Height, most); err != nil {
		return nil, err
	}
	decoded, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, damagedImage("PNG", err)
	}
	result := newImage(config)
	shade := func(wide uint16) byte { return byte(wide >> 8) }
	if kind == 0 && depth == 16 {
		shade = func(wide uint16) byte { return byte(min(wide, 255)) }
	}
	result.fill(func(x, y int) (r, g, b byte) {
		c := colorBehindAlpha(decoded, x, y)
		return shade(c.R), shade(c.G), shade(c.B)
	})
	return result, nil
}

func newImage(config image.Config) *Image {
	return &Image{config.Width, config.Height, make([]byte, 3*config.Width*config.Height)}
}

func damagedImage(format string, err error) error {
	return fmt.Errorf("not a whole %s file: %s", format, oneLine(err.Error()))
}

// colorBehindAlpha returns a pixel's color before multiplication with alpha.
func colorBehindAlpha(decoded image.Image, x, y int) color.NRGBA64 {
	wide := func(c color.NRGBA) color.NRGBA64 {
		return color.NRGBA64{R: uint16(c.R) * 0x101, G: uint16(c.G) * 0x101, B: uint16(c.B) * 0x101}
	}
	switch decoded := decoded.(type) {
	case *image.NRGBA:
		return wide(decoded.NRGBAAt(x, y))
	case *image.NRGBA64:
		return decoded.NRGBA64At(x, y)
	case *image.Paletted:
		if c, transparent := decoded.Palette[decoded.ColorIndexAt(x, y)].(color.NRGBA); transparent {
			return wide(c)
		}
	}
	c := decoded.(image.RGBA64Image).RGBA64At(x, y) // opaque
	return color.NRGBA64{R: c.R, G: c.G, B: c.B}
}

// jpegPixelsPerByte limits what a JPEG file can hold: a block of 64 pixels takes at least a bit, and a color plane may
// have a quarter of the width and half the height.
const jpegPixelsPerByte = 64 * 8 * 8

func parseJPEG(content []byte) (*Image, error) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, damagedImage("JPEG", err)
	}
	if err := checkPixels(config.Width, config.Height, int64(len(content))*jpegPixelsPerByte); err != nil {
		return nil, err
	}
	decoded, err := jpeg.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, damagedImage("JPEG", err)
	}
	result := newImage(config)
	switch decoded := decoded.(type) {
	case *image.YCbCr:
		fromYCbCr(result, decoded)
	case *image.CMYK:
		fromCMYK(result, decoded)
	case *image.Gray:
		result.fill(func(x, y int) (r, g, b byte) { v := decoded.GrayAt(x, y).Y; return v, v, v })
	case *image.RGBA:
		result.fill(func(x, y int) (r, g, b byte) { c := decoded.RGBAAt(x, y); return c.R, c.G, c.B })
	}
	return result, nil
}

// fill sets every pixel.
func (m *Image) fill(pixel func(x, y int) (r, g, b byte)) {
	for y := range m.Height {
		for x := range m.Width {
			at := 3 * (y*m.Width + x)
			m.Pix[at], m.Pix[at+1], m.Pix[at+2] = pixel(x, y)
		}
	}
}

// WritePNG writes an image. The same pixels give the same bytes.
func WritePNG(path string, m *Image) error {
	if m.Width <= 0 || m.Height <= 0 || len(m.Pix) != 3*m.Width*m.Height {
		return fmt.Errorf("write %s: %d bytes are not %d × %d pixels", path, len(m.Pix), m.Width, m.Height)
	}
	opaque := image.NewNRGBA(image.Rect(0, 0, m.Width, m.Height))
	for i := range m.Width * m.Height {
		binary.BigEndian.PutUint32(opaque.Pix[4*i:],
			uint32(m.Pix[3*i])<<24|uint32(m.Pix[3*i+1])<<16|uint32(m.Pix[3*i+2])<<8|0xff)
	}
	return WriteFile(path, func(target io.Writer) error { return png.Encode(target, opaque) })
}
