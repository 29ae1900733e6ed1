package concept

import (
	"math"
	"math/rand/v2"
)

// Positions of spots: a grid in which every other row is shifted by half a step.
const (
	spotRows, spotColumns = 5, 5
	spotAcross, spotDown  = .62, .48
	spotRadius, rimRadius = .15, .2
)

// weave is a texture with one picture's random properties.
type weave struct {
	texture Texture
	spots   [spotRows * spotColumns]point
	phase   float64
}

func newWeave(source *rand.Rand, t Texture) weave {
	w := weave{texture: t}
	for i := range w.spots {
		row, column := i/spotColumns-spotRows/2, i%spotColumns-spotColumns/2
		w.spots[i] = point{(float64(column)+.5*float64(row&1))*spotAcross + between(source, -.07, .07),
			float64(row)*spotDown + between(source, -.07, .07)}
	}
	w.phase = between(source, 0, .5)
	return w
}

// over applies the texture to a colour at a point of the object.
func (w *weave) over(c pigment, q point) pigment {
	switch w.texture {
	case Spotted:
		for _, spot := range w.spots {
			dx, dy := q.x-spot.x, q.y-spot.y
			switch square := dx*dx + dy*dy; {
			case square < spotRadius*spotRadius:
				return pigment{.72, .02, .08}
			case square < rimRadius*rimRadius:
				c = c.towards(pigment{1, 1, 1}, .8)
			}
		}
	case Banded:
		if at := (q.y + w.phase) / .5; at-math.Floor(at) < .42 {
			return c.towards(pigment{1, 1, 1}, .85)
		}
	}
	return c
}
