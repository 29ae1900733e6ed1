package persona

import (
	"math"
	"math/rand/v2"
	"sync"
)

// maxObjectClasses is the number of object classes: ten shapes, plain or striped, in five colour families.
const maxObjectClasses = 100

// objectNames holds the names of the classes. A class is a combination of shape, stripes and colour family; names are
// arbitrary.
var objectNames = [maxObjectClasses]string{
	"apple", "lantern", "kite", "anchor", "drum", "basket", "violin", "helmet", "teapot", "candle",
	"pillow", "ladder", "compass", "whistle", "bucket", "shovel", "wagon", "trumpet", "carpet", "mirror",
	"scooter", "kettle", "hammer", "puzzle", "button", "bottle", "feather", "magnet", "pencil", "rocket",
	"saddle", "tent", "umbrella", "wallet", "zipper", "chimney", "cactus", "domino", "fossil", "goblet",
	"acorn", "banjo", "barrel", "beaker", "bell", "bobbin", "brush", "cabinet", "canoe", "chalk",
	"clarinet", "clock", "coin", "crayon", "cushion", "dagger", "easel", "faucet", "fiddle", "flute",
	"funnel", "gourd", "harp", "hinge", "hourglass", "jar", "jigsaw", "kayak", "kimono", "ladle",
	"lemon", "locket", "mallet", "marble", "mitten", "napkin", "needle", "oar", "onion", "paddle",
	"parcel", "peach", "pitcher", "pulley", "quilt", "racket", "ribbon", "rudder", "sandal", "scarf",
	"sickle", "skillet", "spool", "stapler", "thimble", "tractor", "turnip", "vase", "walnut", "yarn",
}

// ObjectNames returns the names of the first classes, as many as requested.
func ObjectNames(classes int) []string {
	return append([]string(nil), objectNames[:classes]...)
}

// ObjectPrompts returns prompt templates for zero-shot classification, with %s for the class name.
func ObjectPrompts() []string {
	return []string{"a photo of a %s", "a small %s", "a large %s", "the %s", "my %s", "a %s on a white background"}
}

const shapes = 10

// objectHues holds each colour family's central hue, as a fraction of the colour wheel.
var objectHues = [maxObjectClasses / shapes / 2]float64{.06, .56, .33, .82, .16}

// object holds the appearance of one picture of a class.
type object struct {
	class  int
	colour colour
	large  bool
	placement
}

func drawObject(source *rand.Rand, class int) object {
	o := object{class: class}
	hue := objectHues[class/(2*shapes)] + .06*source.NormFloat64()
	o.colour = fromHSV(hue, .6+.35*source.Float64(), .5+.45*source.Float64())
	o.scale = .58 + .38*source.Float64()
	o.large = o.scale > .77
	o.turn = (2*source.Float64() - 1) * .3
	o.moveX, o.moveY = (2*source.Float64()-1)*.065, (2*source.Float64()-1)*.065
	return o
}

func (o *object) figure(pictureSize int) *figure {
	f := newFigure(pictureSize, false)
	pair := shapeSprites()[o.class%(2*shapes)]
	f.paint(pair[resolution(pictureSize)], palette{skin: o.colour})
	return f
}

func fromHSV(hue, saturation, value float64) colour {
	hue = 6 * (hue - math.Floor(hue))
	var c colour
	for channel, centre := range [3]float64{0, 2, 4} {
		away := math.Abs(hue - centre)
		away = min(away, 6-away)
		strength := max(0, min(1, 2-away))
		c[channel] = uint8(clampByte(255 * value * (1 - float64(saturation*(1-strength)))))
	}
	return c
}

// shapeSprites returns the shapes without stripes, followed by the shapes with stripes. Dark stripes have .45 of the
// colour's brightness.
var shapeSprites = sync.OnceValue(func() (sprites [2 * shapes][2]*sprite) {
	const fine = 3 // sample points per pixel along each axis
	for i := range sprites {
		s := &sprite{size: spriteSize, shares: make([]share, spriteSize*spriteSize)}
		for p := range s.shares {
			inside, lit := 0, 0.
			for sub := range fine * fine {
				x := 2*(float64(p%spriteSize)+(float64(sub%fine)+.5)/fine)/spriteSize - 1
				y := 2*(float64(p/spriteSize)+(float64(sub/fine)+.5)/fine)/spriteSize - 1
				if !insideShape(i%shapes, x, y) {
					continue
				}
				inside++
				if i >= shapes && math.Sin(12.8*x) > 0 {
					lit += .45
				} else {
					lit++
				}
			}
			s.shares[p] = share{skin: uint8(lit * 255 / (fine * fine)), alpha: uint8(inside * 255 / (fine * fine))}
		}
		s.measure()
		sprites[i] = [2]*sprite{s, s.halve()}
	}
	return sprites
})

// insideShape reports whether a point in the square from -1 to 1 is inside a shape. y increases downwards.
func insideShape(shape int, x, y float64) bool {
	r := math.Hypot(x, y)
	ax, ay := math.Abs(x), math.Abs(y)
	switch shape {
	case 0: // disc
		return r < .8
	case 1: // square
		return max(ax, ay) < .72
	case 2: // triangle
		return y < .62 && .62+y*.5 > ax*1.05
	case 3: // five-pointed star
		return r < .62+.28*math.Cos(5*math.Atan2(y, x))
	case 4: // ring
		return math.Abs(r-.68) < .22
	case 5: // cross
		return ax < .25 && ay < .85 || ay < .25 && ax < .85
	case 6: // moon
		return r < .85 && math.Hypot(x-.4, y) > .62
	case 7: // diamond
		return ax+ay < .85
	case 8: // bar
		return ay < .3 && ax < .9
	case 9: // upside-down T
		return ax < .2 && ay < .85 || math.Abs(y-.6) < .2 && ax < .65
	}
	panic("persona: no such shape")
}
