package theme

import (
	"image/color"
	"math"
)

// lab is a colour in Björn Ottosson's OKLab, where equal distances look about equally different.
type lab struct{ l, a, b float64 }

func (p lab) distance(q lab) float64 {
	return math.Sqrt((p.l-q.l)*(p.l-q.l) + (p.a-q.a)*(p.a-q.a) + (p.b-q.b)*(p.b-q.b))
}

func (p lab) towards(q lab, share float64) lab {
	return lab{p.l + share*(q.l-p.l), p.a + share*(q.a-p.a), p.b + share*(q.b-p.b)}
}

// linear inverts the transfer function of sRGB.
func linear(channel uint8) float64 {
	c := float64(channel) / 255
	if c <= .04045 {
		return c / 12.92
	}
	return math.Pow((c+.055)/1.055, 2.4)
}

func encoded(c float64) uint8 {
	c = min(1, max(0, c))
	if c <= .0031308 {
		c *= 12.92
	} else {
		c = 1.055*math.Pow(c, 1/2.4) - .055
	}
	return uint8(c*255 + .5)
}

func linearRGB(c color.NRGBA) [3]float64 { return [3]float64{linear(c.R), linear(c.G), linear(c.B)} }

// toLab and fromLab use the matrices of https://bottosson.github.io/posts/oklab.
func toLab(c [3]float64) lab {
	l := math.Cbrt(.4122214708*c[0] + .5363325363*c[1] + .0514459929*c[2])
	m := math.Cbrt(.2119034982*c[0] + .6806995451*c[1] + .1073969566*c[2])
	s := math.Cbrt(.0883024619*c[0] + .2817188376*c[1] + .6299787005*c[2])
	return lab{
		.2104542553*l + .7936177850*m - .0040720468*s,
		1.9779984951*l - 2.4285922050*m + .4505937099*s,
		.0259040371*l + .7827717662*m - .8086757660*s,
	}
}

func fromLab(p lab) color.NRGBA {
	cube := func(x float64) float64 { return x * x * x }
	l := cube(p.l + .3963377774*p.a + .2158037573*p.b)
	m := cube(p.l - .1055613458*p.a - .0638541728*p.b)
	s := cube(p.l - .0894841775*p.a - 1.2914855480*p.b)
	return color.NRGBA{
		R: encoded(4.0767416621*l - 3.3077115913*m + .2309699292*s),
		G: encoded(-1.2684380046*l + 2.6097574011*m - .3413193965*s),
		B: encoded(-.0041960863*l - .7034186147*m + 1.7076147010*s),
		A: 0xFF,
	}
}
