package palette_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/palette"
)

// painted returns a picture as a PNG file.
func painted(t *testing.T, of func(x, y int) color.NRGBA) []byte {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 128, 128))
	for y := range 128 {
		for x := range 128 {
			picture.SetNRGBA(x, y, of(x, y))
		}
	}
	var content bytes.Buffer
	if err := png.Encode(&content, picture); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

// A figure is converted to a palette, unless the difference would be visible.
func TestCompact_Palette(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	level := func() uint8 { return uint8(random.IntN(256)) }
	for name, test := range map[string]struct {
		content []byte
		palette bool
	}{
		"a few colours": {painted(t, func(x, y int) color.NRGBA {
			return color.NRGBA{uint8(x / 32 * 80), uint8(y / 32 * 80), 9, 255}
		}), true},
		"shades of grey": {painted(t, func(x, y int) color.NRGBA {
			return color.NRGBA{uint8(x + random.IntN(3)), uint8(x + random.IntN(3)), uint8(x + random.IntN(3)), 255}
		}), true},
		"colours without end": {painted(t, func(_, _ int) color.NRGBA {
			return color.NRGBA{level(), level(), level(), 255}
		}), false},
		"a hole":     {painted(t, func(x, _ int) color.NRGBA { return color.NRGBA{9, 9, 9, uint8(x)} }), false},
		"no picture": {[]byte("\x89PNG"), false},
	} {
		got := palette.Compact(test.content)
		if !test.palette {
			if !bytes.Equal(got, test.content) {
				t.Errorf("%s: other bytes", name)
			}
			continue
		}
		picture, err := png.Decode(bytes.NewReader(got))
		if err != nil {
			t.Fatal(err)
		}
		if _, is := picture.(*image.Paletted); !is || len(got) >= len(test.content) {
			t.Errorf("%s: a %T of %d bytes, was %d", name, picture, len(got), len(test.content))
		}
	}
}
