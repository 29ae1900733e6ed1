package concept

import (
	"image"
	"math"
	"math/rand/v2"
)

// pigment is a colour: red, green and blue from 0 to 1.
type pigment [3]float64

func (p pigment) towards(q pigment, share float64) pigment {
	for channel := range p {
		p[channel] += share * (q[channel] - p[channel])
	}
	return p
}

func (p pigment) times(factor float64) pigment {
	for channel := range p {
		p[channel] *= factor
	}
	return p
}

// coats holds the main colours of objects, which vary a little between pictures.
var coats = [Colours]pigment{Red: {.86, .16, .14}, Green: {.18, .62, .22}, Blue: {.18, .38, .88},
	Yellow: {.96, .8, .16}, Purple: {.58, .24, .74}}

// pigments holds the colours of materials that never vary.
var pigments = [...]pigment{
	ink: {.1, .1, .12}, white: {1, 1, 1}, lit: {1, .94, .58}, wood: {.45, .3, .18}, leaf: {.16, .46, .2},
	skin: {.96, .78, .62}, fire: {1, .55, .1}, tongue: {.92, .4, .46},
}

// grid is the side of a picture in grid units, in which styles are defined. Larger pictures are scaled up.
const grid = 32

// scene holds everything that determines a picture's pixels.
type scene struct {
	labels Labels
	centre point   // in grid units
	scale  float64 // half the side of the object's bounding square, in grid units
	coat   pigment
	ground pigment
	weave  weave
	manner manner
}

// compose draws a picture's random properties.
func compose(source *rand.Rand, l Labels) scene {
	s := scene{labels: l, scale: between(source, 10.4, 12.8)}
	s.centre = point{grid/2 + between(source, -2, 2), grid/2 + between(source, -2, 2)}
	s.coat, s.ground = coats[l.Colour], pigment{.77, .76, .71}
	for channel := range 3 {
		s.coat[channel] = clamp(s.coat[channel] + .035*source.NormFloat64())
		s.ground[channel] = clamp(s.ground[channel] + .03*source.NormFloat64())
	}
	s.weave = newWeave(source, l.Texture)
	s.manner = manners[l.Style](source, &s)
	return s
}

func between(source *rand.Rand, low, high float64) float64 { return low + (high-low)*source.Float64() }

func clamp(v float64) float64 { return max(0, min(1, v)) }

// samples is the number of sample points per pixel along each axis.
const samples = 2

// dab is the state of a sample point: its colour multiplied by its opacity, its opacity, and its distance to the
// object.
type dab struct {
	paint          pigment
	cover, outside float64
}

// draw renders the scene into the upper left corner of dst, at size × size pixels.
func (s *scene) draw(dst *image.NRGBA, size int) {
	side := size * samples
	dabs := make([]dab, side*side)
	for i := range dabs {
		dabs[i].outside = s.manner.reach()
	}
	for _, part := range figures[s.labels.Object] {
		s.paint(dabs, side, part)
	}
	step := float64(grid) / float64(side)
	for y := range size {
		line := dst.Pix[y*dst.Stride : y*dst.Stride+4*size]
		for x := range size {
			var sum pigment
			for sub := range samples * samples {
				u, v := x*samples+sub%samples, y*samples+sub/samples
				d := &dabs[v*side+u]
				p := point{(float64(u) + .5) * step, (float64(v) + .5) * step}
				c := d.paint
				if d.cover < 1 {
					ground := s.manner.ground(p, d.outside)
					for channel := range c {
						c[channel] += (1 - d.cover) * ground[channel]
					}
				}
				c = s.manner.finish(c, p)
				for channel := range sum {
					sum[channel] += clamp(c[channel])
				}
			}
			for channel := range 3 {
				line[4*x+channel] = uint8(math.Round(255 * sum[channel] / (samples * samples)))
			}
			line[4*x+3] = 255
		}
	}
}

// paint paints a part over existing paint. Edges are blurred over the distance between sample points.
func (s *scene) paint(dabs []dab, side int, p part) {
	step := float64(grid) / float64(side)
	least, most := p.shape.bounds()
	place := func(unit, centre float64) int {
		return max(0, min(side, int(math.Round((centre+unit*s.scale)/step))))
	}
	half, line := s.manner.line(s.base(p.material))
	margin := (max(half, s.manner.reach()) + step) / s.scale
	left, right := place(least.x-margin, s.centre.x), place(most.x+margin, s.centre.x)
	top, bottom := place(least.y-margin, s.centre.y), place(most.y+margin, s.centre.y)
	for v := top; v < bottom; v++ {
		for u := left; u < right; u++ {
			at := point{(float64(u) + .5) * step, (float64(v) + .5) * step}
			q := point{(at.x - s.centre.x) / s.scale, (at.y - s.centre.y) / s.scale}
			d := p.shape.distance(q) * s.scale
			to := &dabs[v*side+u]
			to.outside = min(to.outside, d)
			if cover := clamp(.5 - d/step); cover > 0 {
				to.add(s.manner.surface(s.colourOf(p.material, q), at), cover)
			}
			if cover := clamp(.5 - (math.Abs(d)-half)/step); half > 0 && cover > 0 {
				to.add(line, cover)
			}
		}
	}
}

func (d *dab) add(c pigment, cover float64) {
	d.paint = d.paint.towards(c, cover)
	d.cover += cover * (1 - d.cover)
}

// base returns a material's colour before the texture is applied.
func (s *scene) base(m material) pigment {
	switch m {
	case coat:
		return s.coat
	case coatDark:
		return s.coat.times(.62)
	case coatLight:
		return s.coat.towards(pigment{1, 1, 1}, .5)
	}
	return pigments[m]
}

// colourOf returns a material's colour at a point of the object.
func (s *scene) colourOf(m material, q point) pigment {
	c := s.base(m)
	if m <= coatLight {
		return s.weave.over(c, q)
	}
	return c
}
