package concept

import (
	"math"
	"math/rand/v2"
)

// manner is a style with one picture's random properties. Points and lengths are in grid units.
type manner interface {
	reach() float64 // distance from the object within which the background depends on it
	// colour of the background at a distance of outside from the object; outside is at most reach
	ground(p point, outside float64) pigment
	surface(c pigment, p point) pigment                // colour of the object at p, where its base colour is c
	line(c pigment) (halfWidth float64, paint pigment) // line at the edge of a part with colour c; no line if halfWidth is 0
	finish(c pigment, p point) pigment                 // final colour at p, where the colour so far is c
}

// manners holds, for each style, a function that draws the style's random properties.
var manners = [Styles]func(*rand.Rand, *scene) manner{
	Plain:  func(_ *rand.Rand, s *scene) manner { return flat{s.ground} },
	Swirl:  newSwirl,
	Neon:   newNeon,
	Mosaic: newMosaic,
	Sketch: newSketch,
}

// flat is the plain style, which leaves all colours unchanged.
type flat struct{ background pigment }

func (f flat) reach() float64                                  { return 0 }
func (f flat) ground(point, float64) pigment                   { return f.background }
func (f flat) surface(c pigment, _ point) pigment              { return c }
func (f flat) line(pigment) (halfWidth float64, paint pigment) { return 0, pigment{} }
func (f flat) finish(c pigment, _ point) pigment               { return c }

// swirl is a style of strokes along spirals around two centres.
type swirl struct {
	flat
	eyes [2]struct {
		at    point
		phase float64
	}
}

func newSwirl(source *rand.Rand, _ *scene) manner {
	w := &swirl{}
	for i := range w.eyes {
		w.eyes[i].at = point{between(source, 3, 29), between(source, 2, 24)}
		w.eyes[i].phase = between(source, 0, 2*math.Pi)
	}
	return w
}

// stroke returns the height of the paint at a point, from -1 to 1.
func (w *swirl) stroke(p point) float64 {
	sum, weights := 0., 0.
	for _, eye := range w.eyes {
		dx, dy := p.x-eye.at.x, p.y-eye.at.y
		r := math.Sqrt(dx*dx + dy*dy)
		weight := 1 / (20 + r*r)
		sin, cos := math.Sincos(r + eye.phase)
		sum += weight * (sin*dx + cos*dy) / max(r, 1e-9) // sine of r + phase + angle
		weights += weight
	}
	return sum / weights
}

func (w *swirl) reach() float64 { return 1.1 }

func (w *swirl) ground(p point, outside float64) pigment {
	switch height := w.stroke(p); {
	case outside < w.reach():
		return pigment{.05, .06, .15}
	case height > .35:
		return pigment{.95, .8, .25}
	case height > -.3:
		return pigment{.25, .45, .8}
	}
	return pigment{.08, .16, .48}
}

func (w *swirl) surface(c pigment, p point) pigment {
	if w.stroke(p) > 0 {
		return c.towards(pigment{1, 1, .8}, .18)
	}
	return c.times(.82)
}

// neon is a style of glowing lines in the dark.
type neon struct {
	flat
	glow    pigment
	horizon float64
}

func newNeon(source *rand.Rand, s *scene) manner {
	return &neon{glow: s.coat, horizon: between(source, 20, 25)}
}

func (n *neon) reach() float64 { return 5 }

func (n *neon) ground(p point, outside float64) pigment {
	c := pigment{.04, .02, .12}
	if below := p.y - n.horizon; below > 0 {
		c = pigment{.3, .02, .34}
		if math.Mod(below, 3.2) < .8 {
			c = pigment{.75, .1, .7}
		}
	}
	near := 1 - max(0, outside)/n.reach()
	glow := .75 * near * near * near
	for channel := range c {
		c[channel] += glow * n.glow[channel]
	}
	return c
}

func (n *neon) surface(c pigment, _ point) pigment { return c.times(.55) }

func (n *neon) line(c pigment) (halfWidth float64, paint pigment) {
	return .45, c.towards(pigment{1, 1, 1}, .45)
}

// tile is the side of a mosaic tile in grid units.
const tile = 4

// mosaic is a style of tiles with joints.
type mosaic struct {
	flat
	shift point
	gains [(grid/tile + 1) * (grid/tile + 1)]float64
}

func newMosaic(source *rand.Rand, s *scene) manner {
	m := &mosaic{flat: flat{s.ground}, shift: point{float64(source.IntN(tile)), float64(source.IntN(tile))}}
	for i := range m.gains {
		m.gains[i] = between(source, .78, 1.16)
	}
	return m
}

func (m *mosaic) reach() float64 { return .9 }

func (m *mosaic) ground(_ point, outside float64) pigment {
	if outside < m.reach() {
		return m.background.times(.3)
	}
	return m.background
}

func (m *mosaic) finish(c pigment, p point) pigment {
	x, y := p.x+m.shift.x, p.y+m.shift.y
	c = c.times(m.gains[int(y/tile)*(grid/tile+1)+int(x/tile)])
	if math.Mod(x, tile) < 1 || math.Mod(y, tile) < 1 {
		c = c.towards(pigment{.2, .18, .16}, .5)
	}
	return c
}

// sketch is a style of ink lines and coloured pencil strokes.
type sketch struct {
	flat
	phase float64
}

func newSketch(source *rand.Rand, _ *scene) manner {
	return &sketch{flat{pigment{.99, .99, .96}}, between(source, 0, 4)}
}

func (s *sketch) surface(c pigment, p point) pigment {
	if c == pigments[ink] {
		return c
	}
	share := .42
	if math.Mod(p.x+p.y+s.phase, 4) < 1.6 {
		share = .8
	}
	return s.background.towards(c, share)
}

func (s *sketch) line(c pigment) (halfWidth float64, paint pigment) {
	if c == pigments[ink] {
		return 0, c
	}
	return .5, pigments[ink]
}
