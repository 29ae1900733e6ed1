package persona

import (
	"bytes"
	"embed"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"strings"
	"sync"
)

//go:embed sprites/*.png sprites/*.txt
var spriteFiles embed.FS

const (
	spriteSize   = 96
	sheetColumns = 10
)

// share holds the composition of a sprite's pixel, in fractions of 255 multiplied by the opacity: white and three
// colours to be chosen. The rest of the opacity is black ink.
type share struct {
	skin, clothing, hair, white, alpha uint8
}

// sprite is a drawn part of a picture at one resolution.
type sprite struct {
	size   int
	box    image.Rectangle // pixels outside it are transparent
	shares []share
}

// spriteSet holds sprites by name at two resolutions: full size, and half size for small pictures.
type spriteSet map[string][2]*sprite

// at returns a sprite at the resolution for a picture size. It panics if the name is unknown, because names are from
// this package's tables.
func (s spriteSet) at(name string, pictureSize int) *sprite {
	pair, ok := s[name]
	if !ok {
		panic("persona: no sprite " + name)
	}
	return pair[resolution(pictureSize)]
}

// resolution returns the index of the sprites for a picture: 1, for half size, if the picture is small, otherwise 0.
func resolution(pictureSize int) int {
	if pictureSize <= spriteSize/2 {
		return 1
	}
	return 0
}

var (
	openPeeps = sync.OnceValue(func() spriteSet { return readSprites("open_peeps") })
	lorelei   = sync.OnceValue(func() spriteSet { return readSprites("lorelei") })
)

func readSprites(sheet string) spriteSet {
	list, err := spriteFiles.ReadFile("sprites/" + sheet + ".txt")
	if err != nil {
		panic(err)
	}
	file, err := spriteFiles.ReadFile("sprites/" + sheet + ".png")
	if err != nil {
		panic(err)
	}
	decoded, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		panic(fmt.Sprintf("persona: sheet %s: %v", sheet, err))
	}
	multiplied := image.NewRGBA(decoded.Bounds())
	draw.Draw(multiplied, multiplied.Bounds(), decoded, image.Point{}, draw.Src)
	set := spriteSet{}
	for i, name := range strings.Fields(string(list)) {
		corner := image.Pt(i%sheetColumns*spriteSize, i/sheetColumns*spriteSize)
		full := cutSprite(multiplied, corner)
		set[name] = [2]*sprite{full, full.halve()}
	}
	return set
}

func cutSprite(sheet *image.RGBA, corner image.Point) *sprite {
	s := &sprite{size: spriteSize, shares: make([]share, spriteSize*spriteSize)}
	for y := range spriteSize {
		for x := range spriteSize {
			c := sheet.RGBAAt(corner.X+x, corner.Y+y)
			white := min(c.R, c.G, c.B)
			s.shares[y*spriteSize+x] = share{skin: c.R - white, clothing: c.G - white, hair: c.B - white, white: white,
				alpha: c.A}
		}
	}
	s.measure()
	return s
}

func (s *sprite) measure() {
	s.box = image.Rectangle{}
	for i, p := range s.shares {
		if p.alpha > 0 {
			x, y := i%s.size, i/s.size
			s.box = s.box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
}

func (s *sprite) halve() *sprite {
	h := &sprite{size: s.size / 2, shares: make([]share, s.size*s.size/4)}
	for y := range h.size {
		for x := range h.size {
			corner := 2*y*s.size + 2*x
			a, b, c, d := s.shares[corner], s.shares[corner+1], s.shares[corner+s.size], s.shares[corner+s.size+1]
			mean := func(part func(share) uint8) uint8 {
				return uint8((int(part(a)) + int(part(b)) + int(part(c)) + int(part(d)) + 2) / 4)
			}
			h.shares[y*h.size+x] = share{
				skin:     mean(func(p share) uint8 { return p.skin }),
				clothing: mean(func(p share) uint8 { return p.clothing }),
				hair:     mean(func(p share) uint8 { return p.hair }),
				white:    mean(func(p share) uint8 { return p.white }),
				alpha:    mean(func(p share) uint8 { return p.alpha }),
			}
		}
	}
	h.measure()
	return h
}
