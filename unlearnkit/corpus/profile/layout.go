package profile

import (
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
)

// layout holds the ranges from which a person's position and size in a picture, and the background, are drawn.
// Horizontal ranges are symmetric.
type layout struct {
	near, far    int // smallest and largest horizontal distance from the centre, in percent
	sizes        [][2]int
	grounds      []persona.Ground
	lower, raise int // largest vertical distance below and above the normal height, in percent
}

// layouts holds the layout of each split's pictures. Test pictures have other positions, sizes and backgrounds than
// training pictures.
var layouts = map[Split]layout{
	Train: {near: 5, far: 9, sizes: [][2]int{{82, 90}, {98, 106}}, lower: 2, raise: 2,
		grounds: []persona.Ground{persona.PlainGround, persona.ShadedGround, persona.StripedGround,
			persona.RingedGround}},
	Test: {near: 0, far: 4, sizes: [][2]int{{92, 96}}, lower: 2, raise: 2,
		grounds: []persona.Ground{persona.ChequeredGround, persona.BlotchedGround}},
}

// drawSitting returns a picture's random pose, clothes, expression, background and light.
func (l layout) drawSitting(source *rand.Rand) persona.Sitting {
	between := func(low, high int) int { return low + source.IntN(high-low+1) }
	side := between(l.near, l.far)
	if source.IntN(2) == 0 {
		side = -side
	}
	size := l.sizes[source.IntN(len(l.sizes))]
	return persona.Sitting{
		Expression:   source.IntN(persona.Expressions()),
		Clothing:     source.IntN(len(persona.ClothingColours())),
		Ground:       l.grounds[source.IntN(len(l.grounds))],
		GroundColour: source.IntN(len(persona.GroundColours())),
		Turn:         between(-12, 12),
		Scale:        between(size[0], size[1]),
		MoveX:        side,
		MoveY:        between(-l.raise, l.lower),
		Mirrored:     source.IntN(2) == 0,
		Contrast:     between(80, 115),
		Brightness:   between(-24, 24),
		Tint:         [3]int{between(93, 107), between(93, 107), between(93, 107)},
	}
}

// anchorCount is the number of anchor pictures per person.
const anchorCount = 2

// anchors returns the settings of a person's anchor pictures: upright on a plain background, once near and once farther
// away.
func anchors() [anchorCount]persona.Sitting {
	near := persona.Sitting{GroundColour: 2, Scale: 104, Contrast: 100, Tint: [3]int{100, 100, 100}, Clothing: 6}
	far := near
	far.Scale, far.Mirrored, far.GroundColour, far.Clothing = 86, true, 5, 4
	return [anchorCount]persona.Sitting{near, far}
}
