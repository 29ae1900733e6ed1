package theme

import (
	"image/color"
	"slices"
)

// Map is a perceptually uniform colour map: equal steps of the value look equal.
type Map struct{ points []lab }

// mapPoints is the number of points of a map: more than the 256 levels of a channel can distinguish.
const mapPoints = 257

// newMap returns the map through the given sRGB colours (0xRRGGBB), spaced by their distance in OKLab instead of
// evenly.
func newMap(first, second uint32, more ...uint32) Map {
	anchors := []lab{}
	for _, hex := range append([]uint32{first, second}, more...) {
		anchors = append(anchors, toLab(linearRGB(rgb(hex))))
	}
	along := make([]float64, len(anchors))
	for i := 1; i < len(anchors); i++ {
		along[i] = along[i-1] + anchors[i].distance(anchors[i-1])
	}
	points := make([]lab, mapPoints)
	segment := 1
	for i := range points {
		at := along[len(along)-1] * float64(i) / (mapPoints - 1)
		for segment < len(anchors)-1 && at > along[segment] {
			segment++
		}
		share := (at - along[segment-1]) / (along[segment] - along[segment-1])
		points[i] = anchors[segment-1].towards(anchors[segment], share)
	}
	return Map{points}
}

// newDiverging returns the map whose middle is exactly the given colour: one half leads to the low end, the other to
// the high end.
func newDiverging(middle uint32, low, high []uint32) Map {
	down, up := newMap(middle, low[0], low[1:]...), newMap(middle, high[0], high[1:]...)
	slices.Reverse(down.points)
	return Map{append(down.points, up.points[1:]...)}
}

// At returns the colour for a value between 0 and 1; values outside have the colour of the nearest end.
func (m Map) At(value float64) color.NRGBA {
	at := min(1, max(0, value)) * float64(len(m.points)-1)
	i := min(int(at), len(m.points)-2)
	return fromLab(m.points[i].towards(m.points[i+1], at-float64(i)))
}

// On returns the theme's ink or its background, whichever is easier to read on c.
func (t Theme) On(c color.NRGBA) color.NRGBA {
	if contrast(t.Ink, c) >= contrast(t.Background, c) {
		return t.Ink
	}
	return t.Background
}

// contrast returns WCAG's ratio of relative luminances, from 1 to 21.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(c color.NRGBA) float64 {
	rgb := linearRGB(c)
	return .2126*rgb[0] + .7152*rgb[1] + .0722*rgb[2]
}
