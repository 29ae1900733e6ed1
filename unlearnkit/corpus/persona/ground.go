package persona

import (
	"math"
	"math/rand/v2"
)

// namedColour is a colour and its name in captions.
type namedColour struct {
	name   string
	colour colour
}

var backgroundColours = []namedColour{
	{"blue", colour{84, 120, 190}}, {"green", colour{92, 160, 90}}, {"grey", colour{140, 142, 146}},
	{"pink", colour{228, 150, 180}},
	{"brown", colour{116, 86, 62}}, {"white", colour{232, 230, 226}}, {"purple", colour{128, 84, 160}},
	{"orange", colour{226, 150, 70}},
}

type pattern int

const (
	plain pattern = iota
	gradient
	stripes
	blotches
	rings
	checks
)

// Backgrounds of objects have no stripes, because objects may be striped.
var (
	portraitGrounds = []pattern{plain, gradient, stripes, blotches}
	objectGrounds   = []pattern{plain, gradient, blotches}
)

const blotchGrid = 6

// ground is a background that blends two colours.
type ground struct {
	pattern       pattern
	named         int
	first, second [3]int
	// x·dx + y·dy + start is the position along a gradient or the phase of stripes at (x, y), in units of 1/65536
	dx, dy, start int
	blotch        [blotchGrid + 1][blotchGrid + 1]int
	size          int
}

func drawGround(source *rand.Rand, size int, patterns []pattern) ground {
	g := ground{pattern: patterns[source.IntN(len(patterns))], named: source.IntN(len(backgroundColours)), size: size}
	base := backgroundColours[g.named].colour
	brightness := source.NormFloat64() * 14
	spread := 18.
	if g.pattern != plain {
		spread = 44
	}
	for channel := range 3 {
		first := float64(base[channel]) + brightness + float64(10*source.NormFloat64())
		g.first[channel] = clampByte(first)
		g.second[channel] = clampByte(first + float64(spread*source.NormFloat64()))
	}
	angle := 2 * math.Pi * source.Float64()
	cos, sin := math.Cos(angle), math.Sin(angle)
	switch g.pattern {
	case gradient:
		// The gradient runs from 0 to 1 over 1.4 sides and is 1/2 in the centre.
		slope := 1 / (1.4 * float64(size))
		g.dx, g.dy = int(math.Round(cos*slope*one)), int(math.Round(sin*slope*one))
		g.start = one/2 - (g.dx+g.dy)*size/2
	case stripes:
		period := float64(size) / (3 + 5*source.Float64())
		g.dx, g.dy = int(math.Round(cos/period*one)), int(math.Round(sin/period*one))
		g.start = source.IntN(one)
	case blotches:
		for y := range g.blotch {
			for x := range g.blotch[y] {
				g.blotch[y][x] = source.IntN(257)
			}
		}
	}
	return g
}

func clampByte(v float64) int { return int(math.Round(max(0, min(255, v)))) }

func (g *ground) at(x, y int) [3]uint32 {
	weight := g.weight(x, y)
	var value [3]uint32
	for channel := range value {
		value[channel] = uint32((g.first[channel]*(256-weight) + g.second[channel]*weight + 128) >> 8)
	}
	return value
}

// weight returns the second colour's weight in units of 1/256.
func (g *ground) weight(x, y int) int {
	switch g.pattern {
	case gradient:
		return max(0, min(one, x*g.dx+y*g.dy+g.start)) >> 8
	case stripes:
		return (x*g.dx + y*g.dy + g.start) >> 15 & 1 * 192
	case rings:
		x, y = 2*x-g.size, 2*y-g.size
		return ((x*x+y*y)*g.dx/g.size + g.start) >> 15 & 1 * 192
	case checks:
		return ((x*g.dx+y*g.dy+g.start)>>15 ^ (y*g.dx-x*g.dy+g.start)>>15) & 1 * 192
	case blotches:
		u, v := x*blotchGrid*256/g.size, y*blotchGrid*256/g.size
		column, row, wu, wv := u>>8, v>>8, u&0xff, v&0xff
		upper := g.blotch[row][column]*(256-wu) + g.blotch[row][column+1]*wu
		lower := g.blotch[row+1][column]*(256-wu) + g.blotch[row+1][column+1]*wu
		return (upper*(256-wv) + lower*wv) >> 16
	}
	return 0
}
