package persona

import (
	"image"
	"math"
	"math/rand/v2"
)

// placement defines the position of a figure in the picture. The figure is rotated and scaled about the centre, then
// moved by fractions of the picture's side.
type placement struct {
	turn, scale  float64 // turn is in radians; with a scale of 1, the figure fills the picture
	moveX, moveY float64
	mirrored     bool
	rowShift     []int // shift of each row in a distorted picture, in units of 1/65536 pixel
}

// light changes the colours of the whole picture.
type light struct {
	contrast, offset float64
	tint             [3]float64
	noise            int // standard deviation of the noise in each channel, in half units
}

// part is a figure and its placement.
type part struct {
	figure *figure
	placement
}

// transform maps points in the picture to points in a figure, both in units of 1/65536 pixel.
type transform struct {
	xx, xy, x0, yx, yy, y0 int
}

const one = 1 << 16

// inverse returns the transform from the picture to the figure. The conversions prevent fused multiply-add, so that all
// platforms agree.
func (p placement) inverse(pictureSize, figureSize int) transform {
	ratio := float64(figureSize) / float64(pictureSize)
	cos, sin := math.Cos(p.turn)/p.scale, math.Sin(p.turn)/p.scale
	cos, sin = float64(cos*ratio), float64(sin*ratio)
	centre := float64(pictureSize) / 2
	cx, cy := centre+float64(p.moveX*float64(pictureSize)), centre+float64(p.moveY*float64(pictureSize))
	half := float64(figureSize) / 2
	x0 := half - float64(cos*cx) - float64(sin*cy)
	y0 := half + float64(sin*cx) - float64(cos*cy)
	fixed := func(v float64) int { return int(math.Round(v * one)) }
	t := transform{fixed(cos), fixed(sin), fixed(x0), fixed(-sin), fixed(cos), fixed(y0)}
	if p.mirrored {
		t.xx, t.xy, t.x0 = -t.xx, -t.xy, figureSize*one-t.x0
	}
	return t
}

// scene holds everything that determines a picture.
type scene struct {
	size   int
	ground ground
	parts  []part
	light  light
}

// draw renders the scene. source provides the noise of pixels.
func (s *scene) draw(dst *image.NRGBA, source *rand.Rand) {
	transforms := make([]transform, len(s.parts))
	for i, p := range s.parts {
		transforms[i] = p.inverse(s.size, p.figure.size)
	}
	tone := s.light.tone()
	grain := grainSource{source: source}
	for y := range s.size {
		line := dst.Pix[y*dst.Stride : y*dst.Stride+4*s.size]
		for x := range s.size {
			value := s.ground.at(x, y)
			for i := range s.parts {
				cover := s.parts[i].cover(transforms[i], x, y)
				if alpha := cover.greenAlpha >> 16; alpha > 0 {
					under := 1020 - min(1020, alpha)
					value[0] = (value[0]*under + 255*(cover.redBlue&0xffff)) / 1020
					value[1] = (value[1]*under + 255*(cover.greenAlpha&0xffff)) / 1020
					value[2] = (value[2]*under + 255*(cover.redBlue>>16)) / 1020
				}
			}
			for channel := range 3 {
				lit := (int(value[channel])*tone.gain[channel] + tone.base[channel]) >> 16
				lit += grain.next() * s.light.noise >> 8
				line[4*x+channel] = uint8(max(0, min(255, lit)))
			}
			line[4*x+3] = 255
		}
	}
}

// cover adds up a figure's colour at four points in a pixel. Each channel is at most 1020.
func (p *part) cover(t transform, x, y int) lanes {
	var sum lanes
	shift := 0
	if p.rowShift != nil {
		shift = p.rowShift[y]
	}
	for _, dy := range [2]int{one / 4, 3 * one / 4} {
		py := y<<16 + dy
		for _, dx := range [2]int{one / 4, 3 * one / 4} {
			px := x<<16 + dx + shift
			sx := int((int64(t.xx)*int64(px)+int64(t.xy)*int64(py))>>16) + t.x0
			sy := int((int64(t.yx)*int64(px)+int64(t.yy)*int64(py))>>16) + t.y0
			found := p.figure.sample(sx, sy)
			sum.redBlue += found.redBlue
			sum.greenAlpha += found.greenAlpha
		}
	}
	return sum
}

// tone is a linear function for each channel, out = in·gain + base, in units of 1/65536.
type tone struct {
	gain, base [3]int
}

// tone returns the function ((v − 128)·contrast + 128 + offset)·tint as a gain and a base for each channel.
func (l light) tone() tone {
	var t tone
	for channel, tint := range l.tint {
		gain := float64(l.contrast * tint)
		t.gain[channel] = int(math.Round(gain * one))
		base := float64((128+l.offset)*tint) - float64(128*gain)
		t.base[channel] = int(math.Round(base*one)) + one/2
	}
	return t
}

// grain is a table of equally spaced quantiles of a normal distribution with standard deviation 8, in units of 1/16. A
// random byte selects one.
var grain = func() (table [256]int) {
	for i := range table {
		p := (float64(i) + .5) / 256
		table[i] = int(math.Round(8 * 16 * math.Sqrt2 * math.Erfinv(2*p-1)))
	}
	return table
}()

// grainSource returns random values from grain. It takes eight values from each random number.
type grainSource struct {
	source *rand.Rand
	bits   uint64
	left   int
}

func (g *grainSource) next() int {
	if g.left == 0 {
		g.bits, g.left = g.source.Uint64(), 8
	}
	value := grain[g.bits&0xff]
	g.bits >>= 8
	g.left--
	return value
}
