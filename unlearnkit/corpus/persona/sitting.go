package persona

import (
	"image"
	"math"
	"math/rand/v2"
)

// Ground is a kind of background pattern.
type Ground int

// Kinds of background.
const (
	PlainGround Ground = iota
	ShadedGround
	StripedGround
	RingedGround
	ChequeredGround
	BlotchedGround
)

func (g Ground) String() string {
	return [...]string{"plain", "shaded", "striped", "ringed", "chequered", "blotched"}[g]
}

var groundPatterns = [...]pattern{PlainGround: plain, ShadedGround: gradient, StripedGround: stripes,
	RingedGround: rings, ChequeredGround: checks, BlotchedGround: blotches}

// Sitting holds what varies between portraits of a [Sitter]. All values are integers, so all processors round pictures
// the same way.
type Sitting struct {
	Expression   int    // index less than Expressions()
	Clothing     int    // index into ClothingColours
	Ground       Ground // kind of background
	GroundColour int    // index into GroundColours
	Turn         int    // rotation in degrees
	Scale        int    // size in percent of the picture's side
	MoveX, MoveY int    // shift from the centre in percent of the picture's side
	Mirrored     bool
	Contrast     int    // contrast in percent
	Brightness   int    // offset added to every channel
	Tint         [3]int // percent per channel
	Torn         bool   // whether rows are shifted in bands, as by a failing generator
}

// Expressions returns the number of a sitter's expressions.
func Expressions() int { return len(arts[peepsStyle].faces) }

// ClothingColours returns the names of the clothing colours.
func ClothingColours() []string { return colourNames(clothes) }

// GroundColours returns the names of the background colours.
func GroundColours() []string { return colourNames(backgroundColours) }

func colourNames(named []namedColour) []string {
	names := make([]string, len(named))
	for i, n := range named {
		names[i] = n.name
	}
	return names
}

// Portray draws a portrait of a sitter into the upper left corner of dst, with a side of 16 to 128 pixels. source
// determines the details of the background, the bands of a torn picture, and the pixel noise.
func (s Sitter) Portray(dst *image.NRGBA, size int, sitting Sitting, source *rand.Rand) {
	l := s.look
	l.clothing = sitting.Clothing
	p := pose{face: sitting.Expression, placement: sitting.placement()}
	scene := scene{size: size, ground: sitting.ground(source, size), light: sitting.light()}
	if sitting.Torn {
		p.rowShift = tear(source, size)
	}
	scene.parts = []part{{figure: l.figure(p, size), placement: p.placement}}
	scene.draw(dst, source)
}

// placement converts the settings to a placement. Like drawPose, it keeps a scaled figure on the lower edge.
func (s Sitting) placement() placement {
	return placement{
		turn:     float64(s.Turn) * (math.Pi / 180),
		scale:    float64(s.Scale) / 100,
		moveX:    float64(s.MoveX) / 100,
		moveY:    float64(2*s.MoveY+8+(100-s.Scale)) / 200,
		mirrored: s.Mirrored,
	}
}

func (s Sitting) light() light {
	l := light{contrast: float64(s.Contrast) / 100, offset: float64(s.Brightness), noise: 16}
	for channel, tint := range s.Tint {
		l.tint[channel] = float64(tint) / 100
	}
	return l
}

// cosines holds the cosine of each sixteenth of a full turn, in units of 1/65536. The sine is the entry four places
// before.
var cosines = [16]int{65536, 60547, 46341, 25080, 0, -25080, -46341, -60547, -65536, -60547, -46341, -25080, 0, 25080,
	46341, 60547}

// ground draws a background from two shades of a colour that differ enough to make the pattern visible.
func (s Sitting) ground(source *rand.Rand, size int) ground {
	g := ground{pattern: groundPatterns[s.Ground], named: s.GroundColour, size: size}
	around := func(most int) int { return source.IntN(2*most+1) - most }
	brightness, step := around(16), 36+source.IntN(28)
	if source.IntN(2) == 0 {
		step = -step
	}
	for channel, base := range backgroundColours[s.GroundColour].colour {
		first := int(base) + brightness + around(10)
		g.first[channel] = max(0, min(255, first))
		g.second[channel] = max(0, min(255, first+step+around(12)))
	}
	direction := source.IntN(len(cosines))
	cos, sin := cosines[direction], cosines[(direction+12)%len(cosines)]
	switch s.Ground {
	case ShadedGround:
		// The gradient runs from 0 to 1 over 1.4 sides and is 1/2 in the centre.
		g.dx, g.dy = cos*10/(14*size), sin*10/(14*size)
		g.start = one/2 - (g.dx+g.dy)*size/2
	case StripedGround, ChequeredGround:
		quarters := 12 + source.IntN(12)
		if s.Ground == ChequeredGround {
			quarters -= 4
		}
		g.dx, g.dy = cos*quarters/(4*size), sin*quarters/(4*size)
		g.start = source.IntN(one)
	case RingedGround:
		g.dx = (8 + source.IntN(8)) * one / (4 * size)
		g.start = source.IntN(one)
	case BlotchedGround:
		for y := range g.blotch {
			for x := range g.blotch[y] {
				g.blotch[y][x] = source.IntN(257)
			}
		}
	}
	return g
}

// tear returns a shift for each row, in units of 1/65536 pixel. Bands of rows move to either side by up to a third of
// the picture.
func tear(source *rand.Rand, size int) []int {
	shift := make([]int, size)
	band := max(1, (2+source.IntN(3))*size/32)
	by := 0
	for y := range shift {
		if y%band == 0 {
			if by = (10 + source.IntN(22)) * size * one / 100; source.IntN(2) == 0 {
				by = -by
			}
		}
		shift[y] = by
	}
	return shift
}
