package theme

import (
	"image/color"
	"math"
	"testing"
)

func TestMap_EqualSteps(t *testing.T) {
	const steps = 16
	for _, theme := range Themes {
		for name, m := range map[string]Map{"sequential": theme.Sequential, "diverging": theme.Diverging} {
			least, most := math.Inf(1), 0.
			for i := range steps {
				a, b := m.At(float64(i)/steps), m.At(float64(i+1)/steps)
				d := toLab(linearRGB(a)).distance(toLab(linearRGB(b)))
				least, most = min(least, d), max(most, d)
			}
			// Cutting corners at the colours that a map goes through makes a step shorter.
			if least < .8*most {
				t.Errorf("%s, %s: steps from %.4f to %.4f", theme.Name, name, least, most)
			}
		}
	}
}

// A sequential map gets steadily farther from the page's colour.
func TestMap_SequentialContrast(t *testing.T) {
	for _, theme := range Themes {
		last := 0.
		for v := 0.; v <= 1; v += 1. / 64 {
			now := math.Abs(toLab(linearRGB(theme.Sequential.At(v))).l - toLab(linearRGB(theme.Background)).l)
			if now < last-1e-3 {
				t.Errorf("%s: lightness turns back at %.2f", theme.Name, v)
			}
			last = now
		}
	}
}

func TestMap_DivergingBalance(t *testing.T) {
	for _, theme := range Themes {
		middle := toLab(linearRGB(theme.Diverging.At(.5)))
		if chroma := math.Hypot(middle.a, middle.b); chroma > .03 {
			t.Errorf("%s: the middle has a chroma of %.3f", theme.Name, chroma)
		}
		for v := .1; v <= .5; v += .1 {
			below, above := toLab(linearRGB(theme.Diverging.At(.5-v))), toLab(linearRGB(theme.Diverging.At(.5+v)))
			if d := math.Abs(below.l - above.l); d > .08 {
				t.Errorf("%s: lightness differs by %.3f at ±%.1f", theme.Name, d, v)
			}
		}
	}
}

func TestMap_Ends(t *testing.T) {
	m := newMap(0x102030, 0x8899AA, 0xF0E0D0)
	tests := []struct {
		value float64
		want  color.NRGBA
	}{{0, rgb(0x102030)}, {-3, rgb(0x102030)}, {1, rgb(0xF0E0D0)}, {7, rgb(0xF0E0D0)}}
	for _, test := range tests {
		if got := m.At(test.value); got != test.want {
			t.Errorf("at %g: %v, want %v", test.value, got, test.want)
		}
	}
}
